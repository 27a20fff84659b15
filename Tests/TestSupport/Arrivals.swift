package import LedgerCore

/// How the same events can come: in another order, some of them again and again, from other sources, in batches.
package struct Arrivals: Sendable {
    /// What a log that keeps each document once would hand to the projections, batch by batch.
    ///
    /// Each event keeps the position it had, so that what is folded from it can be compared byte by byte.
    package private(set) var batches: [[LedgerEvent]]

    package init(of events: [LedgerEvent], using random: inout SeededGenerator) {
        let again = events.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let coming = (events + again + again).shuffled(using: &random)
        var known: Set<DocumentDigest> = []
        let recorded = coming.filter { known.insert($0.digest).inserted }.map { event in
            var event = event
            event.source = EventSource.allCases.randomElement(using: &random) ?? event.source
            return event
        }
        batches = recorded.cut(into: 1...7, using: &random)
    }
}

extension FactSet {
    /// Folds each batch alone and merges the results, as followers do.
    package init(foldingEach batches: [[LedgerEvent]]) {
        self.init()
        for batch in batches {
            var facts = FactSet()
            for event in batch { facts.fold(event) }
            for member in facts.members { merge(member) }
        }
    }

    /// Every fact, one by one.
    package var members: [Member] {
        transactions.map { .transaction($1, $0.environment) } + renewals.map { .renewal($1, $0.environment) }
            + lines.map { .line($1, $0.environment) } + appTransactions.map { .appTransaction($1, $0.environment) }
            + consents.map { .consent($1, $0.environment) } + usages.map { .usage($1, $0.environment) }
    }

    /// The lines as the tables hold them, packed into bytes.
    package var packedLines: [FactKey<OriginalTransactionID>: [UInt8]] { lineFacts.mapValues(\.packed) }
}
