import LedgerCore
import Testing

@testable import Projections

/// The rules of kept answers one by one, without a database.
@Suite("Rules of hot answers") struct HotAnswersRuleTests {
    private static let key = AnswerCache.Key(.transactionID(TransactionID(rawValue: "1")), in: .production)
    private static let now = Instant(milliseconds: 0)

    private static func look(
        _ position: Int64,
        tables: Int64 = 7,
        _ extent: LogTouches.Extent = .answers([])
    ) -> LogTouches {
        LogTouches(position: Position(position), tables: tables, extent: extent)
    }

    /// Followed up to 10, where the answer to the one key was looked up and kept.
    private static func hot() -> HotAnswers {
        var hot = HotAnswers(bytesMax: 1 << 20)
        hot.take(look(10))
        keep(in: &hot, at: 10, hot.ticket)
        return hot
    }

    private static func keep(in hot: inout HotAnswers, at position: Int64, _ ticket: HotAnswers.Ticket?) {
        let entry = AnswerCache.Entry(
            answer: RenderedAnswer(members: [], entityTag: "", nextChangeAt: nil),
            position: Position(position),
            since: now,
            until: nil
        )
        hot.keep(entry, for: key, tags: [AnswerTag(key.key, key.environment)], ticket)
    }

    private static func hitPosition(_ hot: inout HotAnswers, minPosition: Int64 = 0) -> Int64? {
        hot.answer(to: key, at: now, minPosition: Position(minPosition))?.position.rawValue
    }

    @Test func `an answer that nothing touches states how far the log was followed`() {
        var hot = Self.hot()
        #expect(Self.hitPosition(&hot) == 10)
        hot.take(Self.look(25))
        #expect(Self.hitPosition(&hot) == 25)
        #expect(Self.hitPosition(&hot, minPosition: 25) == 25)
        #expect(Self.hitPosition(&hot, minPosition: 26) == nil)
    }

    @Test func `an event that touches it drops it, unless it was looked up behind that event`() {
        let touch = LogTouches.Extent.answers([LogTouches.Touch(AnswerTag(Self.key.key, .production), at: Position(11))]
        )
        var hot = Self.hot()
        hot.take(Self.look(12, touch))
        #expect(Self.hitPosition(&hot) == nil)
        hot = Self.hot()
        Self.keep(in: &hot, at: 11, hot.ticket)
        hot.take(Self.look(12, touch))
        #expect(Self.hitPosition(&hot) == 12)
    }

    @Test func `what another loop has stated is not fallen behind`() {
        let stated = StatedPosition()
        var hot = HotAnswers(bytesMax: 1 << 20, stated: stated)
        var other = HotAnswers(bytesMax: 1 << 20, stated: stated)
        for position: Int64 in [10, 20] {
            hot.take(Self.look(position))
            if position == 10 { Self.keep(in: &hot, at: 10, hot.ticket) }
            #expect(Self.hitPosition(&hot) == position)
            let otherLooks = other.noteStated(Position(position + 5))
            #expect(otherLooks)
            #expect(Self.hitPosition(&hot) == nil)
        }
        hot.take(Self.look(25))
        #expect(Self.hitPosition(&hot) == 25)
        let looks = hot.noteStated(Position(25))
        #expect(!looks)
    }

    @Test(arguments: [
        look(12, .everything), look(12, tables: 8), look(9),
    ])
    func `other tables, a cursor that went back and what touches everything drop all, also what is under way`(
        _ touches: LogTouches
    ) {
        var hot = Self.hot()
        let ticket = hot.ticket
        hot.take(touches)
        #expect(hot.kept.count == 0 && hot.kept.drops.cleared == 1)
        Self.keep(in: &hot, at: 100, ticket)
        #expect(hot.kept.count == 0)
        Self.keep(in: &hot, at: 100, hot.ticket)
        #expect(Self.hitPosition(&hot) == 100)
    }

    @Test func `a look-up that stands before what was followed is not kept`() {
        var hot = Self.hot()
        let ticket = hot.ticket
        hot.take(Self.look(12, .everything))
        hot.take(Self.look(12))
        let later = hot.ticket
        #expect(ticket != later)
        Self.keep(in: &hot, at: 11, later)
        #expect(hot.kept.count == 0)
    }

    @Test func `without knowing what the log touches nothing is given or kept`() {
        var hot = Self.hot()
        let ticket = hot.ticket
        hot.lose()
        #expect(hot.ticket == nil && hot.kept.count == 0 && Self.hitPosition(&hot) == nil)
        Self.keep(in: &hot, at: 20, ticket)
        hot.take(Self.look(20))
        Self.keep(in: &hot, at: 20, ticket)
        #expect(hot.kept.count == 0)
    }

    @Test func `what was stated is not fallen short of`() {
        var hot = Self.hot()
        let asksForMore = [10, 15].map { hot.noteStated(Position($0)) }
        #expect(asksForMore == [false, true], "a look is made when the log has more")
        #expect(Self.hitPosition(&hot) == nil)
        hot.take(Self.look(14))
        #expect(Self.hitPosition(&hot) == nil)
        hot.take(Self.look(15))
        #expect(Self.hitPosition(&hot) == 15)
    }
}
