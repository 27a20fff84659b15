import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

@testable import LedgerD

/// A daemon on tables that another version folded takes documents in and answers nothing from the tables, until they are
/// rebuilt.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct OtherShapeTests {
    private static let sentence = "The projection's tables have shape 0, and this program folds and reads shape"

    private static func signed(_ bench: DaemonBench, _ number: Int) throws -> [UInt8] {
        let bought = Sample.transaction("560\(number)", purchased: .testNow.adding(days: -1))
        return try bench.store.notification(Sample.notification(bought))
    }

    /// Takes a purchase in, and waits until it is folded.
    private static func begin(_ bench: DaemonBench) throws {
        let daemon = try bench.start()
        let client = try daemon.client()
        #expect(try client.notify(try signed(bench, 1)).position == 2)
        #expect(try client.entitlements("transactionId=5601&minPosition=2&waitMs=20000").status == 200)
        daemon.stop()
    }

    /// Says that a version before this one folded the tables.
    private static func age(_ database: TestDatabase) throws {
        try database.execute("UPDATE projection.cursors SET shape = 0")
    }

    private static func rebuild(_ database: TestDatabase) throws {
        let owner = try database.connect()
        defer { owner.close() }
        let rebuild = Rebuild(owner)
        try rebuild.fold { _ in }
        _ = try rebuild.compare(replaces: true)
    }

    /// What rests on the tables is refused; intake and the log are not.
    private static func expectNoAnswers(_ bench: DaemonBench, _ client: DaemonClient) throws {
        for target in [
            "/v1/entitlements?transactionId=5601", "/v1/entitlements:explain?transactionId=5601",
            "/v1/transactions?transactionId=5601", "/v1/timeline?transactionId=5601", "/v1/registers/refunds",
        ] {
            let refused = expectProblem(try client.get(target), 503, "storeUnavailable", retryable: true)
            #expect(refused == "The projection's tables are not of this program's shape; /readyz tells what to do.")
        }
        let ready = try client.get("/readyz")
        #expect(ready.status == 503)
        #expect(ready["problem"]?.text?.hasPrefix(sentence) == true)
        #expect(ready["problem"]?.text?.hasSuffix("run ledgerd rebuild.") == true)
        #expect(try client.get("/v1/events").status == 200)
    }

    @Test func `a daemon that starts on them takes documents in, and answers once they are rebuilt`() async throws {
        try await withBench { bench throws in
            try Self.begin(bench)
            try Self.age(bench.database)
            let client = try bench.start().client()
            // From the first request on.
            #expect(try client.notify(try Self.signed(bench, 2)).position == 4)
            try Self.expectNoAnswers(bench, client)
            let posted = try client.post(transactions: [
                try bench.store.document(Sample.transaction("5603", purchased: .testNow.adding(days: -1)))
            ])
            #expect(posted["results"]?[0]?["safeToFinish"]?.boolean == true)
            #expect(posted["entitlements"] == .null)
            try Self.rebuild(bench.database)
            try wait(until: { try client.get("/readyz").status == 200 })
            for number in 1...3 {
                let known = try client.entitlements("transactionId=560\(number)&minPosition=5")
                #expect(known["entitlements"]?.items.count == 1, "\(known.text)")
            }
        }
    }

    @Test func `a daemon under which they change stops answering, and goes on once they are rebuilt`() async throws {
        try await withDaemon { bench, client throws in
            #expect(try client.notify(try Self.signed(bench, 1)).position == 2)
            // Asked twice, it is answered from memory.
            for _ in 1...2 {
                #expect(try client.entitlements("transactionId=5601&minPosition=2&waitMs=20000").status == 200)
            }
            try Self.age(bench.database)
            try wait(until: { try client.get("/readyz").status == 503 })
            try Self.expectNoAnswers(bench, client)
            // Nothing new has come when they are rebuilt.
            try Self.rebuild(bench.database)
            try wait(until: { try client.get("/readyz").status == 200 })
            let known = try client.entitlements("transactionId=5601")
            #expect(known.position == 2 && known["entitlements"]?.items.count == 1)
        }
    }

    @Test func `commands say so and end with 1, and rebuild mends it`() async throws {
        try await withBench { bench throws in
            try Self.begin(bench)
            try Self.age(bench.database)
            let path = try CommandLineTests.configure(bench)
            for command in [["refunds", "--period", "FY2026-05"], ["rebuild", "--verify"]] {
                let ended = try CommandLineTests.run([command[0], "--config", path] + command.dropFirst())
                #expect(ended.status == 1 && ended.output.isEmpty)
                #expect(ended.errors.contains(Self.sentence), "\(ended.errors)")
            }
            let mended = try CommandLineTests.run(["rebuild", "--config", path])
            #expect(mended.status == 0)
            #expect(
                mended.errors.contains(
                    "The projections were rebuilt at position 2 and are in use; the ones before had another shape."
                ),
                "\(mended.errors)"
            )
            #expect(try CommandLineTests.run(["rebuild", "--verify", "--config", path]).status == 0)
            #expect(try CommandLineTests.run(["refunds", "--period", "FY2026-05", "--config", path]).status == 0)
        }
    }
}
