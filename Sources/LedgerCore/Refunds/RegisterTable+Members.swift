extension RegisterTable where Row == RegisterRow {
    /// `GET /v1/registers/refunds` (API.md, "Finance").
    package static let refunds = RegisterTable(
        beginning + statement + [
            Column("price", form: .money) { .money($0.entry.subject.price) },
            Column("amount", form: .money) { .money($0.entry.amount) },
            Column("amountBasis") { .text($0.entry.basis?.rawValue) },
        ] + detection + [Column("reverses") { .integer($0.entry.reverses?.rawValue) }] + ending
    )

    /// `GET /v1/registers/revocations`: the same shape without amounts, and the class.
    package static let revocations = RegisterTable(
        beginning + statement + [Column("revocationClass") { .text($0.entry.revocationClass?.rawValue) }] + detection
            + ending
    )

    private static let beginning: [Column] = [
        Column("entry") { .text($0.entry.kind.rawValue) },
        Column("transactionId") { .text($0.entry.subject.transactionID.rawValue) },
        Column("originalTransactionId") { .text($0.entry.subject.originalTransactionID.rawValue) },
        Column("appTransactionId") { .text($0.entry.subject.appTransactionID?.rawValue) },
        Column("appAccountToken") { .text($0.entry.subject.appAccountToken?.rawValue) },
        Column("webOrderLineItemId") { .text($0.entry.subject.webOrderLineItemID?.rawValue) },
        Column("bundleId") { .text($0.entry.subject.bundleID?.rawValue) },
        Column("productId") { .text($0.entry.subject.productID?.rawValue) },
        Column("type") { .text($0.entry.subject.type?.rawValue) },
        Column("quantity") { .integer($0.entry.subject.quantity) },
        Column("storefront") { .text($0.entry.subject.storefront) },
        Column("purchaseDate") { .instant($0.entry.subject.purchaseDate) },
    ]

    private static let statement: [Column] = [
        Column("revocationDate") { .instant($0.entry.statement.revocationDate) },
        Column("signedDate") { .instant($0.entry.statement.signedAt) },
        Column("recordedAt") { .instant($0.entry.discovery.recordedAt) },
        Column("position") { .integer($0.entry.discovery.position.rawValue) },
        Column("revocationType") { .text($0.entry.statement.revocationType?.rawValue) },
        Column("revocationReason") { .integer($0.entry.statement.revocationReason?.rawValue) },
        Column("revocationPercentage") { .integer($0.entry.statement.revocationPercentage?.rawValue) },
    ]

    private static let detection: [Column] = [
        Column("detectedBy") { .text("\($0.detection.detectedBy.name)") },
        Column("detectionLagSeconds") { .integer($0.detection.lagSeconds) },
        Column("accessEndedAt") { .instant($0.detection.accessEndedAt) },
        Column("leakageSeconds") { .integer($0.detection.leakageSeconds) },
    ]

    private static let ending: [Column] = [
        Column("fiscalPeriod") { .text($0.fiscalPeriod?.description) },
        Column("flags") { .texts($0.entry.flags.sorted().map(\.rawValue)) },
        Column("knownFrom") { .integer($0.believed.knownFrom.rawValue) },
        Column("knownTo") { .integer($0.believed.knownTo?.rawValue) },
    ]
}

extension RegisterTable where Row == Clawback {
    /// `GET /v1/registers/clawbacks`: what is not counted in units has none, and access ends.
    package static let clawbacks = RegisterTable([
        Column("entry") { .text($0.entry.kind.rawValue) },
        Column("transactionId") { .text($0.entry.subject.transactionID.rawValue) },
        Column("productId") { .text($0.entry.subject.productID?.rawValue) },
        Column("unit") { .text($0.units?.unit) },
        Column("granted") { .integer($0.units?.granted) },
        Column("percentage") { .integer($0.percentage?.rawValue) },
        Column("toRecover") { .integer($0.units?.toRecover) },
        Column("recovered") { .integer($0.units?.recovered) },
        Column("owed") { .integer($0.units?.owed) },
        Column("rounding") { .text($0.units?.rounding.rawValue) },
        Column("position") { .integer($0.entry.discovery.position.rawValue) },
    ])
}

extension RegisterTable where Row == PurchaseRow {
    /// `GET /v1/registers/purchases`: what was charged.
    package static let purchases = RegisterTable([
        Column("transactionId") { .text($0.purchase.transactionID.rawValue) },
        Column("originalTransactionId") { .text($0.purchase.originalTransactionID.rawValue) },
        Column("appTransactionId") { .text($0.purchase.appTransactionID?.rawValue) },
        Column("appAccountToken") { .text($0.purchase.appAccountToken?.rawValue) },
        Column("webOrderLineItemId") { .text($0.purchase.webOrderLineItemID?.rawValue) },
        Column("bundleId") { .text($0.purchase.bundleID?.rawValue) },
        Column("productId") { .text($0.purchase.productID?.rawValue) },
        Column("type") { .text($0.purchase.type?.rawValue) },
        Column("quantity") { .integer($0.purchase.quantity) },
        Column("purchaseDate") { .instant($0.purchase.effectivePurchaseDate) },
        Column("signedDate") { .instant($0.purchase.rendering.signedAt) },
        Column("recordedAt") { .instant($0.recordedAt) },
        Column("position") { .integer($0.purchase.rendering.position.rawValue) },
        Column("price", form: .money) { .money($0.purchase.statedPrice) },
        Column("fiscalPeriod") {
            .text(FiscalCalendar.standard.period(of: $0.purchase.effectivePurchaseDate)?.description)
        },
        Column("flags") { .texts($0.flags.sorted().map(\.rawValue)) },
    ])
}
