import LedgerCore
import TestSupport
import Testing

@testable import Projections

/// The store of rendered answers: its limit, its clock and its tags, against a naive one.
@Suite("Answer cache") struct AnswerCacheTests {
    private static func key(_ number: Int) -> AnswerCache.Key {
        AnswerCache.Key(.transactionID(TransactionID(rawValue: "\(number)")), in: .production)
    }

    private static func tag(_ number: Int) -> AnswerTag {
        AnswerTag(.originalTransactionID(OriginalTransactionID(rawValue: "\(number)")), .production)
    }

    private static func entry(
        _ size: Int = 1000,
        at position: Int64 = 1,
        since: Int64 = 0,
        until: Int64? = nil
    ) -> AnswerCache.Entry {
        AnswerCache.Entry(
            answer: RenderedAnswer(members: Array(repeating: 32, count: size), entityTag: "", nextChangeAt: nil),
            position: Position(position),
            since: Instant(milliseconds: since),
            until: until.map(Instant.init(milliseconds:))
        )
    }

    private static let now = Instant(milliseconds: 0)

    @Test func `random insertions, drops and look-ups give what a dictionary gives, within the limit`() {
        let seed = UInt64.random(in: .min ... .max)
        print("answer cache: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var cache = AnswerCache(bytesMax: 40_000)
        // What may be there at most: an answer goes by itself only for want of room.
        var model: [AnswerCache.Key: (position: Int64, tags: Set<AnswerTag>)] = [:]
        var hits = 0
        for step in 0..<20_000 {
            let key = Self.key(Int.random(in: 0..<120, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let tags = Set(
                    (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                        Self.tag(Int.random(in: 0..<40, using: &random))
                    }
                )
                let position = Int64.random(in: 0..<100, using: &random)
                cache.insert(
                    Self.entry(Int.random(in: 0..<2000, using: &random), at: position),
                    for: key,
                    tags: tags
                )
                model[key] = (position, tags)
            case 1:
                let (tag, position) = (
                    Self.tag(Int.random(in: 0..<40, using: &random)), Int64.random(in: 0..<100, using: &random)
                )
                cache.drop(tag, before: Position(position))
                model = model.filter { !$0.value.tags.contains(tag) || $0.value.position >= position }
            default:
                let found = cache.entry(for: key, at: Self.now)
                #expect(found == nil || found?.position.rawValue == model[key]?.position, "seed \(seed), step \(step)")
                hits += found == nil ? 0 : 1
            }
            #expect(cache.bytes <= cache.bytesMax, "seed \(seed), step \(step)")
        }
        #expect(hits > 1000 && cache.drops.touched > 100 && cache.drops.evicted > 100, "seed \(seed)")
        cache.clear()
        #expect(cache.bytes == 0 && cache.count == 0)
    }

    @Test func `with room for all, nothing is lost`() {
        var cache = AnswerCache(bytesMax: 1 << 20)
        for number in 0..<500 { cache.insert(Self.entry(at: Int64(number)), for: Self.key(number), tags: []) }
        for number in 0..<500 {
            #expect(cache.entry(for: Self.key(number), at: Self.now)?.position == Position(Int64(number)))
        }
        #expect(cache.drops == AnswerCache.Drops())
    }

    @Test func `an answer that is asked for stays while others come and go`() {
        var cache = AnswerCache(bytesMax: 64 * 1024)
        cache.insert(Self.entry(), for: Self.key(0), tags: [])
        for number in 1..<1000 {
            #expect(cache.entry(for: Self.key(0), at: Self.now) != nil)
            cache.insert(Self.entry(), for: Self.key(number), tags: [])
        }
        #expect(cache.entry(for: Self.key(0), at: Self.now) != nil)
        #expect(cache.drops.evicted == 1000 - cache.count)
    }

    @Test func `an answer is found between its two instants, and dropped outside them`() {
        for (instant, isFound) in [(Int64(9), false), (10, true), (19, true), (20, false)] {
            var cache = AnswerCache(bytesMax: 1 << 20)
            cache.insert(Self.entry(since: 10, until: 20), for: Self.key(1), tags: [])
            let found = cache.entry(for: Self.key(1), at: Instant(milliseconds: instant))
            #expect((found != nil) == isFound, "at \(instant)")
            #expect(cache.count == (isFound ? 1 : 0) && cache.drops.expired == (isFound ? 0 : 1))
        }
    }

    @Test func `what takes more than its part, or has too many tags, is not kept, and what it replaces goes`() {
        var cache = AnswerCache(bytesMax: 1 << 20)
        cache.insert(Self.entry(), for: Self.key(1), tags: [])
        cache.insert(Self.entry(cache.bytesMax / AnswerCache.partMax), for: Self.key(1), tags: [])
        #expect(cache.count == 0)
        cache.insert(Self.entry(), for: Self.key(1), tags: [])
        cache.insert(Self.entry(0), for: Self.key(1), tags: Set((0...AnswerCache.tagsMax).map(Self.tag)))
        #expect(cache.count == 0 && cache.bytes == 0)
    }

    @Test func `a cache of nothing keeps nothing`() {
        var cache = AnswerCache(bytesMax: 0)
        cache.insert(Self.entry(0), for: Self.key(1), tags: [])
        #expect(cache.count == 0)
    }

    @Test func `keys and tags of different kinds and environments are different`() {
        let keys: [CustomerKey] = [
            .appTransactionID(AppTransactionID(rawValue: "1")),
            .originalTransactionID(OriginalTransactionID(rawValue: "1")),
            .appAccountToken(AppAccountToken(rawValue: "1")), .transactionID(TransactionID(rawValue: "1")),
        ]
        let environments: [StoreEnvironment] = [.production, .sandbox]
        let all = keys.flatMap { key in environments.map { (key, $0) } }
        #expect(Set(all.map { AnswerTag($0, $1) }).count == 8)
        #expect(Set(all.map { AnswerCache.Key($0, in: $1) }).count == 8)
    }
}
