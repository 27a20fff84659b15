import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/registers/purchases` of a running daemon, of everybody and of one customer.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct PurchasesRouteTests {
    private static let route = "/v1/registers/purchases"
    private static let january = Instant(milliseconds: 1_767_225_600_000)  // 2026-01-01

    private static func subscription(_ id: String, day: Int64, orderLine: String? = nil) -> JSONValue {
        let document = Sample.subscription(
            id,
            customer: "7049988123456703\(id.suffix(2))",
            purchased: january.adding(days: day)
        )
        return orderLine.map { document.with(["webOrderLineItemId": .string($0)]) } ?? document
    }

    private static func post(_ documents: [JSONValue], _ bench: DaemonBench, _ client: DaemonClient) throws -> Int64 {
        let answer = try client.post(transactions: try documents.map { try bench.store.document($0) })
        return try #require(answer["results"]?.items.compactMap { $0["position"]?.integer }.max(), "\(answer.text)")
    }

    private static func get(_ query: String, after position: Int64, _ client: DaemonClient) throws -> Answer {
        let answer = try client.get("\(route)?\(query)&minPosition=\(position)&waitMs=20000")
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer["items"]?.items.compactMap { $0["transactionId"]?.text } ?? []
    }

    @Test func `a window comes in pages that fit together, with gross totals per currency`() async throws {
        try await withDaemon { bench, client in
            let shared = Self.subscription("560120", day: 3).with(["inAppOwnershipType": "FAMILY_SHARED"])
            let euros = Self.subscription("560114", day: 4).with(["currency": "EUR", "price": 1234])
            let last = try Self.post(
                [
                    Self.subscription("560112", day: 2), euros, Self.subscription("560113", day: 3), shared,
                    Self.subscription("560111", day: 1), Self.subscription("560115", day: 40),
                ],
                bench,
                client
            )
            // Refunds change nothing: the totals are gross. A device signs a purchase again.
            let later = try Self.post(
                [
                    Self.subscription("560112", day: 2).refunded(at: Self.january.adding(days: 20)),
                    Self.subscription("560111", day: 1).with(["signedDate": .instant(Self.january.adding(days: 30))]),
                ],
                bench,
                client
            )
            let window = "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z"
            var page = try Self.get("\(window)&limit=2", after: later, client)
            var ids = Self.ids(page)
            let newest = try Self.post([Self.subscription("560116", day: 1)], bench, client)
            while let next = page["next"]?.text {
                page = try Self.get("\(window)&limit=2&cursor=\(next)", after: newest, client)
                ids += Self.ids(page)
                let totals = try #require(page["totals"])
                #expect(page.position == later && totals["purchases"] == 4 && totals["unknownAmounts"] == 0)
                #expect(
                    totals["byCurrency"] == [
                        ["currency": "EUR", "milliunits": 1234, "purchases": 1],
                        ["currency": "USD", "milliunits": 29_970, "purchases": 3],
                    ]
                )
            }
            #expect(ids == ["560111", "560112", "560113", "560114"])
            // As known before the last document, in Apple's fiscal month, and by filters.
            #expect(Self.ids(try Self.get("knownAt=\(last)&\(window)", after: newest, client)) == ids)
            #expect(Self.ids(try Self.get("knownAt=1&\(window)", after: newest, client)) == ["560112"])
            #expect(Self.ids(try Self.get("period=FY2026-05&knownAt=\(last)", after: newest, client)) == ["560115"])
            #expect(Self.ids(try Self.get("\(window)&currency=EUR", after: newest, client)) == ["560114"])
            #expect(Self.ids(try Self.get("\(window)&productId=other", after: newest, client)) == [])
            #expect(Self.ids(try Self.get("\(window)&environment=Sandbox", after: newest, client)) == [])
        }
    }

    @Test func `by recording it comes in the order of the log, as lines and as records`() async throws {
        try await withDaemon { bench, client in
            let days: [Int64] = [9, 3, 6]
            let last = try Self.post(
                days.enumerated().map { Self.subscription("56022\($0)", day: $1) }
                    + [
                        Self.subscription("560220", day: 9).with(["signedDate": .instant(Self.january.adding(days: 10))]
                        )
                    ],
                bench,
                client
            )
            let basis = "basis=recordedAt&from=1970-01-01T00:00:00Z"
            let all = try Self.get(basis, after: last, client)
            #expect(Self.ids(all) == ["560220", "560221", "560222"])
            let first = try Self.get("\(basis)&limit=1", after: last, client)
            let next = try #require(first["next"]?.text)
            #expect(
                Self.ids(try Self.get("\(basis)&limit=5&cursor=\(next)", after: last, client)) == ["560221", "560222"]
            )
            let recorded = try #require(all["items"]?[0]?["recordedAt"]?.text)
            #expect(Self.ids(try Self.get("basis=recordedAt&to=\(recorded)", after: last, client)) == [])
            let lines = try Self.get("\(basis)&format=ndjson", after: last, client)
            #expect(lines.text.split(separator: "\n").count == 3)
            let records = try Self.get("\(basis)&format=csv", after: last, client).text.split(separator: "\r\n")
            #expect(records.count == 4 && records[0].contains(",priceMilliunits,priceCurrency,"))
            #expect(records[1].hasPrefix("560220,") && records[1].contains(",9990,USD,"))
            // One customer's, by the same basis.
            let key = "appTransactionId=704998812345670320"
            let own = try Self.get("\(key)&\(basis)", after: last, client)
            #expect(Self.ids(own) == ["560220"] && own["items"]?[0]?["recordedAt"]?.text == recorded)
            #expect(Self.ids(try Self.get("\(key)&basis=recordedAt&to=\(recorded)", after: last, client)) == [])
        }
    }

    @Test func `a payment seen under two transactions of a line is one row`() async throws {
        try await withDaemon { bench, client in
            let one = Self.subscription("560301", day: 5, orderLine: "77")
            let other = one.with(["transactionId": "560302", "purchaseDate": .instant(Self.january.adding(days: 6))])
            let last = try Self.post([other, one], bench, client)
            for query in ["from=2026-01-01T00:00:00Z", "basis=recordedAt", "appTransactionId=704998812345670301"] {
                let answer = try Self.get(query, after: last, client)
                #expect(Self.ids(answer) == ["560301"] && answer["totals"]?["purchases"] == 1, "\(query)")
            }
            // When only the other one was known.
            #expect(Self.ids(try Self.get("knownAt=1", after: last, client)) == ["560302"])
        }
    }
}
