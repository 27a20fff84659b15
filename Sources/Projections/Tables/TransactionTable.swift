import LedgerCore
import Postgres

/// `projection.transactions`.
enum TransactionTable: FactTable {
    static let load = Statements.read("load_transactions", PackageResources.load_transactions_sql)
    static let write = Statements.write("write_transactions", PackageResources.write_transactions_sql)

    static func decode(_ row: RowReader) -> TransactionFact {
        let revocationDate = row.optionalInstant(20)
        var fact = TransactionFact(
            rendering: row.rendering(from: 2, tied: 6, isRevoked: revocationDate != nil),
            transactionID: row.text(0),
            originalTransactionID: row.text(1),
            versions: Int(row.integer(5))
        )
        fact.appTransactionID = row.optionalText(7)
        fact.appAccountToken = row.optionalText(8)
        fact.webOrderLineItemID = row.optionalText(9)
        fact.bundleID = row.optionalText(10)
        fact.productID = row.optionalText(11)
        fact.type = row.open(12)
        fact.subscriptionGroupID = row.optionalText(13)
        fact.ownershipType = row.open(14)
        fact.reason = row.open(15)
        fact.purchaseDate = row.optionalInstant(16)
        fact.expiresDate = row.optionalInstant(17)
        fact.quantity = row.optionalInteger(18)
        fact.isUpgraded = row.boolean(19)
        fact.revocationDate = revocationDate
        fact.revocationReason = row.open(21)
        fact.revocationType = row.open(22)
        fact.revocationPercentage = row.optionalInteger(23).map(Percentage.init(rawValue:))
        fact.price = row.optionalInteger(24).map(Milliunits.init(rawValue:))
        fact.currency = row.optionalText(25)
        return fact
    }

    static func columns(_ facts: [(key: FactKey<TransactionID>, fact: TransactionFact)]) -> [Parameter] {
        let all = facts.map(\.fact)
        return [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(all.map(\.transactionID.rawValue)),
            .textArray(all.map(\.originalTransactionID.rawValue)),
            .int8Array(all.map(\.rendering.position.rawValue)),
            .int8Array(all.map(\.rendering.signedAt.milliseconds)),
            .byteaArray(all.map(\.rendering.digest.bytes)),
            .int4Array(all.map { Int32(clamping: $0.versions) }),
            .boolArray(all.map(\.rendering.isTied)),
            .textArray(all.map(\.appTransactionID?.rawValue)),
            .textArray(all.map(\.appAccountToken?.rawValue)),
            .textArray(all.map(\.webOrderLineItemID?.rawValue)),
            .textArray(all.map(\.bundleID?.rawValue)),
            .textArray(all.map(\.productID?.rawValue)),
            .textArray(all.map(\.type?.rawValue)),
            .textArray(all.map(\.subscriptionGroupID?.rawValue)),
            .textArray(all.map(\.ownershipType?.rawValue)),
            .textArray(all.map(\.reason?.rawValue)),
            .int8Array(all.map(\.purchaseDate?.milliseconds)),
            .int8Array(all.map(\.expiresDate?.milliseconds)),
            .int8Array(all.map(\.quantity)),
            .boolArray(all.map(\.isUpgraded)),
            .int8Array(all.map(\.revocationDate?.milliseconds)),
            .int8Array(all.map(\.revocationReason?.rawValue)),
            .textArray(all.map(\.revocationType?.rawValue)),
            .int8Array(all.map(\.revocationPercentage?.rawValue)),
            .int8Array(all.map(\.price?.rawValue)),
            .textArray(all.map(\.currency?.rawValue)),
        ]
    }
}
