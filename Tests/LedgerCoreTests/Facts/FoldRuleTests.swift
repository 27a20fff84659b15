import LedgerCore
import TestSupport
import Testing

/// What one event means for the facts (PROTOCOL.md 8.1, 8.2).
@Suite("Fold: rules")
struct FoldRuleTests {
    private let signed = Payload.sampleSignedDate
    private let line = FactKey(StoreEnvironment.production, OriginalTransactionID(rawValue: "100"))
    private let purchase = FactKey(StoreEnvironment.production, TransactionID(rawValue: "100"))

    private func fold(_ events: LedgerEvent...) -> FactSet {
        var facts = FactSet()
        for event in events { facts.fold(event) }
        return facts
    }

    @Test func `the rendering signed last is the truth`() {
        let old = event(
            .transaction,
            .transaction("100", ["revocationDate": 5, "signedDate": .integer(signed)]),
            at: 2
        )
        let new = event(.transaction, .transaction("100", ["signedDate": .integer(signed + 1)]), at: 1)
        let fact = fold(old, new).transactions[purchase]
        #expect(fact?.revocationDate == nil)
        #expect(fact?.rendering.position == Position(1))
        #expect(fact?.versions == 2)
        #expect(fact?.rendering.isTied == false)
    }

    @Test func `of two renderings signed in one millisecond the revoked one wins and the fact is flagged`() {
        let sound = event(.transaction, .transaction("100"), at: 1)
        let revoked = event(.transaction, .transaction("100", ["revocationDate": 5]), at: 2)
        for facts in [fold(sound, revoked), fold(revoked, sound)] {
            #expect(facts.transactions[purchase]?.revocationDate == Instant(milliseconds: 5))
            #expect(facts.transactions[purchase]?.rendering.isTied == true)
        }
    }

    @Test func `a later rendering takes the flag of a tie away`() {
        let tied = [event(.transaction, .transaction("100")), event(.transaction, .transaction("100", ["price": 1]))]
        let later = event(.transaction, .transaction("100", ["signedDate": .integer(signed + 1)]))
        #expect(fold(tied[0], later, tied[1]).transactions[purchase]?.rendering.isTied == false)
        #expect(fold(tied[0], tied[1], later).transactions[purchase]?.rendering.isTied == false)
        #expect(fold(tied[0], tied[1]).transactions[purchase]?.rendering.isTied == true)
    }

    @Test func `a missing token does not erase a known one`() {
        let facts = fold(
            event(.transaction, .transaction("100", ["appAccountToken": "AAAA"])),
            event(.transaction, .transaction("101", line: "100", ["purchaseDate": .integer(signed + 9)]))
        )
        #expect(facts.lines[line]?.appAccountToken?.rawValue == "aaaa")
    }

    @Test(arguments: [(1, "bbbb"), (-1, "aaaa"), (0, "bbbb")])
    func `a renewal info's token counts from its signing`(_ later: Int64, _ expected: String) {
        let facts = fold(
            event(.transaction, .transaction("100", ["appAccountToken": "aaaa"])),
            event(
                .renewalInfo,
                .renewalInfo(line: "100", ["appAccountToken": "bbbb", "signedDate": .integer(signed + later)])
            )
        )
        #expect(facts.lines[line]?.appAccountToken?.rawValue == expected)
    }

    @Test func `a re-signed old purchase does not bring its old token back`() {
        let facts = fold(
            event(
                .transaction,
                .transaction("100", ["appAccountToken": "aaaa", "signedDate": .integer(signed + 1_000_000)])
            ),
            event(
                .transaction,
                .transaction("101", line: "100", ["appAccountToken": "bbbb", "purchaseDate": .integer(signed)])
            )
        )
        #expect(facts.lines[line]?.appAccountToken?.rawValue == "bbbb")
    }

