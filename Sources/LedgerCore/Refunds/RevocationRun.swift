/// Consecutive renderings of one transaction, in the order of their signing, that say the same of its revocation.
struct RevocationRun {
    let reading: RevocationReading
    /// The one signed first.
    let first: RegisterRendering
    /// How the ledger came to know of it.
    private(set) var discovery: RegisterEntry.Discovery
    private(set) var flags: Set<RegisterFlag>

    private init(_ rendering: RegisterRendering, _ reading: RevocationReading) {
        self.reading = reading
        first = rendering
        discovery = RegisterEntry.Discovery(rendering)
        flags = reading.flags
    }

    /// The runs of renderings that stand in their order.
    ///
    /// Of those signed in one millisecond only the preferred one says anything.
    static func all(of renderings: [RegisterRendering]) -> [RevocationRun] {
        var runs: [RevocationRun] = []
        for (index, rendering) in renderings.enumerated() {
            let next = index + 1 < renderings.count ? renderings[index + 1] : nil
            if next?.signedAt == rendering.signedAt { continue }
            let isTied = index > 0 && renderings[index - 1].signedAt == rendering.signedAt
            let reading = RevocationReading(rendering)
            if let last = runs.last, last.reading.isSame(as: reading) {
                runs[runs.count - 1].discovery.note(rendering)
            } else {
                runs.append(RevocationRun(rendering, reading))
                if isTied { runs[runs.count - 1].flags.insert(.tied) }
            }
        }
        return runs
    }

    /// When it happened, by its documents.
    var date: Instant { first.fact.revocationDate ?? first.items?.newestDate ?? first.signedAt }
}

extension RevocationReading {
    /// Whether two readings are one state; what they are flagged with makes no difference, nor where the share is from.
    fileprivate func isSame(as other: RevocationReading) -> Bool {
        refund?.share == other.refund?.share && revocationClass == other.revocationClass
            && unitShare == other.unitShare
    }
}

extension RegisterEntry.Discovery {
    fileprivate init(_ rendering: RegisterRendering) {
        self.init(position: rendering.position, recordedAt: rendering.recordedAt, source: rendering.source)
    }

    fileprivate mutating func note(_ rendering: RegisterRendering) {
        if rendering.position < position { self = Self(rendering) }
    }
}
