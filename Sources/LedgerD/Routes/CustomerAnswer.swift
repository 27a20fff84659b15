import HTTPServer
import LedgerCore

/// What was found of one customer, to be answered from.
struct CustomerAnswer: Sendable {
    var context: AnswerContext
    var facts: CustomerFacts
    var catalog: Catalog
    /// Whether no later event can change the answer.
    var isFinal = false
    /// Where disagreements with Apple's statuses are counted; nil for an answer about the past.
    var findings: StatusFindings?

    /// The entitlement set, as JSON.
    var entitlements: [UInt8] { written().json.bytes }

    /// The entitlement set; without a body for a caller that has it already.
    func response(ifNoneMatch: String?) -> Response {
        let (json, stampsEnd, nextChangeAt) = written()
        let tag = EntityTag(of: json.bytes[stampsEnd...])
        let freshness = Freshness.cacheControl(at: context.at, nextChangeAt: nextChangeAt, isFinal: isFinal)
        let headers = [("ETag", tag.text), ("Cache-Control", freshness)]
        if tag.isKnown(to: ifNoneMatch) { return Response(status: 304, headers: headers) }
        return Response(status: 200, headers: [("Content-Type", "application/json")] + headers, bytes: json.bytes)
    }

    /// The entitlement set and why it is so.
    var explained: Response {
        let (set, explanation) = EntitlementEvaluator.explain(facts, catalog: catalog, at: context.at)
        var json = JSONWriter(reservingCapacity: 8192)
        json.beginObject()
        context.writeMembers(to: &json)
        set.writeMembers(to: &json)
        explanation.writeMembers(to: &json)
        json.endObject()
        return .json(json)
    }

    /// The entitlement set as JSON, where in it the stamps end, and when time alone changes it.
    private func written() -> (json: JSONWriter, stampsEnd: Int, nextChangeAt: Instant?) {
        let set = EntitlementEvaluator.evaluate(facts, catalog: catalog, at: context.at)
        findings?.note(set)
        var json = JSONWriter(reservingCapacity: 2048)
        json.beginObject()
        context.writeMembers(to: &json)
        let stampsEnd = json.bytes.count
        set.writeMembers(to: &json)
        json.endObject()
        return (json, stampsEnd, set.nextChangeAt)
    }
}
