internal import Glibc
internal import JWS
internal import LedgerCore
internal import StoreSimulator

/// `sign`: makes ready bodies for `POST /v1/notifications`, one a line, about 18 kB each.
///
/// The same seed, count, customers and `--until` (default: midnight UTC before now) give the same documents, except for
/// the signatures.
struct SignCommand {
    private let chainFolder: ChainFolder
    private let count: Int
    private let customers: Int
    private let seed: UInt64
    private let until: Int64
    private let path: String
    private let pathsFile: String?

    static let countMax = 10_000_000
    /// Bodies in memory at a time (9 MB).
    private static let batchMax = 512
    /// One body in so many is judged by the verifier before it is written.
    private static let checkedEvery = 256

    init(_ options: inout Options) throws(BenchError) {
        chainFolder = ChainFolder(path: try options.required("chain"))
        count = try options.requiredInteger("count", in: 1...Self.countMax)
        customers = try options.integer("customers", in: 1...CustomerHistory.customersMax) ?? min(count, 1_000)
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        until = try options.integer("until", in: 0...4_102_444_800_000) ?? Int64(time(nil)) / 86_400 * 86_400_000
        path = try options.required("out")
        pathsFile = options.text("paths")
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        let chain = try chainFolder.chain()
        let judge = try Judge(root: chain.root, until: until)
        let factory = NotificationFactory(chain: chain, customers: customers, count: count, seed: seed, until: until)
        let file = try OutputFile(path: path)
        var bytes = 0
        var made = 0
        while made < count {
            let batch = try factory.makeBatch(min(Self.batchMax, count - made))
            for index in stride(from: 0, to: batch.count, by: Self.checkedEvery) { try judge.check(batch[index]) }
            var text: [UInt8] = []
            text.reserveCapacity(batch.count * 20_000)
            for body in batch { text += body }
            try file.write(text)
            bytes += text.count
            made += batch.count
        }
        if let pathsFile {
            try OutputFile(path: pathsFile).write(factory.paths().flatMap { Array(($0 + "\n").utf8) })
        }
        writeLine("\(count) bodies, \(bytes / count) bytes on average", to: STDERR_FILENO)
        return 0
    }

    /// The real verifier with this chain's root: what is written has to be what a server takes.
    private struct Judge {
        let verifier: Verifier

        init(root: [UInt8], until: Int64) throws(BenchError) {
            let app = ServedApp(
                bundleID: BundleID(rawValue: CustomerHistory.bundleID),
                appAppleID: CustomerHistory.appAppleID,
                environments: [.production]
            )
            do {
                verifier = try Verifier(roots: try TrustedRoots(contents: [root]), apps: [app]) {
                    Instant(milliseconds: until)
                }
            } catch { throw .signing("the verifier can't be set up: \(error)") }
        }

        func check(_ body: [UInt8]) throws(BenchError) {
            let verdict = verifier.verifyNotification(NotificationFactory.payload(of: body))
            guard verdict.document != nil else { throw .refusedByVerifier("\(verdict)") }
        }
    }
}
