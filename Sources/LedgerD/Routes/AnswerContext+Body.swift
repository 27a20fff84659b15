import LedgerCore

extension AnswerContext {
    /// The entitlement set that these facts mean, as JSON.
    func body(_ facts: CustomerFacts, _ catalog: Catalog) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 2048)
        write(facts, catalog, to: &json)
        return json.bytes
    }

    /// Writes the entitlement set that these facts mean.
    func write(_ facts: CustomerFacts, _ catalog: Catalog, to json: inout JSONWriter) {
        EntitlementEvaluator.evaluate(facts, catalog: catalog, at: at).write(to: &json, self)
    }
}
