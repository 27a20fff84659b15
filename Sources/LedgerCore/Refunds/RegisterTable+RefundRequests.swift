extension RegisterTable where Row == RefundRequestRow {
    /// `GET /v1/registers/refund-requests` (API.md, "Finance").
    ///
    /// Nothing answers requests yet, so the members of the answer are null.
    package static let refundRequests = RegisterTable([
        Column("notificationUUID") { .text($0.request.notificationID?.rawValue) },
        Column("transactionId") { .text($0.request.transactionID?.rawValue) },
        Column("originalTransactionId") { .text($0.request.originalTransactionID?.rawValue) },
        Column("appTransactionId") { .text($0.request.appTransactionID?.rawValue) },
        Column("appAccountToken") { .text($0.request.appAccountToken?.rawValue) },
        Column("webOrderLineItemId") { .text($0.subject?.webOrderLineItemID?.rawValue) },
        Column("bundleId") { .text($0.request.bundleID?.rawValue) },
        Column("productId") { .text($0.subject?.productID?.rawValue) },
        Column("type") { .text($0.subject?.type?.rawValue) },
        Column("quantity") { .integer($0.subject?.quantity) },
        Column("purchaseDate") { .instant($0.subject?.purchaseDate) },
        Column("price", form: .money) { .money($0.subject?.price) },
        Column("consumptionRequestReason") { .text($0.request.reason?.rawValue) },
        Column("requestedAt") { .instant($0.request.requestedAt) },
        Column("recordedAt") { .instant($0.request.recordedAt) },
        Column("position") { .integer($0.request.position.rawValue) },
        Column("deadline") { .instant($0.request.deadline) },
        Column("answer", form: .empty(["fields", "consent", "rule"])) { _ in .nothing },
        Column("outcome") { .text($0.outcome.kind.rawValue) },
        Column("outcomeAt") { .instant($0.outcome.happenedAt) },
        Column("outcomePosition") { .integer($0.outcome.position?.rawValue) },
        Column("refunded", form: .money) { .money($0.outcome.amount) },
    ])
}
