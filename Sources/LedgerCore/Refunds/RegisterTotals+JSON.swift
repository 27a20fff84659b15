extension RegisterTotals {
    /// Writes `totals` of the registers of refunds and revocations (API.md, "Finance"); an unknown amount is counted,
    /// never taken for 0.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("byCurrency")
        json.beginArray()
        for total in byCurrency {
            json.beginObject()
            json.member("currency", total.currency.rawValue)
            json.member("milliunits", total.milliunits)
            json.member("refunds", total.refunds)
            json.member("reversals", total.reversals)
            json.endObject()
        }
        json.endArray()
        json.member("refunds", refunds)
        json.member("reversals", reversals)
        json.member("unknownAmounts", unknownAmounts)
        json.member("refundsForAppProblems", refundsForAppProblems)
        json.name("revocations")
        json.beginObject()
        for (revocationClass, count) in revocations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            json.name(escaping: revocationClass.rawValue)
            json.integer(count)
        }
        json.endObject()
        json.endObject()
    }
}

extension Sequence<ClawbackTotal> {
    /// Writes `totals` of the register of clawbacks, per unit.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("byUnit")
        json.beginArray()
        for total in self {
            json.beginObject()
            json.member("unit", total.unit)
            json.member("toRecover", total.toRecover)
            json.member("recovered", total.recovered)
            json.member("owed", total.owed)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
