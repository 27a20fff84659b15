import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// A daemon does not serve with more rights than it needs, unless it is told that nothing is at stake.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct ExcessRightsTests {
    /// The superuser of the tests' cluster.
    private static func setup(isDevelopment: Bool = false) -> DaemonSetup {
        var setup = DaemonSetup()
        setup.login = "ledgerd_test"
        setup.isDevelopment = isDevelopment
        return setup
    }

    private static func signed(_ bench: DaemonBench) throws -> [UInt8] {
        try bench.store.notification(Sample.notification(Sample.transaction("5601", purchased: .testNow)))
    }

    @Test func `a superuser's daemon ends before it serves`() async throws {
        try await withBench(Self.setup()) { bench throws in
            #expect(try bench.start().waitForRefusal()?.gravest == "it is a superuser")
        }
    }

    @Test func `serve ends with 2 and says why`() async throws {
        try await withBench(Self.setup()) { bench throws in
            let ended = try CommandLineTests.run(["serve", "--config", try CommandLineTests.configure(bench)])
            #expect(ended.status == 2)
            #expect(ended.errors.contains(#"The database login "ledgerd_test" may do more than append and read"#))
        }
    }

    @Test func `in development it serves`() async throws {
        try await withDaemon(Self.setup(isDevelopment: true)) { bench, client throws in
            #expect(try client.notify(try Self.signed(bench)).status == 200)
        }
    }

    @Test func `when the database comes later the daemon takes nothing, says why, and goes on once that is put right`()
        async throws
    {
        try await withBench { bench throws in
            try bench.database.execute("GRANT DELETE ON ledger.events TO PUBLIC")
            try bench.database.lockOut()
            let client = try bench.start().client()
            expectProblem(try client.notify(try Self.signed(bench)), 503, "storeUnavailable", retryable: true)
            try bench.database.letIn()
            try wait(until: {
                try client.get("/readyz")["problem"]?.text?.contains("the right DELETE on the table ledger.events")
                    == true
            })
            #expect(try client.get("/readyz").status == 503)
            let refused = expectProblem(
                try client.notify(try Self.signed(bench)),
                503,
                "storeUnavailable",
                retryable: true
            )
            #expect(refused == "The daemon has not found its database in order yet; /readyz tells why.")
            expectProblem(try client.entitlements("transactionId=5601"), 503, "storeUnavailable", retryable: true)
            #expect(try LedgerState(bench.database).isEmpty)
            try bench.database.execute("REVOKE DELETE ON ledger.events FROM PUBLIC")
            try wait(until: { try client.get("/readyz").status == 200 })
            #expect(try client.notify(try Self.signed(bench)).position == 2)
        }
    }
}
