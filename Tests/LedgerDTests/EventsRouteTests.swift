import EventStore
import JWS
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/events` and `/v1/events/{position}`: the log as it is.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct EventsRouteTests {
    static let purchased = Instant.testNow.adding(days: -3)
    static let token = "9c5bd2a0-4f6e-4c4b-9d0e-1a2b3c4d5e6f"

    /// Notifications with and without documents, of two customers, in both environments, and two documents alone: 12 events.
    private static func fill(_ bench: DaemonBench, _ client: DaemonClient) throws -> [JSONValue] {
        var sent: [[UInt8]] = []
        for number in 1...3 {
            let transaction = Sample.subscription(
                "56000\(number)",
                line: "5600\(number % 2)",
                customer: "7049\(number % 2)",
                purchased: purchased
            ).with([
                "appAccountToken": .string(token.uppercased()),
                "environment": number == 3 ? "Sandbox" : "Production",
            ])
            sent.append(
                try bench.store.notification(
                    Sample.notification(
                        transaction,
                        Sample.renewal(transaction, signed: purchased.adding(milliseconds: Int64(number))),
                        type: "DID_RENEW",
                        subtype: "BILLING_RECOVERY"
                    )
                )
            )
        }
        sent.append(try bench.store.notification(Sample.notification(type: "TEST")))
        for document in sent { #expect(try client.notify(document).status == 200) }
        let lone = Sample.transaction("560009", customer: nil, purchased: purchased)
        #expect(try client.post(transactions: [try bench.store.document(lone)]).status == 200)
        let app = Sample.appTransaction(customer: "70490", created: purchased)
        #expect(try client.post(app: try bench.store.document(app)).status == 200)
        let all = try client.get("/v1/events")
        #expect(all.status == 200 && all.headers["content-type"] == "application/json")
        #expect(all.json.names == ["items", "next", "position"])
        #expect(all["next"] == .null && all.position == Int64(all["items"]?.items.count ?? 0))
        return all["items"]?.items ?? []
    }

    /// An item as API.md says, from the columns.
    private static func item(_ event: LedgerEvent) -> JSONValue {
        func text(_ value: (some TextIdentifier)?) -> JSONValue { value.map { .string($0.rawValue) } ?? .null }
        return [
            "position": .integer(event.position.rawValue), "kind": .string("\(event.kind.name)"),
            "environment": event.environment.map { .string($0.rawValue) } ?? .null,
            "bundleId": text(event.bundleID), "recordedAt": .string(event.recordedAt.rfc3339),
            "signedDate": event.signedAt.map { .string($0.rfc3339) } ?? .null,
            "source": .string("\(event.source.name)"),
            "notificationType": event.notificationType.map(JSONValue.string) ?? .null,
            "subtype": event.subtype.map(JSONValue.string) ?? .null,
            "notificationUUID": text(event.notificationID), "transactionId": text(event.transactionID),
            "originalTransactionId": text(event.originalTransactionID),
            "appTransactionId": text(event.appTransactionID),
            "causedBy": event.causedBy.map { .integer($0.rawValue) } ?? .null,
        ]
    }

    @Test func `a page is the log, and pages of any size lead through all of it`() async throws {
        try await withDaemon { bench, client throws in
            let items = try Self.fill(bench, client)
            #expect(items == (try LedgerState(bench.database).events.map { Self.item($0.event) }))
            #expect(items.count == 12)
            // In a loop, because each case would cost a database and a daemon of its own.
            for limit in [1, 2, 5, items.count, 10_000] {
                var walked: [JSONValue] = []
                var rest = "?limit=\(limit)"
                while true {
                    let page = try client.get("/v1/events\(rest)")
                    let pageItems = page["items"]?.items ?? []
                    #expect(page.status == 200 && page.position == Int64(items.count))
                    #expect(pageItems.count <= limit && !pageItems.isEmpty)
                    walked += pageItems
                    guard let next = page["next"]?.text else { break }
                    rest = "?limit=\(limit)&cursor=\(next)"
                }
                #expect(walked == items, "limit \(limit)")
            }
            let middle = try client.get("/v1/events?after=5")
            #expect(middle["items"]?.items == Array(items[5...]))
            for after in [Int64(items.count), 1_000_000, .max] {
                let end = try client.get("/v1/events?after=\(after)")
                #expect(end["items"] == [] && end["next"] == .null && end.position == Int64(items.count))
            }
        }
    }

    @Test func `NDJSON is one item a line, by format or by Accept`() async throws {
        try await withDaemon { bench, client throws in
            let items = try Self.fill(bench, client)
            let byAccept = try client.send(
                "GET",
                "/v1/events?after=2&limit=7",
                headers: ["Accept: application/x-ndjson"]
            )
            let byFormat = try client.get("/v1/events?after=2&limit=7&format=ndjson")
            for answer in [byAccept, byFormat] {
                #expect(answer.status == 200 && answer.headers["content-type"] == "application/x-ndjson")
                #expect(answer.body.last == UInt8(ascii: "\n"))
                let lines = answer.body.split(separator: UInt8(ascii: "\n"))
                #expect(try lines.map { try JSONReader.value(of: Array($0)) } == Array(items[2..<9]))
            }
            // `format` wins.
            let json = try client.send(
                "GET",
                "/v1/events?format=json",
                headers: ["Accept: application/x-ndjson"]
            )
            #expect(json["items"]?.items == items)
            #expect(try client.get("/v1/events?after=12&format=ndjson").body.isEmpty)
        }
    }

    @Test func `each filter keeps what it names, at its position`() async throws {
        try await withDaemon { bench, client throws in
            let items = try Self.fill(bench, client)
            let events = try LedgerState(bench.database).events.map(\.event)
            let filters: [(String, (LedgerEvent) -> Bool)] = [
                ("kind=renewalInfo", { $0.kind == .renewalInfo }), ("kind=catalog", { $0.kind == .catalog }),
                ("environment=Sandbox", { $0.environment == .sandbox }),
                ("environment=Production", { $0.environment == .production }),
                ("transactionId=560002", { $0.transactionID?.rawValue == "560002" }),
                ("originalTransactionId=56001", { $0.originalTransactionID?.rawValue == "56001" }),
                ("appTransactionId=70490", { $0.appTransactionID?.rawValue == "70490" }),
                ("appAccountToken=\(Self.token.uppercased())", { $0.appAccountToken?.rawValue == Self.token }),
                (
                    "originalTransactionId=56001&kind=transaction&environment=Production",
                    {
                        $0.originalTransactionID?.rawValue == "56001" && $0.kind == .transaction
                            && $0.environment == .production
                    }
                ), ("transactionId=unknown", { _ in false }),
            ]
            for (query, passes) in filters {
                let expected = zip(items, events).filter { passes($0.1) }.map(\.0)
                if !query.hasSuffix("unknown"), !query.hasSuffix("catalog") { #expect(!expected.isEmpty, "\(query)") }
                let page = try client.get("/v1/events?\(query)")
                #expect(page["items"]?.items == expected, "\(query)")
                #expect(page["next"] == .null && page.position == Int64(items.count))
                let first = try client.get("/v1/events?\(query)&limit=1")
                #expect(first["items"]?.items == Array(expected.prefix(1)), "\(query)")
                if let next = first["next"]?.text {
                    let rest = try client.get("/v1/events?\(query)&cursor=\(next)")
                    #expect(rest["items"]?.items == Array(expected.dropFirst()), "\(query)")
                }
            }
        }
    }

    @Test func `what cannot be meant is refused with the name of the parameter`() async throws {
        try await withDaemon { _, client throws in
            let refused = [
                ("after=-1", "after"), ("after=x", "after"), ("after=", "after"), ("after=1.5", "after"),
                ("after=9223372036854775808", "after"), ("cursor=later", "cursor"), ("cursor=1&after=1", "cursor"),
                ("limit=0", "limit"), ("limit=10001", "limit"), ("format=csv", "format"), ("kind=refund", "kind"),
                ("environment=Xcode", "environment"), ("appAccountToken=7", "appAccountToken"),
                ("transactionId=", "transactionId"),
                ("originalTransactionId=\(String(repeating: "1", count: 513))", "originalTransactionId"),
            ]
            for (query, name) in refused {
                let detail = expectProblem(try client.get("/v1/events?\(query)"), 400, "malformed")
                #expect(detail.contains("\"\(name)\""), "\(query): \(detail)")
            }
            for position in ["0", "-1", "x", "1.5", "9223372036854775808"] {
                expectProblem(try client.get("/v1/events/\(position)"), 400, "malformed")
            }
            expectProblem(try client.get("/v1/events/1"), 404, "eventNotFound")
            expectProblem(try client.get("/v1/events/1/other"), 404, "notFound")
            expectProblem(try client.send("POST", "/v1/events/1"), 405, "methodNotAllowed")
        }
    }

    @Test func `an event has all its columns, the document as it was received, and its leaf`() async throws {
        try await withDaemon { bench, client throws in
            let items = try Self.fill(bench, client)
            let texts = try LedgerState.receivedTexts(bench.database)
            let log = try LedgerState(bench.database).events
            for (index, stored) in log.enumerated() {
                let detail = try client.get("/v1/events/\(index + 1)")
                #expect(detail.status == 200)
                let jws = try #require(texts[index])
                #expect(detail["jws"]?.text == String(decoding: jws, as: UTF8.self))
                let segments = jws.split(separator: UInt8(ascii: "."))
                let payload = try #require(Base64.decode(segments[1], .url))
                #expect(detail["payload"] == (try JSONReader.value(of: payload)))
                #expect(detail["digest"]?.text == Array(SHA256Digest.of(payload).prefix(16)).hexadecimal)
                #expect(detail["documents"] == .array(stored.innerPositions.map { .integer($0.rawValue) }))
                #expect(
                    detail["appAccountToken"]
                        == (stored.event.appAccountToken.map { .string($0.rawValue) } ?? .null)
                )
                let leaf = CanonicalRecord.leafInput(
                    of: stored.event,
                    .signedDocument(sha256: SHA256Digest.of(jws))
                )
                let expected = Base64.encode(SHA256Digest.of(leaf), .standard)
                #expect(detail["leafHash"]?.text == String(decoding: expected, as: UTF8.self))
                for name in items[index].names { #expect(detail[name] == items[index][name], "\(name)") }
                #expect(detail.json.names.count == items[index].names.count + 6)
            }
        }
    }

    @Test func `the log needs a token for audit`() async throws {
        var setup = DaemonSetup()
        setup.requiresTokens = true
        try await withBench(setup) { bench throws in
            let connection = try bench.database.connect()
            defer { connection.close() }
            let tokens = try [[Scope.audit], [.read, .finance, .ingest]].map { scopes in
                let token = AccessToken()
                _ = try TokenStore(connection).add(token, name: "a test", scopes: scopes)
                return token.text
            }
            let client = try bench.start().client()
            try wait { try client.get("/v1/events", token: tokens[0]).status == 200 }
            for target in ["/v1/events", "/v1/events:stream", "/v1/events/1"] {
                expectProblem(try client.get(target), 401, "unauthorized")
                expectProblem(try client.get(target, token: tokens[1]), 403, "scopeMissing")
            }
            expectProblem(try client.get("/v1/events/1", token: tokens[0]), 404, "eventNotFound")
        }
    }
}
