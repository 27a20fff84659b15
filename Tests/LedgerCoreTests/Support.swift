import Foundation
import LedgerCore
import Testing

/// A generator whose sequence depends on nothing but its seed (SplitMix64).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// An integer whose size is spread over all powers of two, so that small ones and extremes both come.
    mutating func integer() -> Int64 {
        Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self)
    }

    /// A text of up to 24 characters: quotation marks, controls, and characters of one to four bytes.
    mutating func text() -> String {
        let count = Int.random(in: 0...24, using: &self)
        return String(String.UnicodeScalarView((0..<count).map { _ in scalar() }))
    }

    private mutating func scalar() -> Unicode.Scalar {
        let limit: UInt32 = [0x20, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &self) ?? 0x80
        while true {
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &self)) { return scalar }
        }
    }
}

/// The documents beside the package, which are read in place (`../shared`).
///
/// Where they are missing, their tests are skipped; with `CI=true` they run, and fail.
enum SharedFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared")
        .standardized

    static var arePresentOrRequired: Bool {
        FileManager.default.fileExists(atPath: root.path) || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    static let comment: Comment = "the documents of ../shared are not there"

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: path)))
    }

    /// The middle part of a JWS, unpacked; nothing is verified.
    static func payload(ofJWS path: String) throws -> [UInt8] {
        try LedgerCoreTests.payload(ofJWS: String(decoding: try bytes(path), as: UTF8.self))
    }
}

/// The middle part of a JWS, unpacked; nothing is verified.
func payload(ofJWS text: String) throws -> [UInt8] {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    var base64 = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: base64)))
}

extension JSONValue {
    init(_ text: String) throws { self = try JSONReader.value(of: Array(text.utf8)) }

    /// The members of an object.
    var members: [String: JSONValue]? {
        if case .object(let object) = self { object.members } else { nil }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The JSON text.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    static func members(_ members: [String: JSONValue]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members { object.add(name, value) }
        return .object(object)
    }
}
