/// A row of the register of refund requests: a request, its transaction, and what became of it.
package struct RefundRequestRow: Hashable, Sendable {
    /// The request.
    package var request: RefundRequest
    /// The transaction as a whole; nil when no rendering of it is known.
    package var subject: RegisterSubject?
    /// What became of it.
    package var outcome: RefundRequestOutcome

    /// The row of a request.
    /// - Parameters:
    ///   - request: the request.
    ///   - events: what is recorded of its transaction: renderings, requests and refusals, in any order.
    ///   - instant: only what was signed by then answers the request.
    package init(_ request: RefundRequest, among events: [LedgerEvent], at instant: Instant) {
        self.request = request
        let signed = events.filter { $0.signedAt.map { $0 <= instant } ?? false }
        let register = TransactionRegister(signed.lazy.compactMap { RegisterRendering($0) })
        subject = register.subject
        outcome = RefundRequestOutcome(
            of: request.requestedAt,
            entries: register.entries,
            refusals: signed.compactMap { event in
                guard event.kind == .notification, let signedAt = event.signedAt,
                    event.notificationType == NotificationType.refundDeclined.rawValue
                else { return nil }
                return RefundRequestOutcome.Refusal(signedAt: signedAt, position: event.position)
            },
            requests: signed.compactMap { RefundRequest($0)?.requestedAt }
        )
    }
}

/// How many requests of a selection had which outcome (`totals`).
package struct RefundRequestTotals: Hashable, Sendable {
    private var counts: [RefundRequestOutcome.Kind: Int] = [:]

    /// The totals of nothing.
    package init() {}

    /// Takes rows in.
    package mutating func add(_ rows: some Sequence<RefundRequestRow>) {
        for row in rows { counts[row.outcome.kind, default: 0] += 1 }
    }

    /// Writes `{"requests":n,"open":n,…}`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("requests", counts.values.reduce(0, +))
        for kind in RefundRequestOutcome.Kind.allCases {
            json.name(escaping: kind.rawValue)
            json.integer(counts[kind] ?? 0)
        }
        json.endObject()
    }
}
