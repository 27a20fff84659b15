import EventStore
import LedgerCore
import Projections
import Synchronization
import TestSupport
import Testing

@testable import LedgerD

/// Several daemons write into one ledger.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct ManyDaemonsTests {
    private static let daemonCount = 4
    private static let clientCount = 64
    private static let notificationCount = 2000
    private static let customerCount = 100

    /// Purchases and refunds of many customers; each document differs from all others.
    private static func notification(_ number: Int) -> JSONValue {
        let customer = number % customerCount
        let purchased = Instant.testNow.adding(milliseconds: -Int64(number) * 60_000)
        let transaction = Sample.subscription(
            "560\(number / 2)",
            line: "560\(customer / 2 * 2)",
            customer: "7049\(customer / 2)",
            purchased: purchased
        )
        let isRefund = number % 7 == 0
        return Sample.notification(isRefund ? transaction.refunded(at: .testNow) : transaction, type: "DID_RENEW")
    }

    /// What one posting got.
    private struct Receipt: Sendable {
        var number: Int
        var outcome: String?
        var position: Int64?
    }

    @Test func `positions have no hole, nothing is lost or twice, and the projections are a fold of the log`()
        async throws
    {
        try await withBench { bench throws in
            let daemons = try (0..<Self.daemonCount).map { _ in try bench.start() }
            let documents = try (0..<Self.notificationCount).map {
                try bench.store.notification(Self.notification($0))
            }
            let receipts = Mutex<[Receipt]>([])
            try concurrently(Self.clientCount) { thread in
                let client = try daemons[thread % Self.daemonCount].client()
                let other = try daemons[(thread + 1) % Self.daemonCount].client()
                var mine: [Receipt] = []
                for number in stride(from: thread, to: Self.notificationCount, by: Self.clientCount) {
                    // Each tenth is sent twice, the second time through another daemon.
                    for sender in number % 10 == 0 ? [client, other] : [client] {
                        let answer = try sender.notify(documents[number])
                        mine.append(
                            Receipt(number: number, outcome: answer["outcome"]?.text, position: answer.position)
                        )
                    }
                }
                receipts.withLock { $0 += mine }
            }
            let all = receipts.withLock { $0 }
            #expect(all.count == Self.notificationCount * 11 / 10)
            let byNumber = Dictionary(grouping: all, by: \.number)
            for (number, receipts) in byNumber {
                #expect(receipts.map(\.outcome) == (receipts.count == 2 ? ["recorded", "duplicate"] : ["recorded"]))
                #expect(Set(receipts.map(\.position)).count == 1, "notification \(number)")
            }
            let log = try LedgerState(bench.database)
            #expect(log.positions == Array(1...Int64(log.events.count)))
            let identities = log.events(of: .notification).compactMap(\.notificationID)
            #expect(identities.count == Self.notificationCount && Set(identities).count == identities.count)
            #expect(log.events(of: .transaction).count == Set(log.events(of: .transaction).map(\.digest)).count)
            #expect(log.events.map(\.event.recordedAt) == log.events.map(\.event.recordedAt).sorted())
            for item in all {
                #expect(item.position.map { log.events.indices.contains(Int($0) - 1) } == true)
            }
            try Self.compareProjections(log, daemons)
        }
    }

    /// Each customer's answer, by each daemon in turn, against one fold of the whole log.
    private static func compareProjections(_ log: LedgerState, _ daemons: [RunningDaemon]) throws {
        var facts = FactSet()
        for event in log.events { facts.fold(event.event) }
        let last = Position(Int64(log.events.count))
        let clients = try daemons.map { try $0.client() }
        for number in 0..<customerCount / 2 {
            let key = CustomerKey.appTransactionID(AppTransactionID(rawValue: "7049\(number)"))
            let context = AnswerContext(environment: .production, key: key, at: .testNow, position: last)
            let found = facts.customer(key, in: .production)
            let expected = CustomerAnswer(context: context, facts: found, catalog: .empty).entitlements
            let answer = try clients[number % clients.count].entitlements(
                "appTransactionId=7049\(number)&minPosition=\(last)&waitMs=20000"
            )
            #expect(try JSONReader.value(of: expected) == answer.json, "customer \(number)")
            #expect(answer["subscriptions"]?.items.isEmpty == false)
        }
    }
}
