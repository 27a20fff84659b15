import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// Values that no store should send are kept as they came and flagged, and break no sum, no stream and no total
/// (docs/finance.md, "Values that cannot be").
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct AbsurdAmountsTests {
    /// A refund with absurd members, and what its entry says: amount, basis, flags.
    private struct Case {
        var changes: KeyValuePairs<String, JSONValue?>
        var amount: JSONValue
        var basis: String
        var flags: [JSONValue]
    }

    private static let purchased = Instant(milliseconds: 1_767_225_600_000)  // 2026-01-01
    private static let refundedOn = purchased.adding(days: 40)  // 2026-02-10

    private static let cases: [Case] = [
        Case(
            changes: ["revocationPercentage": 250_000],
            amount: .null,
            basis: "unknown",
            flags: ["percentageOutOfRange"]
        ),
        Case(changes: ["revocationPercentage": -1], amount: .null, basis: "unknown", flags: ["percentageOutOfRange"]),
        Case(changes: ["currency": nil], amount: .null, basis: "unknown", flags: ["priceUnknown"]),
        Case(changes: ["price": nil], amount: .null, basis: "unknown", flags: ["priceUnknown"]),
        Case(changes: ["price": nil, "currency": nil], amount: .null, basis: "unknown", flags: ["priceUnknown"]),
        Case(changes: ["price": -9990], amount: .null, basis: "unknown", flags: ["priceUnknown"]),
        // Three decimals and none: milliunits all the same.
        Case(
            changes: ["price": 3_125, "currency": "KWD", "revocationPercentage": 33_333],
            amount: ["currency": "KWD", "milliunits": 1042],
            basis: "price×percentage",
            flags: []
        ),
        Case(
            changes: ["price": 12_000_000, "currency": "KRW", "revocationPercentage": 50_000],
            amount: ["currency": "KRW", "milliunits": 6_000_000],
            basis: "price×percentage",
            flags: []
        ),
        Case(
            changes: ["price": 1_000_000_000_000_000, "currency": "IDR"],
            amount: ["currency": "IDR", "milliunits": 1_000_000_000_000_000],
            basis: "price×percentage",
            flags: []
        ),
        Case(
            changes: ["price": .integer(.max), "currency": "VND"],
            amount: ["currency": "VND", "milliunits": .integer(.max)],
            basis: "price×percentage",
            flags: []
        ),
        Case(
            changes: ["price": .integer(.max), "currency": "VND", "revocationPercentage": 99_999],
            amount: ["currency": "VND", "milliunits": 9_223_279_803_134_407_259],
            basis: "price×percentage",
            flags: []
        ),
        Case(
            changes: ["price": 0],
            amount: ["currency": "USD", "milliunits": 0],
            basis: "price×percentage",
            flags: []
        ),
    ]

    private static func id(_ index: Int) -> String { "5804\(10 + index)" }

    private static func send(_ bench: DaemonBench, _ client: DaemonClient) throws -> Int64 {
        var last: Int64 = 0
        for (index, item) in cases.enumerated() {
            let sold = Sample.transaction(id(index), product: "com.example.coins.500", purchased: purchased)
                .with(["type": "Consumable"])
            let refund = Sample.notification(
                sold.refunded(at: refundedOn, type: "REFUND_PRORATED").with(item.changes),
                type: "REFUND"
            )
            let answer = try client.notify(try bench.store.notification(refund))
            #expect(answer.status == 200, "\(index): \(answer.text)")
            last = try #require(answer.position)
        }
        return last
    }

    private static func get(_ target: String, after position: Int64, _ client: DaemonClient) throws -> Answer {
        let answer = try client.get("\(target)&minPosition=\(position)&waitMs=20000")
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test func `refunds of them are kept, flagged, and in no sum that they do not belong to`() async throws {
        try await withDaemon { bench, client in
            let last = try Self.send(bench, client)
            let window = "/v1/registers/refunds?period=FY2026-05"
            let answer = try Self.get(window, after: last, client)
            let items = answer["items"]?.items ?? []
            #expect(items.count == Self.cases.count)
            for (index, item) in Self.cases.enumerated() {
                let entry = items.first { $0["transactionId"]?.text == Self.id(index) }
                #expect(entry?["amount"] == item.amount && entry?["amountBasis"]?.text == item.basis, "\(index)")
                #expect(entry?["flags"]?.items == item.flags, "\(index)")
            }
            // As it came.
            let kept = items.map { $0["revocationPercentage"]?.integer }
            #expect(kept.contains(250_000) && kept.contains(-1))
            let totals = try #require(answer["totals"])
            #expect(totals["refunds"] == .integer(Int64(Self.cases.count)) && totals["unknownAmounts"] == 6)
            // The sum of the two in VND is past 64 bits.
            let sums = answer.text.split(separator: #""milliunits":"#).dropFirst().map { $0.prefix { $0.isNumber } }
            #expect(sums.contains("18446651839989183066"))
            let lines = try Self.get("\(window)&format=ndjson", after: last, client)
            #expect(lines.text.split(separator: "\n").count == Self.cases.count)
            let records = try Self.get("\(window)&format=csv", after: last, client).text.split(separator: "\r\n")
            #expect(records.count == Self.cases.count + 1)
            let fields = records.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            #expect(Set(fields).count == 1)
            // A replay from nothing has them all.
            let body = #"{"register":"refunds","period":"FY2026-05","knownAt":[0,null]}"#
            let replay = try client.send("POST", "/v1/replays", body: body)
            #expect(replay["entries"]?.items.count == Self.cases.count)
            #expect(replay["difference"]?["unknownAmounts"] == 6)
        }
    }

    @Test func `purchases at them are rows, and those without a usable price are counted and flagged`() async throws {
        try await withDaemon { bench, client in
            let last = try Self.send(bench, client)
            let answer = try Self.get("/v1/registers/purchases?from=2026-01-01T00:00:00Z", after: last, client)
            let items = answer["items"]?.items ?? []
            #expect(items.count == Self.cases.count && answer["totals"]?["unknownAmounts"] == 4)
            let flagged = items.filter { $0["flags"]?.items == ["priceUnknown"] }.compactMap {
                $0["transactionId"]?.text
            }
            #expect(flagged == (2...5).map(Self.id))
            #expect(items.filter { $0["price"] == .null }.count == 4)
            let currencies = answer["totals"]?["byCurrency"]?.items.compactMap { $0["currency"]?.text }
            #expect(currencies == ["IDR", "KRW", "KWD", "USD", "VND"])
            #expect(answer.text.contains(#""milliunits":18446744073709551614"#))
        }
    }
}
