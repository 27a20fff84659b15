import LedgerCore
import Postgres

/// `projection.lines`.
enum LineTable: FactTable {
    static let load = Statements.read("load_lines", PackageResources.load_lines_sql)
    static let write = Statements.write("write_lines", PackageResources.write_lines_sql)
    /// Columns after the environment.
    static let columnCount = 10

    static func decode(_ row: RowReader) -> LineFact {
        var line = LineFact(row.text(0))
        if let customer: AppTransactionID = row.optionalText(1) {
            line.appTransactionID = Register(rank: row.instant(2), value: customer)
        }
        if let token: AppAccountToken = row.optionalText(3) {
            let rank = LineFact.PurchaseRank(purchaseDate: row.instant(4), signedAt: row.instant(5))
            line.purchaseToken = Register(rank: rank, value: token)
        }
        if let token: AppAccountToken = row.optionalText(6) {
            line.renewalToken = Register(rank: row.instant(7), value: token)
        }
        if let status = row.optionalInteger(8) {
            line.appleStatus = Register(rank: row.instant(9), value: status)
        }
        return line
    }

    static func columns(_ facts: [(key: FactKey<OriginalTransactionID>, fact: LineFact)]) -> [Parameter] {
        let all = facts.map(\.fact)
        return [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(all.map(\.originalTransactionID.rawValue)),
            .textArray(all.map(\.appTransactionID?.value.rawValue)),
            .int8Array(all.map(\.appTransactionID?.rank.milliseconds)),
            .textArray(all.map(\.purchaseToken?.value.rawValue)),
            .int8Array(all.map(\.purchaseToken?.rank.purchaseDate.milliseconds)),
            .int8Array(all.map(\.purchaseToken?.rank.signedAt.milliseconds)),
            .textArray(all.map(\.renewalToken?.value.rawValue)),
            .int8Array(all.map(\.renewalToken?.rank.milliseconds)),
            .int8Array(all.map(\.appleStatus?.value)),
            .int8Array(all.map(\.appleStatus?.rank.milliseconds)),
        ]
    }
}
