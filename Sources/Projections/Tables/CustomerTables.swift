import LedgerCore
import Postgres

/// `projection.app_transactions`.
enum AppTransactionTable: FactTable {
    static let load = Statements.read("load_app_transactions", PackageResources.load_app_transactions_sql)
    static let write = Statements.write("write_app_transactions", PackageResources.write_app_transactions_sql)

    static func decode(_ row: RowReader) -> AppTransactionFact {
        var fact = AppTransactionFact(rendering: row.rendering(from: 1, tied: 4), appTransactionID: row.text(0))
        fact.bundleID = row.optionalText(5)
        fact.originalPurchaseDate = row.optionalInstant(6)
        fact.originalApplicationVersion = row.optionalString(7)
        fact.originalPlatform = row.open(8)
        fact.preorderDate = row.optionalInstant(9)
        return fact
    }

    static func columns(_ facts: [(key: FactKey<AppTransactionID>, fact: AppTransactionFact)]) -> [Parameter] {
        let all = facts.map(\.fact)
        return [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(all.map(\.appTransactionID.rawValue)),
            .int8Array(all.map(\.rendering.position.rawValue)),
            .int8Array(all.map(\.rendering.signedAt.milliseconds)),
            .byteaArray(all.map(\.rendering.digest.bytes)),
            .boolArray(all.map(\.rendering.isTied)),
            .textArray(all.map(\.bundleID?.rawValue)),
            .int8Array(all.map(\.originalPurchaseDate?.milliseconds)),
            .textArray(all.map(\.originalApplicationVersion)),
            .textArray(all.map(\.originalPlatform?.rawValue)),
            .int8Array(all.map(\.preorderDate?.milliseconds)),
        ]
    }
}

/// `projection.consents`: when a customer's consent was first withdrawn.
enum ConsentTable: FactTable {
    static let load = Statements.read("load_consents", PackageResources.load_consents_sql)
    static let write = Statements.write("write_consents", PackageResources.write_consents_sql)

    static func decode(_ row: RowReader) -> RescindedConsent {
        RescindedConsent(appTransactionID: row.text(0), rescindedAt: row.instant(1))
    }

    static func columns(_ facts: [(key: FactKey<AppTransactionID>, fact: RescindedConsent)]) -> [Parameter] {
        [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(facts.map(\.key.id.rawValue)),
            .int8Array(facts.map(\.fact.rescindedAt.milliseconds)),
        ]
    }
}
