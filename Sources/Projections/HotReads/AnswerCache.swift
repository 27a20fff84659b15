package import LedgerCore

/// Rendered answers by key, in a limited number of bytes; CLOCK chooses what makes room.
///
/// A plain store: what is still true of it, ``HotAnswers`` knows.
package struct AnswerCache {
    /// What was asked.
    package struct Key: Hashable, Sendable {
        package var environment: StoreEnvironment
        package var key: CustomerKey

        package init(_ key: CustomerKey, in environment: StoreEnvironment) {
            self.environment = environment
            self.key = key
        }
    }

    /// An answer, where it stood, and the instants that it is true for.
    package struct Entry: Sendable {
        package var answer: RenderedAnswer
        package var position: Position
        /// The instant that it was evaluated for.
        package var since: Instant
        /// The first instant that it need not be true for; nil: it is true for ever.
        package var until: Instant?

        package init(answer: RenderedAnswer, position: Position, since: Instant, until: Instant?) {
            self.answer = answer
            self.position = position
            self.since = since
            self.until = until
        }

        fileprivate func isTrue(at instant: Instant) -> Bool {
            instant >= since && (until.map { instant < $0 } ?? true)
        }
    }

    /// Why answers went, since the start.
    package struct Drops: Sendable, Hashable {
        /// An event touched what they depend on.
        package var touched = 0
        /// Others needed the room.
        package var evicted = 0
        /// Their time was over.
        package var expired = 0
        /// Everything was dropped.
        package var cleared = 0

        /// None.
        package init() {}

        /// Counts those of another cache too.
        package mutating func add(_ other: Drops) {
            touched += other.touched
            evicted += other.evicted
            expired += other.expired
            cleared += other.cleared
        }
    }

    /// What is needed when an answer goes.
    private struct Slot {
        var key: Key
        var bytes: Int
        var firstLink: Int32
    }

    /// An answer has at most this many tags; one with more is not kept.
    package static let tagsMax = 1024
    /// An answer takes at most this part of the cache.
    package static let partMax = 16
    /// What an answer takes besides its bytes, and each tag; both with the share of the tables they stand in, rounded up.
    static let entryBytes = 512
    static let tagBytes = 80

    /// The most bytes that all answers take together.
    package let bytesMax: Int
    /// The bytes that all answers take.
    package private(set) var bytes = 0
    package private(set) var drops = Drops()
    // Three arrays with the same places, so that a hit touches and copies nothing but its entry.
    private var entries: [Entry?] = []
    private var slots: [Slot?] = []
    /// Whether an answer was asked for since the clock's hand came by.
    private var isAskedFor: [Bool] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var tags = TagIndex()
    private var hand = 0

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The answers that are kept.
    package var count: Int { places.count }

    /// The answer to a key for an instant; one whose time is over is dropped.
    package mutating func entry(for key: Key, at instant: Instant) -> Entry? {
        guard let place = places[key], let entry = entries[place] else { return nil }
        if entry.isTrue(at: instant) {
            isAskedFor[place] = true
            return entry
        }
        remove(place)
        drops.expired += 1
        return nil
    }

    /// Keeps an answer in the place of an older one; one that takes too much is not kept.
    package mutating func insert(_ entry: Entry, for key: Key, tags: Set<AnswerTag>) {
        if let place = places[key] { remove(place) }
        let size = Self.entryBytes + entry.answer.members.count + tags.count * Self.tagBytes
        guard tags.count <= Self.tagsMax, size <= bytesMax / Self.partMax else { return }
        while bytes + size > bytesMax { evictOne() }
        let place = free.popLast() ?? addPlace()
        entries[place] = entry
        // Exactly its bytes: a writer leaves room behind them, as much again for a usual customer.
        entries[place]?.answer.members = entry.answer.members.withUnsafeBytes(Array.init)
        slots[place] = Slot(key: key, bytes: size, firstLink: self.tags.add(tags, slot: place))
        isAskedFor[place] = false
        places[key] = place
        bytes += size
    }

    /// Drops what depends on a tag and stands before a position.
    package mutating func drop(_ tag: AnswerTag, before position: Position) {
        for place in tags.slots(of: tag) {
            guard let entry = entries[place], entry.position < position else { continue }
            remove(place)
            drops.touched += 1
        }
    }

    /// Drops everything.
    package mutating func clear() {
        drops.cleared += places.count
        entries = []
        slots = []
        isAskedFor = []
        free = []
        places = [:]
        tags = TagIndex()
        bytes = 0
        hand = 0
    }

    private mutating func addPlace() -> Int {
        entries.append(nil)
        slots.append(nil)
        isAskedFor.append(false)
        return slots.count - 1
    }

    /// Drops the first answer under the clock's hand that nobody has asked for since it came by.
    private mutating func evictOne() {
        while true {
            let place = hand
            hand = (hand + 1) % slots.count
            guard slots[place] != nil else { continue }
            guard isAskedFor[place] else {
                remove(place)
                drops.evicted += 1
                return
            }
            isAskedFor[place] = false
        }
    }

    private mutating func remove(_ place: Int) {
        guard let slot = slots[place] else { return }
        tags.remove(from: slot.firstLink)
        places[slot.key] = nil
        entries[place] = nil
        slots[place] = nil
        free.append(place)
        bytes -= slot.bytes
    }
}
