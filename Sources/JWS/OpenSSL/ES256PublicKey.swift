import COpenSSL

/// A public key on P-256, ready to verify ES256 signatures.
///
/// `@unchecked Sendable`: the key is complete when this object exists and is only read from then on, which OpenSSL
/// allows from any number of threads.
@safe final class ES256PublicKey: @unchecked Sendable {
    private let key: OpaquePointer

    static let signatureBytes = 64

    /// The key of a certificate, or nil when it is not on P-256.
    init?(of certificate: Certificate) {
        guard
            let key = unsafe certificate.withHandle({ certificate -> OpaquePointer? in
                guard let publicKey = unsafe X509_get0_pubkey(certificate) else { return nil }
                return unsafe EVP_PKEY_get1_EC_KEY(publicKey)
            })
        else {
            ERR_clear_error()
            return nil
        }
        guard unsafe EC_GROUP_get_curve_name(EC_KEY_get0_group(key)) == NID_X9_62_prime256v1 else {
            unsafe EC_KEY_free(key)
            return nil
        }
        unsafe self.key = key
    }

    deinit { unsafe EC_KEY_free(key) }

    /// Whether the signature (R and S, 32 bytes each, big-endian) is this key's over the SHA-256 digest.
    ///
    /// High S is as good as low S: about 42 % of the App Store's signatures have it (PROTOCOL.md, appendix C).
    func verifies(signature: [UInt8], digest: [UInt8]) -> Bool {
        guard signature.count == Self.signatureBytes, digest.count == SHA256State.digestBytes,
            let pair = unsafe ECDSA_SIG_new()
        else { return false }
        defer { unsafe ECDSA_SIG_free(pair) }
        let half = Int32(Self.signatureBytes / 2)
        return unsafe signature.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let r = unsafe BN_bin2bn(base, half, nil) else { return false }
            guard let s = unsafe BN_bin2bn(base + Int(half), half, nil) else {
                unsafe BN_free(r)
                return false
            }
            unsafe ECDSA_SIG_set0(pair, r, s)  // the pair owns both now
            let isValid = unsafe ECDSA_do_verify(digest, Int32(digest.count), pair, key) == 1
            if !isValid { ERR_clear_error() }
            return isValid
        }
    }
}
