import Foundation
import LedgerCore
import StoreSimulator
import Testing

@testable import JWS

/// SHA-256 of the bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256State.digest(of: bytes) }

/// Base64, digests, keys and signatures.
struct CryptographyTests {
    @Test func `a digest goes on from a copy of its state`() {
        var state = SHA256State()
        state.update(Array("ab".utf8)[...])
        var copy = state
        state.update(Array("c".utf8)[...])
        copy.update(Array("d".utf8)[...])
        #expect(state.finish() == sha256(Array("abc".utf8)))
        #expect(copy.finish() == sha256(Array("abd".utf8)))
        // FIPS 180-4, example "abc".
        #expect(sha256(Array("abc".utf8)).prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
    }

    @Test(arguments: 0..<70) func `base64 gives back what it was made of, as Foundation writes it`(_ count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let standard = Array(Data(bytes).base64EncodedString().utf8)
        #expect(Base64.encode(bytes, .standard) == standard)
        #expect(Base64.decode(standard[...], .standard) == bytes)
        let url = Base64.encode(bytes, .url)
        #expect(Base64.decode(url[...], .url) == bytes)
        #expect(!url.contains { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) })
    }

    @Test(arguments: [
        "A", "AAAAA", "AA==", "AAA=", "AA AA", "AAAA\n", "AB", "AAB", "A+AA", "A/AA", "AAA!", "AAAé", "AAA\u{0}",
    ])
    func `a text that is not strict base64url is refused`(_ text: String) {
        #expect(Base64.decode(Array(text.utf8)[...], .url) == nil)
    }

    @Test(arguments: [
        "AA", "AAA", "AA=A", "A===", "====", "AB==", "AAB=", "A-AA", "A_AA", "AAAA\n", " AAAA", "AAAA====",
    ])
    func `a text that is not strict base64 is refused`(_ text: String) {
        #expect(Base64.decode(Array(text.utf8)[...], .standard) == nil)
    }

    /// R and S at the borders of what they may be: 1 to the order of the curve, less one.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",  // the order
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
    func `R and S outside their range verify nothing`(_ hexadecimal: String) throws {
        let value = stride(from: 0, to: 64, by: 2).map { start in
            UInt8(hexadecimal.dropFirst(start).prefix(2), radix: 16) ?? 0
        }
        let (key, signer) = try Self.keyPair()
        let message = Array("message".utf8)
        let good = try signer.es256Signature(over: message)
        #expect(key.verifies(signature: good, digest: sha256(message)))
        #expect(!key.verifies(signature: value + good.suffix(32), digest: sha256(message)))
        #expect(!key.verifies(signature: good.prefix(32) + value, digest: sha256(message)))
        #expect(!key.verifies(signature: value + value, digest: sha256(message)))
    }

    @Test func `the other S of a signature is as good`() throws {
        let (key, signer) = try Self.keyPair()
        let message = Array("message".utf8)
        let good = try signer.es256Signature(over: message)
        let order = stride(from: 0, to: 64, by: 2).map { start in
            UInt8(
                "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551".dropFirst(start).prefix(2),
                radix: 16
            ) ?? 0
        }
        var other = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(good[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            other[index] = UInt8(truncatingIfNeeded: difference)
        }
        #expect(key.verifies(signature: good.prefix(32) + other, digest: sha256(message)))
    }

    @Test(arguments: 0..<8) func `one changed bit of digest or signature is noticed`(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let (key, signer) = try Self.keyPair()
        let message = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
        let signature = try signer.es256Signature(over: message)
        #expect(key.verifies(signature: signature, digest: sha256(message)))
        for _ in 0..<40 {
            var wrong = signature
            wrong[Int.random(in: 0..<64, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(!key.verifies(signature: wrong, digest: sha256(message)))
            var digest = sha256(message)
            digest[Int.random(in: 0..<32, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(!key.verifies(signature: signature, digest: digest))
        }
    }

    @Test func `a signature of another length verifies nothing`() throws {
        let (key, signer) = try Self.keyPair()
        let good = try signer.es256Signature(over: [])
        #expect(!key.verifies(signature: good.dropLast(), digest: sha256([])))
        #expect(!key.verifies(signature: try signer.derSignature(over: []), digest: sha256([])))
        #expect(!key.verifies(signature: good, digest: Array(sha256([]).dropLast())))
    }

    @Test func `a private key survives its PEM text`() throws {
        let chain = try TestChain()
        let copy = try SigningKey(pem: try chain.leafKey.pem())
        let key = try #require(Certificate(der: chain.leaf).flatMap(ES256PublicKey.init(of:)))
        #expect(key.verifies(signature: try copy.es256Signature(over: [1]), digest: sha256([1])))
    }

    @Test(SharedFolder.isNeeded) func `a key of App Store Connect and one in SEC 1 can be read`() throws {
        for file in ["testSigningKey.p8", "testLeaf.key"] {
            let key = try SigningKey(pem: try SharedFolder.bytes("appstore/fixtures/certs/\(file)"))
            #expect(try key.es256Signature(over: [1, 2, 3]).count == 64)
        }
    }

    @Test func `a key that is none, or on another curve, is an error`() throws {
        #expect(throws: SigningError.self) { try SigningKey(pem: Array("rubbish".utf8)) }
        #expect(throws: SigningError.notP256) { try SigningKey(generating: .p384).es256Signature(over: []) }
    }

    @Test func `a document is bound to the device it was made for`() {
        let nonce = "48C8B92D-CE0D-4229-BEDF-E61B4F9CFC92"
        let deviceID = "0F0F0F0F-1111-4222-8333-444444444444"
        // printf '%s' "$nonce$deviceID" in lower case | openssl dgst -sha384 -binary | base64
        let verification = "+oncH/DXZnMCqxXtrNYFpVbvnbbX/y5KuZzCZnON2EKyuyjbwrFbs1mJa43wWzkd"
        let device = DeviceClaims(verification: verification, nonce: nonce)
        #expect(DeviceVerification.matches(device, deviceID: deviceID))
        #expect(DeviceVerification.matches(device, deviceID: deviceID.lowercased()))
        #expect(!DeviceVerification.matches(device, deviceID: nonce))
        #expect(!DeviceVerification.matches(nil, deviceID: deviceID))
        #expect(!DeviceVerification.matches(DeviceClaims(verification: "", nonce: nonce), deviceID: deviceID))
    }

    private static func keyPair() throws -> (ES256PublicKey, SigningKey) {
        let chain = try TestChain()
        return (try #require(Certificate(der: chain.leaf).flatMap(ES256PublicKey.init(of:))), chain.leafKey)
    }
}
