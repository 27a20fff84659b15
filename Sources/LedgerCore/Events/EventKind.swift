/// What an event records (API.md, "Audit").
package enum EventKind: Int16, Hashable, Sendable, CaseIterable {
    case notification = 1
    case transaction = 2
    case renewalInfo = 3
    case appTransaction = 4
    /// A notification that reuses a known `notificationUUID` with other content: kept and flagged.
    case conflict = 5
    case catalog = 6
    case usage = 7
    case accountToken = 8
    case consent = 9
    case consumptionAnswer = 10

    package init(_ kind: DocumentKind) {
        self =
            switch kind {
            case .notification: .notification
            case .transaction: .transaction
            case .renewalInfo: .renewalInfo
            case .appTransaction: .appTransaction
            }
    }

    /// The kind of this name; nil for any other text.
    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { "\($0.name)" == name }) else { return nil }
        self = kind
    }

    /// The name in answers.
    package var name: StaticString {
        switch self {
        case .notification: "notification"
        case .transaction: "transaction"
        case .renewalInfo: "renewalInfo"
        case .appTransaction: "appTransaction"
        case .conflict: "conflict"
        case .catalog: "catalog"
        case .usage: "usage"
        case .accountToken: "accountToken"
        case .consent: "consent"
        case .consumptionAnswer: "consumptionAnswer"
        }
    }
}

/// Who brought a document to us first.
package enum EventSource: Int16, Hashable, Sendable, CaseIterable {
    case notification = 1
    case device = 2
    case api = 3
    case history = 4
    case `operator` = 5

    /// The name in answers (`detectedBy`).
    package var name: StaticString {
        switch self {
        case .notification: "notification"
        case .device: "device"
        case .api: "api"
        case .history: "history"
        case .operator: "operator"
        }
    }
}
