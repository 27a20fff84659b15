import JWS
import LedgerCore
import StoreSimulator
import Testing

@Suite struct TestChainPartsTests {
    @Test func `a chain kept between runs signs what its root verifies`() throws {
        var shape = TestChain.Shape()
        shape.comments = .ofRealLength
        let parts = try TestChain(shape).parts()
        let again = try TestChain(parts, shape: shape)
        #expect(try again.parts() == parts)

        let app = ServedApp(
            bundleID: BundleID(rawValue: "com.example.app"),
            appAppleID: 1,
            environments: [.production]
        )
        let verifier = try Verifier(roots: try TrustedRoots(contents: [parts.root]), apps: [app]) {
            Instant(milliseconds: 1_767_571_300_000)
        }
        let payload =
            Array(
                #"{"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.app","#.utf8
            ) + Array(#""signedDate":1767571201000,"environment":"Production"}"#.utf8)
        for chain in [again, try again.withNewLeaf()] {
            let document = try DocumentSigner(chain: chain).sign(payload)
            #expect(verifier.verify(document, as: .transaction).document != nil)
        }
    }

    @Test func `certificates of real length are as long as the App Store's`() throws {
        var shape = TestChain.Shape()
        shape.comments = .ofRealLength
        let parts = try TestChain(shape).parts()
        // Sizes of 2025; a certificate's own length varies by a few bytes with its signature.
        for (bytes, real) in [(parts.root, 583), (parts.intermediate, 794), (parts.leaf, 1_077)] {
            #expect(abs(bytes.count - real) <= 8)
        }
    }
}
