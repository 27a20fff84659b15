import COpenSSL

/// A private key on P-256 or P-384: ours for the App Store Server API and offers, or that of a simulated App Store.
///
/// `@unchecked Sendable`: complete when this object exists and only read from then on, which OpenSSL allows from any
/// number of threads.
@safe package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// The curves that the App Store's certificates use.
    package enum Curve: String, Hashable, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
    }

    /// A new random key.
    package init(generating curve: Curve) throws(SigningError) {
        guard let key = unsafe COpenSSL_EVP_EC_gen(curve.rawValue) else { throw .current(doing: "make a key") }
        unsafe self.key = key
    }

    /// The key in a PEM text: PKCS#8, as App Store Connect gives it (`.p8`), or SEC 1; not encrypted.
    package init(pem: [UInt8]) throws(SigningError) {
        guard let bio = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else {
            throw .current(doing: "read a private key")
        }
        defer { unsafe BIO_free(bio) }
        // Without a callback OpenSSL would ask a terminal for the password of an encrypted key.
        guard let key = unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil) else {
            throw .current(doing: "read a private key")
        }
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else {
            unsafe EVP_PKEY_free(key)
            throw .notAnECKey
        }
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Lends the key to a call of OpenSSL.
    func withHandle<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(key) }

    /// An ES256 signature of the message: R and S, 32 bytes each (RFC 7518, section 3.4).
    package func es256Signature(over message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let pair = unsafe signaturePair(over: message) else { throw .current(doing: "sign") }
        defer { unsafe ECDSA_SIG_free(pair) }
        var signature = [UInt8](repeating: 0, count: ES256PublicKey.signatureBytes)
        let half = Int32(ES256PublicKey.signatureBytes / 2)
        let fits = unsafe signature.withUnsafeMutableBufferPointer { buffer -> Bool in
            guard let base = buffer.baseAddress else { return false }
            return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), base, half) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(pair), base + Int(half), half) == half
        }
        guard fits else { throw .notP256 }
        return signature
    }

    /// The same as ``es256Signature(over:)`` in DER, the form of legacy promotional offers.
    package func derSignature(over message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let pair = unsafe signaturePair(over: message) else { throw .current(doing: "sign") }
        defer { unsafe ECDSA_SIG_free(pair) }
        let count = unsafe Int(i2d_ECDSA_SIG(pair, nil))
        return unsafe [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, written in
            var next = buffer.baseAddress
            written = unsafe max(0, Int(i2d_ECDSA_SIG(pair, &next)))
        }
    }

    private func signaturePair(over message: [UInt8]) -> OpaquePointer? {
        let digest = SHA256State.digest(of: message)
        guard let ecKey = unsafe EVP_PKEY_get0_EC_KEY(key) else { return nil }
        return unsafe ECDSA_do_sign(digest, Int32(digest.count), ecKey)
    }

    /// The private key as PKCS#8 in PEM, for a simulated App Store that keeps its chain between runs.
    package func pem() throws(SigningError) -> [UInt8] {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .current(doing: "write a private key") }
        defer { unsafe BIO_free(bio) }
        guard unsafe PEM_write_bio_PKCS8PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1 else {
            throw .current(doing: "write a private key")
        }
        var data: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_BIO_get_mem_data(bio, &data)
        guard let data = unsafe data, count > 0 else { throw .current(doing: "write a private key") }
        return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}

/// Why a key can't be read or used.
package enum SigningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL could not do something; its own words follow.
    case openSSL(doing: String, reason: String)
    case notAnECKey
    case notP256

    /// What OpenSSL says about the call that has just failed on this thread.
    static func current(doing: String) -> SigningError {
        let code = ERR_get_error()
        ERR_clear_error()
        let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return .openSSL(doing: doing, reason: reason ?? "no reason given")
    }

    package var description: String {
        switch self {
        case .openSSL(let doing, let reason): "OpenSSL could not \(doing): \(reason)."
        case .notAnECKey: "The private key is not an elliptic-curve key; the App Store uses P-256."
        case .notP256: "The private key is not on P-256, so that it can't sign with ES256."
        }
    }
}