    @Test func `a customer's identifier from a newer document fills a line that lacked one`() {
        let facts = fold(
            event(.transaction, .transaction("100", ["appTransactionId": nil, "signedDate": .integer(signed + 9)])),
            event(.renewalInfo, .renewalInfo(line: "100", ["appTransactionId": "70"]))
        )
        #expect(facts.lines[line]?.appTransactionID?.value.rawValue == "70")
    }

    @Test func `the status of the notification signed last is kept, and sets nothing else`() {
        func notification(_ status: Int64, _ signedDate: Int64) -> LedgerEvent {
            var event = event(
                .notification,
                .notification("a", ["status": .integer(status)], ["signedDate": .integer(signedDate)])
            )
            event.originalTransactionID = line.id
            return event
        }
        let facts = fold(notification(5, signed), notification(1, signed - 1))
        #expect(facts.lines[line]?.appleStatus == Register(rank: Instant(milliseconds: signed), value: 5))
        #expect(facts.transactions.isEmpty && facts.renewals.isEmpty)
    }

    @Test func `the first signing of a withdrawn consent counts, also one in a conflicting notification`() {
        func notification(_ kind: EventKind, _ signedDate: Int64) -> LedgerEvent {
            var event = event(
                kind,
                .notification(
                    "a",
                    part: "appData",
                    [:],
                    ["notificationType": "RESCIND_CONSENT", "signedDate": .integer(signedDate)]
                )
            )
            event.appTransactionID = AppTransactionID(rawValue: "70")
            return event
        }
        let facts = fold(notification(.notification, signed), notification(.conflict, signed - 7))
        #expect(facts.consents.values.map(\.rescindedAt.milliseconds) == [signed - 7])
    }

    @Test(arguments: EventKind.allCases.filter { $0.rawValue > 5 })
    func `an event of our own carries no facts`(_ kind: EventKind) {
        #expect(fold(event(kind, .transaction("100"))).members.isEmpty)
    }

    @Test func `an event about no environment carries no facts`() {
        #expect(fold(event(.transaction, .transaction("100"), in: nil)).members.isEmpty)
    }

    @Test(arguments: ["signedDate", "transactionId", "originalTransactionId"])
    func `a transaction without its identity or signing time carries no facts`(_ member: String) {
        #expect(fold(event(.transaction, .transaction("100", [member: nil]))).members.isEmpty)
    }

    @Test(arguments: ["", "null", "[]", "{", #"{"transactionId":7}"#, #"{"transactionId":"a\u0000b"}"#])
    func `a payload that cannot be read carries no facts`(_ payload: String) {
        for kind in [EventKind.transaction, .renewalInfo, .appTransaction, .notification] {
            var event = event(kind, .transaction("100"))
            event.payload = Array(payload.utf8)
            event.originalTransactionID = line.id
            #expect(fold(event).members.isEmpty)
        }
    }

    @Test func `the same identifiers in two environments are two facts`() {
        let facts = fold(
            event(.transaction, .transaction("100"), in: .production),
            event(.transaction, .transaction("100", ["revocationDate": 5]), in: .sandbox)
        )
        #expect(facts.transactions[purchase]?.revocationDate == nil)
        #expect(facts.transactions.count == 2 && facts.lines.count == 2)
        #expect(facts.transactions[purchase]?.versions == 1)
    }

    @Test func `unknown values stay as they came`() {
        let facts = fold(
            event(
                .transaction,
                .transaction(
                    "100",
                    [
                        "type": "Future", "inAppOwnershipType": "LEASED", "revocationType": "NEW",
                        "revocationReason": 17, "revocationPercentage": 250_000, "revocationDate": 5,
                    ]
                )
            )
        )
        let fact = facts.transactions[purchase]
        #expect(fact?.type == .unknown("Future"))
        #expect(fact?.ownershipType == .unknown("LEASED"))
        #expect(fact?.revocationType == .unknown("NEW"))
        #expect(fact?.revocationReason == .unknown(17))
        #expect(fact?.revocationPercentage == Percentage(250_000))
    }
}
