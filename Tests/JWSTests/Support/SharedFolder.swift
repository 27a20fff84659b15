import Foundation
import LedgerCore
import Testing

/// The folder `shared` beside the package: the App Store's fixtures and the field cases, read in place.
enum SharedFolder {
    static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared")

    /// Runs the tests when the folder is there, and in CI in any case, so that they fail when it is missing.
    static let isNeeded: ConditionTrait = .enabled(
        if: FileManager.default.fileExists(atPath: url.path)
            || ProcessInfo.processInfo.environment["CI"] == "true",
        "The folder ../shared is missing."
    )

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url.appending(path: path)))
    }

    /// The text of a file without the white space around it.
    static func text(_ path: String) throws -> [UInt8] {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        return Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    }

    /// A list of the fixtures, or nothing when the folder is missing: then no case runs, and CI counts them.
    static func list<Element: Decodable>(_ path: String, _ type: Element.Type) -> [Element] {
        guard let data = try? Data(contentsOf: url.appending(path: path)) else { return [] }
        return (try? JSONDecoder().decode([Element].self, from: data)) ?? []
    }
}

/// Moments that tests use as the present.
extension Instant {
    /// 2026-05-28: all fixtures but those from the future have been signed.
    static let fixtureNow = Instant(milliseconds: 1_780_000_000_000)
    static let year2031 = Instant(milliseconds: 1_924_992_000_000)
}
