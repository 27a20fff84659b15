import JWS
import LedgerCore

/// A caller's secret: 32 random bytes as text.
///
/// Only its SHA-256 is kept.
struct AccessToken {
    /// What the caller sends after `Bearer `.
    let text: String

    /// Marks our tokens for people and for scanners of leaked secrets.
    private static let prefix = "ledgerd_"

    /// A new token.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = Self.prefix + String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }

    /// What the database keeps of a token.
    static func digest(of text: String) -> [UInt8] { SHA256Digest.of(Array(text.utf8)) }
}
