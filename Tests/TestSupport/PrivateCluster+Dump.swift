import Foundation

/// A cluster's roles and one of its databases as SQL.
package struct ClusterDump: Sendable {
    /// By `pg_dumpall --roles-only`.
    fileprivate let roles: Data
    /// By `pg_dump`.
    fileprivate let database: Data
}

extension PrivateCluster {
    /// Dumps the roles and the database of ``configuration``.
    package func dump() throws -> ClusterDump {
        ClusterDump(
            roles: try run("dump-roles", capturesOutput: true),
            database: try run("dump", capturesOutput: true)
        )
    }

    /// Restores a dump into the database of ``configuration``, which must be empty.
    package func restore(_ dump: ClusterDump) throws {
        // The superuser is in every cluster already, so that its line fails; any other failure shows in the database's.
        try withFile(dump.roles) { try run("psql", ["--quiet", "--file", $0], capturesOutput: true) }
        try withFile(dump.database) { path in
            let strict = ["--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
            try run("psql", strict + ["--file", path], capturesOutput: true)
        }
    }

    private func withFile(_ content: Data, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "ledgerd-dump-\(UUID().uuidString).sql")
        try content.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path(percentEncoded: false))
    }
}
