import COpenSSL
package import LedgerCore

/// The proof that a document was issued for a certain device (PROTOCOL.md section 7).
package enum DeviceVerification {
    /// Whether the document was made for the device with this `deviceVerificationID`.
    ///
    /// - Parameters:
    ///   - device: the members of the verified document; nil when it has none, which is no match.
    ///   - deviceID: a UUID in letters of either case.
    /// - Returns: true only for base64 of SHA-384 over nonce and identifier, both in lower case.
    package static func matches(_ device: DeviceClaims?, deviceID: String) -> Bool {
        guard let device, let claimed = Base64.decode(Array(device.verification.utf8)[...], .standard),
            claimed.count == digestBytes
        else { return false }
        let message = Array(device.nonce.lowercased().utf8) + Array(deviceID.lowercased().utf8)
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: digestBytes) { output, count in
            unsafe SHA384(message, message.count, output.baseAddress)
            count = digestBytes
        }
        return unsafe CRYPTO_memcmp(claimed, digest, digestBytes) == 0
    }

    private static let digestBytes = 48
}
