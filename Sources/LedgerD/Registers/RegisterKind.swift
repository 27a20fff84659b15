import LedgerCore
import Projections

/// The registers that are served, one route each.
enum RegisterKind: String, Sendable, CaseIterable {
    case refunds, revocations, clawbacks, purchases
    case refundRequests = "refund-requests"

    /// The kinds of entries that it is made from; none for what is no entries.
    var entryKinds: Set<RegisterEntry.Kind> {
        switch self {
        case .refunds: [.refund, .reversal]
        case .revocations: [.revocation, .reinstatement]
        // A revocation without money can take units back too.
        case .clawbacks: Set(RegisterEntry.Kind.allCases)
        case .purchases, .refundRequests: []
        }
    }

    /// What a window of it can be about, the default first.
    var bases: [RegisterBasis] {
        switch self {
        case .refunds, .revocations, .clawbacks: [.revocationDate, .purchaseDate, .recordedAt]
        case .purchases: [.purchaseDate, .recordedAt]
        case .refundRequests: [.requestedAt, .recordedAt]
        }
    }

    /// Whether one of its pages can end at a place.
    func hasPages(endingAt place: RegisterCursor.Place) -> Bool {
        switch (self, place) {
        case (.refunds, .entry), (.revocations, .entry), (.clawbacks, .entry), (.refundRequests, .request),
            (.purchases, .purchase):
            true
        default: false
        }
    }
}

/// The forms in which a register is sent.
enum RegisterFormat: String, Sendable, CaseIterable {
    /// One object with a page of rows, totals, and where the next page begins.
    case json
    /// One row a line, all of them.
    case ndjson
    /// One row a record, all of them, after the names of the columns (RFC 4180).
    case csv

    /// The form of a request: `format` wins over `Accept`, which need not name one that there is.
    /// - Throws: the ``Problem`` that names the parameter.
    init(_ name: String?, accepting accept: String?) throws(Problem) {
        if let name {
            guard let format = RegisterFormat(rawValue: name) else {
                throw .malformed("The parameter \"format\" must be json, ndjson or csv.")
            }
            self = format
            return
        }
        let accept = accept?.lowercased() ?? ""
        if accept.contains("application/x-ndjson") {
            self = .ndjson
        } else {
            self = accept.contains("text/csv") ? .csv : .json
        }
    }

    /// Its name in HTTP.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        }
    }
}
