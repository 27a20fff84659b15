import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DurabilityTests {
    /// A cancelled wait for the standbys ends in a warning and success; taking that for durable would break the promise
    /// that acknowledged means confirmed.
    @Test func `a commit that no standby has confirmed is not reported as committed`() async throws {
        let cluster = try await offPool { try PrivateCluster() }
        try await offPool {
            let watcher = try Connection(cluster.configuration)
            try watcher.execute("CREATE TABLE item (id bigint)")
            let connection = try Connection(cluster.configuration)
            let process = try connection.query(LossTests.processID).int32(0, 0)
            try cluster.requireStandby("nobody")
            let canceller = connection.canceller
            let cancelling = Task {
                try await offPool {
                    try Connection(cluster.configuration).waitUntil(process, waitsFor: "SyncRep")
                    canceller.cancelRunningStatement()
                }
            }
            // The setting reaches the sessions before the process that makes commits wait, so the first can slip through.
            var error: PostgresError?
            while error == nil {
                do throws(PostgresError) { try connection.query(LossTests.insert, [.int8(1)]) } catch let caught {
                    error = caught
                }
            }
            #expect(
                error == .commitOutcomeUnknown(reason: "it is committed here, but no standby has confirmed it")
            )
            _ = cancelling
        }
        try await offPool { try cluster.remove() }
    }
}

extension PrivateCluster {
    /// Makes commits wait for a standby of this name, in new and running sessions; blocks until that is so.
    func requireStandby(_ name: String) throws {
        let connection = try Connection(configuration)
        // ALTER SYSTEM cannot stand in a script of several statements, which would be one transaction.
        try connection.execute("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
        try connection.execute("SELECT pg_reload_conf()")
        let setting = Statement(
            name: "setting",
            sql: "SELECT current_setting('synchronous_standby_names')",
            isReadOnly: true
        )
        while try connection.query(setting).text(0, 0) != name {}
    }
}
