import COpenSSL
import LedgerCore

/// An X.509 certificate.
///
/// `@unchecked Sendable`: parsed once, its extensions are cached in the initialiser, and only read afterwards; OpenSSL
/// allows that from any number of threads.
@safe final class Certificate: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The certificate as it was parsed.
    let der: [UInt8]

    /// A certificate larger than this is not parsed; the App Store's have 1.2 kB.
    static let derBytesMax = 16 * 1024

    /// The certificate in these bytes, or nil when they are not exactly one DER certificate.
    init?(der: [UInt8]) {
        guard der.count <= Self.derBytesMax else { return nil }
        let parsed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe X509_free(certificate)
                return nil
            }
            return unsafe certificate
        }
        guard let parsed = unsafe parsed else {
            ERR_clear_error()
            return nil
        }
        unsafe X509_check_purpose(parsed, -1, 0)  // computes and caches the extensions
        ERR_clear_error()
        unsafe handle = parsed
        self.der = der
    }

    deinit { unsafe X509_free(handle) }

    /// Lends the certificate to a call of OpenSSL.
    func withHandle<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(handle) }

    /// SHA-256 of the DER bytes: the fingerprint that is published for roots.
    var fingerprint: [UInt8] { SHA256State.digest(of: der) }

    /// Whether this certificate's issuer name is the other one's subject name.
    func names(issuer: Certificate) -> Bool {
        unsafe X509_NAME_cmp(X509_get_issuer_name(handle), X509_get_subject_name(issuer.handle)) == 0
    }

    /// Whether the issuer's key made this certificate's signature, over a SHA-2 digest.
    func isSigned(by issuer: Certificate) -> Bool {
        guard usesSHA2, let key = unsafe X509_get0_pubkey(issuer.handle) else { return false }
        let isValid = unsafe X509_verify(handle, key) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }

    private var usesSHA2: Bool {
        var digest: Int32 = 0
        guard unsafe OBJ_find_sigid_algs(X509_get_signature_nid(handle), &digest, nil) == 1 else { return false }
        return [NID_sha256, NID_sha384, NID_sha512].contains(digest)
    }

    /// Whether it may issue certificates: basicConstraints with CA, and keyCertSign where keyUsage is present.
    var isAuthority: Bool { unsafe X509_check_ca(handle) == 1 }

    /// How many further authorities may stand below this one; nil without a limit.
    var pathLength: Int? {
        let value = unsafe X509_get_pathlen(handle)
        return value < 0 ? nil : value
    }

    /// Whether an extension is broken, or critical and unknown to OpenSSL (RFC 5280, section 4.2: refuse it).
    var hasUnacceptableExtension: Bool {
        unsafe X509_get_extension_flags(handle) & UInt32(EXFLAG_INVALID | EXFLAG_CRITICAL) != 0
    }

    /// Whether the extension with this object identifier is present; its value does not matter.
    func hasExtension(_ identifier: ObjectIdentifierText) -> Bool {
        guard let object = unsafe OBJ_txt2obj(identifier.rawValue, 1) else { return false }
        defer { unsafe ASN1_OBJECT_free(object) }
        return unsafe X509_get_ext_by_OBJ(handle, object, -1) >= 0
    }

    /// From when to when the certificate is valid, both included; nil when the dates can't be read.
    var validity: ClosedRange<Instant>? {
        guard let start = unsafe Self.instant(X509_get0_notBefore(handle)),
            let end = unsafe Self.instant(X509_get0_notAfter(handle)), start <= end
        else { return nil }
        return start...end
    }

    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Instant? {
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Instant(milliseconds: (Int64(days) * 86_400 + Int64(seconds)) * 1_000)
    }
}

/// An object identifier in dotted decimals.
package struct ObjectIdentifierText: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Marks a leaf that signs App Store receipts and signed data (PROTOCOL.md 1.2, step 8d).
    package static let receiptSigning = ObjectIdentifierText(rawValue: "1.2.840.113635.100.6.11.1")
    /// Marks an Apple Worldwide Developer Relations intermediate (step 8e).
    package static let developerRelations = ObjectIdentifierText(rawValue: "1.2.840.113635.100.6.2.1")
}
