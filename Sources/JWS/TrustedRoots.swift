import COpenSSL
import FoundationEssentials
import LedgerCore

/// The root certificates that a chain may end in: the only source of trust.
///
/// A root is known by its certificate, then the third entry of `x5c` is not looked at (PROTOCOL.md 1.2, step 6); or by
/// its SHA-256 fingerprint alone, then that entry must be the certificate with this fingerprint.
package struct TrustedRoots: Sendable {
    let certificates: [Certificate]
    let fingerprints: [[UInt8]]

    /// SHA-256 of Apple Root CA – G3 (PROTOCOL.md section 1.3), the default.
    package static let appleRootG3Fingerprint = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

    /// No file of roots is larger; a certificate has 1 kB.
    private static let fileBytesMax = 256 * 1024

    /// Apple Root CA – G3, by its fingerprint.
    package static func appleRootG3() throws(TrustedRootsError) -> TrustedRoots {
        try TrustedRoots(entries: [appleRootG3Fingerprint])
    }

    /// Roots from a configuration: each entry is the path of a DER or PEM file, or a SHA-256 fingerprint in hexadecimal
    /// (64 digits, colons allowed).
    ///
    /// - Throws: a sentence that names the entry, or says that there is none.
    package init(entries: [String]) throws(TrustedRootsError) {
        var certificates: [Certificate] = []
        var fingerprints: [[UInt8]] = []
        for entry in entries {
            if let fingerprint = Self.fingerprint(entry) {
                fingerprints.append(fingerprint)
            } else {
                certificates += try Self.certificates(in: try Self.readFile(entry), name: entry)
            }
        }
        try self.init(certificates: certificates, fingerprints: fingerprints)
    }

    /// Roots from the contents of certificate files.
    ///
    /// - Parameter contents: each DER, or PEM with one or more certificates.
    /// - Throws: a sentence that names the number of the file, or says that there is none.
    package init(contents: [[UInt8]]) throws(TrustedRootsError) {
        var certificates: [Certificate] = []
        for (index, content) in contents.enumerated() {
            certificates += try Self.certificates(in: content, name: "number \(index + 1)")
        }
        try self.init(certificates: certificates, fingerprints: [])
    }

    private init(certificates: [Certificate], fingerprints: [[UInt8]]) throws(TrustedRootsError) {
        guard !certificates.isEmpty || !fingerprints.isEmpty else { throw .none }
        self.certificates = certificates
        self.fingerprints = fingerprints
    }

    private static func fingerprint(_ entry: String) -> [UInt8]? {
        let digits = entry.utf8.filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 2 * SHA256State.digestBytes else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    private static func readFile(_ path: String) throws(TrustedRootsError) -> [UInt8] {
        do {
            let data = try Data(contentsOf: URL(filePath: path), options: [])
            guard data.count <= fileBytesMax else { throw TrustedRootsError.notACertificate(path) }
            return Array(data)
        } catch let error as TrustedRootsError {
            throw error
        } catch {
            throw .unreadable(path)
        }
    }

    private static func certificates(in content: [UInt8], name: String) throws(TrustedRootsError) -> [Certificate] {
        let list = Certificate(der: content).map { [$0] } ?? Certificate.all(inPEM: content)
        guard !list.isEmpty else { throw .notACertificate(name) }
        guard list.allSatisfy({ $0.isAuthority && $0.validity != nil }) else { throw .notAnAuthority(name) }
        return list
    }
}

/// Why the configured roots can't be used; the daemon does not start.
package enum TrustedRootsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case unreadable(String)
    case notACertificate(String)
    case notAnAuthority(String)

    package var description: String {
        switch self {
        case .none: "No trusted root certificate is configured; name at least one file or fingerprint."
        case .unreadable(let name): "The trusted root \(name) can't be read; check the path and the permissions."
        case .notACertificate(let name):
            "The trusted root \(name) is not an X.509 certificate in DER or PEM, nor a SHA-256 fingerprint."
        case .notAnAuthority(let name):
            "The trusted root \(name) holds a certificate that is not a certificate authority; name a root certificate."
        }
    }
}

extension Certificate {
    /// All certificates of a PEM text; empty when one of them can't be parsed or there is none.
    static func all(inPEM text: [UInt8]) -> [Certificate] {
        guard let bio = unsafe BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return [] }
        defer {
            unsafe BIO_free(bio)
            ERR_clear_error()
        }
        var list: [Certificate] = []
        while list.count < listMax, let handle = unsafe PEM_read_bio_X509(bio, nil, nil, nil) {
            defer { unsafe X509_free(handle) }
            guard let certificate = unsafe Certificate(der: derBytes(of: handle)) else { return [] }
            list.append(certificate)
        }
        return list
    }

    /// More roots in one file are not read.
    private static let listMax = 64

    /// The DER bytes of a certificate that OpenSSL holds; empty when they can't be made.
    static func derBytes(of handle: OpaquePointer) -> [UInt8] {
        let count = unsafe Int(i2d_X509(handle, nil))
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var next = buffer.baseAddress
            written = unsafe Int(max(0, i2d_X509(handle, &next)))
        }
    }
}
