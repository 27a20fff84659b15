import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/registers/refund-requests` of a running daemon.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct RefundRequestsRouteTests {
    private static let route = "/v1/registers/refund-requests"
    private static let bought = Instant(milliseconds: 1_767_225_600_000)  // 2026-01-01
    private static func day(_ number: Int64) -> Instant { bought.adding(days: number) }

    private static func coins(_ id: String, customer: String = Sample.customer, signed: Instant) -> JSONValue {
        Sample.transaction(id, customer: customer, product: "com.example.coins.500", purchased: bought)
            .with(["type": "Consumable", "signedDate": .instant(signed)])
    }

    private static func request(_ transaction: JSONValue) -> JSONValue {
        let asked = Sample.notification(transaction, type: "CONSUMPTION_REQUEST")
        return asked.with(["data": (asked["data"] ?? .null).with(["consumptionRequestReason": "UNINTENDED_PURCHASE"])])
    }

    /// Sends notifications in their order.
    /// - Returns: the position that each reached.
    private static func send(
        _ notifications: [JSONValue],
        _ bench: DaemonBench,
        _ client: DaemonClient
    ) throws -> [Int64] {
        try notifications.map { notification in
            let answer = try client.notify(try bench.store.notification(notification))
            return try #require(answer.position, "\(answer.text)")
        }
    }

    private static func get(_ query: String, after position: Int64, _ client: DaemonClient) throws -> Answer {
        let answer = try client.get("\(route)?\(query)&minPosition=\(position)&waitMs=20000")
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test func `a request is a row with its deadline, and its outcome follows the facts and knownAt`() async throws {
        try await withDaemon { bench, client in
            let (asked, decided) = (
                Self.coins("570101", signed: Self.day(10)), Self.coins("570101", signed: Self.day(11))
            )
            let positions = try Self.send(
                [
                    Self.request(asked), Sample.notification(decided, type: "REFUND_DECLINED"),
                    Sample.notification(decided.refunded(at: Self.day(12)), type: "REFUND"),
                    Sample.notification(Self.coins("570101", signed: Self.day(13)), type: "REFUND_REVERSED"),
                ],
                bench,
                client
            )
            let last = try #require(positions.last)
            let key = "transactionId=570101"
            let answer = try Self.get(key, after: last, client)
            let row = try #require(answer["items"]?[0])
            #expect(answer["items"]?.items.count == 1 && answer["next"] == .null && answer.position == last)
            #expect(row["transactionId"] == "570101" && row["appTransactionId"] == .string(Sample.customer))
            #expect(row["consumptionRequestReason"] == "UNINTENDED_PURCHASE" && row["type"] == "Consumable")
            #expect(row["price"] == ["currency": "USD", "milliunits": 9990])
            #expect(row["requestedAt"] == "2026-01-11T00:00:00.000Z" && row["deadline"] == "2026-01-11T12:00:00.000Z")
            #expect(row["answer"] == ["fields": .null, "consent": .null, "rule": .null])
            #expect(row["position"]?.integer == 1)
            // As it became known: open, declined, refunded, reversed.
            var told: [String] = []
            for position in positions {
                let page = try Self.get("\(key)&knownAt=\(position)", after: last, client)
                let outcome = page["items"]?[0]?["outcome"]?.text ?? ""
                #expect(page["totals"]?[outcome] == 1 && page["totals"]?["requests"] == 1)
                let refunded = page["items"]?[0]?["refunded"]?["milliunits"]?.integer
                told.append("\(outcome) \(refunded.map { "\($0)" } ?? "-")")
            }
            #expect(told == ["open -", "declined -", "refunded 9990", "reversed 0"])
            #expect(row["outcome"] == "reversed" && row["outcomeAt"] == "2026-01-14T00:00:00.000Z")
            // As far as it was signed.
            let at = try Self.get("\(key)&at=\(Self.day(12).milliseconds)", after: last, client)
            #expect(at["items"]?[0]?["outcome"] == "refunded")
            #expect(try Self.get("\(key)&knownAt=0", after: last, client)["items"] == [])
        }
    }

    @Test func `a window comes in pages that fit together, as lines and as records, and is filtered`() async throws {
        try await withDaemon { bench, client in
            let days: [Int64] = [14, 11, 13, 12, 11]
            let positions = try Self.send(
                days.enumerated().map { index, day in
                    Self.request(
                        Self.coins("5702\(index)", customer: "70499881234567021\(index)", signed: Self.day(day))
                    )
                } + [Sample.notification(Self.coins("57029", signed: Self.day(12)), type: "REFUND")],
                bench,
                client
            )
            let last = try #require(positions.last)
            let window = "from=2026-01-02T00:00:00Z&to=2026-01-15T00:00:00Z"
            var page = try Self.get("\(window)&limit=2", after: last, client)
            var ids = page["items"]?.items.compactMap { $0["transactionId"]?.text } ?? []
            _ = try Self.send([Self.request(Self.coins("57028", signed: Self.day(12)))], bench, client)
            while let next = page["next"]?.text {
                page = try Self.get("\(window)&limit=2&cursor=\(next)", after: last + 2, client)
                #expect(page.position == last && page["totals"]?["open"] == 4)
                ids += page["items"]?.items.compactMap { $0["transactionId"]?.text } ?? []
            }
            #expect(ids == ["57021", "57024", "57023", "57022"])
            let recorded = try Self.get(
                "basis=recordedAt&from=1970-01-01T00:00:00Z&knownAt=\(last)",
                after: last,
                client
            )
            let order = recorded["items"]?.items.compactMap { $0["transactionId"]?.text }
            #expect(order == ["57020", "57021", "57022", "57023", "57024"])
            let lines = try Self.get("\(window)&format=ndjson&knownAt=\(last)", after: last, client)
            #expect(lines.text.split(separator: "\n").count == 4)
            let records = try Self.get("\(window)&format=csv&knownAt=\(last)", after: last, client)
            let rows = records.text.split(separator: "\r\n")
            #expect(rows.count == 5 && rows[0].contains(",deadline,answerFields,answerConsent,answerRule,outcome,"))
            #expect(rows[1].contains(",2026-01-12T12:00:00.000Z,,,,open,"))
            for filter in ["productId=other", "currency=EUR", "bundleId=other", "period=FY2026-02"] {
                let none = try Self.get(filter, after: last, client)
                #expect(none["items"] == [] && none["totals"]?["requests"] == 0, "\(filter)")
            }
            #expect(try Self.get("productId=com.example.coins.500&currency=USD", after: last, client)["items"] != [])
        }
    }

    @Test(arguments: [("basis=revocationDate", "requestedAt, recordedAt"), ("cursor=abc", "cursor")])
    func `what cannot be asked is refused by name`(_ query: String, _ name: String) async throws {
        try await withDaemon { _, client in
            let answer = try client.get("\(Self.route)?\(query)")
            #expect(expectProblem(answer, 400, "malformed").contains(name))
        }
    }

    @Test func `a page of another register does not go on in this one`() async throws {
        try await withDaemon { bench, client in
            let sold = Self.coins("570301", signed: Self.day(10))
            let refunds = ["570301", "570302"].map {
                Sample.notification(Self.coins($0, signed: Self.day(10)).refunded(at: Self.day(11)), type: "REFUND")
            }
            let last = try #require(try Self.send([Self.request(sold)] + refunds, bench, client).last)
            let page = try client.get("/v1/registers/refunds?limit=1&minPosition=\(last)&waitMs=20000")
            let next = try #require(page["next"]?.text)
            expectProblem(try client.get("\(Self.route)?cursor=\(next)"), 400, "malformed")
        }
    }
}
