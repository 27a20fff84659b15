import LedgerCore
import Postgres

/// `projection.renewals`.
enum RenewalTable: FactTable {
    static let load = Statements.read("load_renewals", PackageResources.load_renewals_sql)
    static let write = Statements.write("write_renewals", PackageResources.write_renewals_sql)

    static func decode(_ row: RowReader) -> RenewalFact {
        var fact = RenewalFact(rendering: row.rendering(from: 1, tied: 4), originalTransactionID: row.text(0))
        fact.productID = row.optionalText(5)
        fact.autoRenewProductID = row.optionalText(6)
        fact.autoRenewStatus = row.open(7)
        fact.expirationIntent = row.open(8)
        fact.isInBillingRetryPeriod = row.optionalBoolean(9)
        fact.gracePeriodExpiresDate = row.optionalInstant(10)
        fact.priceIncreaseStatus = row.open(11)
        fact.renewalDate = row.optionalInstant(12)
        return fact
    }

    static func columns(_ facts: [(key: FactKey<OriginalTransactionID>, fact: RenewalFact)]) -> [Parameter] {
        let all = facts.map(\.fact)
        return [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(all.map(\.originalTransactionID.rawValue)),
            .int8Array(all.map(\.rendering.position.rawValue)),
            .int8Array(all.map(\.rendering.signedAt.milliseconds)),
            .byteaArray(all.map(\.rendering.digest.bytes)),
            .boolArray(all.map(\.rendering.isTied)),
            .textArray(all.map(\.productID?.rawValue)),
            .textArray(all.map(\.autoRenewProductID?.rawValue)),
            .int8Array(all.map(\.autoRenewStatus?.rawValue)),
            .int8Array(all.map(\.expirationIntent?.rawValue)),
            .boolArray(all.map(\.isInBillingRetryPeriod)),
            .int8Array(all.map(\.gracePeriodExpiresDate?.milliseconds)),
            .int8Array(all.map(\.priceIncreaseStatus?.rawValue)),
            .int8Array(all.map(\.renewalDate?.milliseconds)),
        ]
    }
}
