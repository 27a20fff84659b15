import LedgerCore
import Synchronization

/// The chains that were checked lately, most recently used first, and the budget for checking new ones.
///
/// A hit saves two P-384 verifications (1.1 ms against 2 µs). Three rules keep hostile headers from doing harm:
/// the cache is bounded; an entry is only added once a document has verified with it, so headers that anybody can vary
/// never push out the App Store's; and chains of unknown headers are checked at a limited rate. A header whose entry
/// has expired is known, and its renewal costs no budget.
final class ChainCache: Sendable {
    private struct State {
        var entries: [SigningKeyEntry] = []
        var budget: MissBudget
    }

    private let state: Mutex<State>
    private let limits: VerifierLimits
    private let hits = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)
    private let denials = Atomic<Int>(0)

    init(limits: VerifierLimits) {
        self.limits = limits
        state = Mutex(State(budget: MissBudget(limits: limits)))
    }

    /// The outcome of a look-up: a miss says whether its chain may be checked now.
    enum Lookup {
        case hit(SigningKeyEntry)
        case miss
        case denied
    }

    /// Looks for the entry of a header segment; on a miss it spends one unit of the budget.
    func find(_ header: ArraySlice<UInt8>, at now: Instant) -> Lookup {
        let lookup = state.withLock { state -> Lookup in
            guard let index = state.entries.firstIndex(where: { $0.header.isEqual(to: header) }) else {
                return state.budget.spend(at: now) ? .miss : .denied
            }
            let entry = state.entries[index]
            guard now < entry.expiresAt else { return .miss }
            if index > 0 {
                state.entries.remove(at: index)
                state.entries.insert(entry, at: 0)
            }
            return .hit(entry)
        }
        switch lookup {
        case .hit: hits.wrappingAdd(1, ordering: .relaxed)
        case .miss: misses.wrappingAdd(1, ordering: .relaxed)
        case .denied: denials.wrappingAdd(1, ordering: .relaxed)
        }
        return lookup
    }

    /// Adds the entry of a header with which a document has verified, in the place of an older one.
    func insert(_ entry: SigningKeyEntry) {
        state.withLock { state in
            state.entries.removeAll { $0.header == entry.header }
            state.entries.insert(entry, at: 0)
            if state.entries.count > limits.cacheEntriesMax { state.entries.removeLast() }
        }
    }

    /// How the cache has done since it was made.
    var counters: ChainCacheCounters {
        ChainCacheCounters(
            hits: hits.load(ordering: .relaxed),
            misses: misses.load(ordering: .relaxed),
            denials: denials.load(ordering: .relaxed),
            entries: state.withLock { $0.entries.count }
        )
    }
}

/// How the chain cache has done.
package struct ChainCacheCounters: Hashable, Sendable {
    /// Documents whose chain was known.
    package let hits: Int
    /// Documents whose chain was checked: an unknown header, or one whose entry had expired.
    package let misses: Int
    /// Documents that were put off, because too many unknown headers came at once.
    package let denials: Int
    /// Chains that are kept now.
    package let entries: Int
}

/// How many chains of unknown headers may be checked: a token bucket over the verifier's clock.
struct MissBudget {
    private let burst: Int64
    private let perSecond: Int64
    /// Thousandths of a check that are left.
    private var thousandths: Int64
    private var filledAt: Instant?

    init(limits: VerifierLimits) {
        burst = Int64(limits.missBurstMax)
        perSecond = Int64(limits.missesPerSecondMax)
        thousandths = burst * 1_000
    }

    /// Takes one check, or says that none is left.
    ///
    /// A clock that steps back refills nothing.
    mutating func spend(at now: Instant) -> Bool {
        let elapsed = max(0, now.milliseconds &- (filledAt ?? now).milliseconds)
        filledAt = now
        // One thousandth a millisecond for each check per second; an hour fills any bucket.
        thousandths = min(burst * 1_000, thousandths + min(elapsed, 3_600_000) * perSecond)
        guard thousandths >= 1_000 else { return false }
        thousandths -= 1_000
        return true
    }
}
