import EventStore
import Foundation
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// Versions of the catalog: events of the log, in force for their time, the same for all daemons.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct CatalogTests {
    /// The product's entitlement is called by this name.
    private static func naming(_ name: String) -> JSONValue {
        ["products": ["com.example.lifetime": ["entitlement": .string(name), "level": 1]]]
    }

    private static let key = "transactionId=560001"

    /// The name that a daemon gives the entitlement.
    private static func name(_ client: DaemonClient, _ rest: String = "") throws -> String? {
        try client.entitlements(key + rest)["entitlements"]?[0]?["entitlement"]?.text
    }

    private static func buy(_ bench: DaemonBench, _ client: DaemonClient) throws -> Int64 {
        let bought = Sample.transaction("560001", purchased: .testNow.adding(days: -100))
        let answer = try client.post(transactions: [try bench.store.document(bought)])
        return try #require(answer["results"]?[0]?["position"]?.integer)
    }

    /// The events of catalogs, once there are so many.
    private static func versions(_ count: Int, _ bench: DaemonBench) throws -> [LedgerEvent] {
        var found: [LedgerEvent] = []
        try wait {
            found = try LedgerState(bench.database).events(of: .catalog)
            return found.count >= count
        }
        return found
    }

    @Test func `a version is recorded once, whoever starts with it and however often`() async throws {
        var setup = DaemonSetup()
        setup.catalog = Self.naming("pro")
        try await withBench(setup) { bench throws in
            for _ in 0..<2 {
                let daemons = try (0..<3).map { _ in try bench.start() }
                for daemon in daemons {
                    let client = try daemon.client()
                    try wait { try client.get("/readyz").status == 200 }
                }
                for daemon in daemons { daemon.stop() }
            }
            let events = try LedgerState(bench.database).events
            #expect(events.count == 1)
            let event = try #require(events.first?.event)
            #expect(event.kind == .catalog && event.source == .operator && event.environment == nil)
            let catalog = try Catalog(json: event.payload)
            #expect(catalog.entry(for: ProductID(rawValue: "com.example.lifetime")).entitlement == "pro")
        }
    }

    @Test func `each version is in force for its time, for every daemon and on every route`() async throws {
        var setup = DaemonSetup()
        setup.catalog = Self.naming("first")
        try await withBench(setup) { bench throws in
            let (one, other) = (try bench.start(), try bench.start())
            let (client, otherClient) = (try one.client(), try other.client())
            let bought = try Self.buy(bench, client)
            let first = try #require(try Self.versions(1, bench).first)
            #expect(try Self.name(client, "&minPosition=\(bought)") == "first")
            _ = try bench.write("catalog.json", Self.naming("second").bytes)
            one.reloadCatalog()
            let second = try #require(try Self.versions(2, bench).last)
            #expect(second.position.rawValue == bought + 1)
            // Both times are the database's.
            bench.clock.now = second.recordedAt.adding(days: 1)
            for client in [client, otherClient] {
                let reached = "&minPosition=\(second.position)"
                #expect(try Self.name(client, reached) == "second")
                #expect(try Self.name(client, "&at=\(second.recordedAt.milliseconds)" + reached) == "second")
                // Before the first version, the first.
                #expect(try Self.name(client, "&at=\(second.recordedAt.milliseconds - 1)") == "first")
                #expect(try Self.name(client, "&at=\(first.recordedAt.milliseconds - 1)") == "first")
                // As it was known before the second one was recorded.
                #expect(try Self.name(client, "&knownAt=\(bought)") == "first")
                let batch = try client.send(
                    "POST",
                    BatchRouteTests.path,
                    body: #"{"keys":[{"transactionId":"560001"}],"minPosition":\#(second.position)}"#
                )
                #expect(batch["items"]?[0]?["set"]?["entitlements"]?[0]?["entitlement"]?.text == "second")
                let explained = try client.get("/v1/entitlements:explain?\(Self.key)\(reached)")
                #expect(
                    explained["products"]?[0]?["rules"]?.items.contains { $0["text"]?.text?.contains("second") == true }
                        == true
                )
            }
            // A daemon that starts with the older file brings it back.
            let third = try bench.start().client()
            let back = try #require(try Self.versions(3, bench).last)
            for client in [client, third] {
                bench.clock.now = back.recordedAt.adding(days: 1)
                #expect(try Self.name(client, "&minPosition=\(back.position)") == "first")
            }
        }
    }

    @Test func `a daemon without a file answers by the versions that others recorded`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            let bought = try Self.buy(bench, client)
            #expect(try Self.name(client, "&minPosition=\(bought)") == "com.example.lifetime")
            try bench.record(catalog: Self.naming("pro"))
            #expect(try Self.name(client, "&minPosition=\(bought + 1)") == "pro")
            // What is known at a position before the first version is judged by the first.
            #expect(try Self.name(client, "&knownAt=\(bought)") == "pro")
        }
    }

    @Test func `a file that cannot be read leaves the old version in force, and the log says why`() async throws {
        try await withBench { bench throws in
            let path = try bench.write("catalog.json", Self.naming("pro").bytes)
            let logPath = try bench.write("log", [])
            let handle = try #require(FileHandle(forWritingAtPath: logPath))
            let keeper = CatalogKeeper(path: path, catalog: nil, log: Log(descriptor: handle.fileDescriptor))
            _ = try bench.write("catalog.json", Array(#"{"products":{"a":{"units":0}}}"#.utf8))
            keeper.reload()
            let connection = try bench.database.connect()
            defer { connection.close() }
            try keeper.record(on: connection, progress: ProgressBoard())
            #expect(try LedgerState(bench.database).isEmpty)
            let line = try JSONReader.value(of: Array(Data(contentsOf: URL(filePath: logPath))))
            #expect(line["level"]?.text == "error")
            #expect(
                line["problem"]?.text
                    == "\(path): In the catalog, \"units\" of product \"a\" must be a whole number from 1 to 1000000000000."
            )
        }
    }
}
