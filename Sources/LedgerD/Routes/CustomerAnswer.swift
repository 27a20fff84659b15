import HTTPServer
import LedgerCore
import Projections

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
    var entitlements: [UInt8] { rendered().json(context) }

    /// The entitlement set; without a body for a caller that has it already.
    func response(ifNoneMatch: String?) -> Response {
        rendered().response(context, isFinal: isFinal, ifNoneMatch: ifNoneMatch)
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

    /// The entitlement set without its stamps.
    func rendered() -> RenderedAnswer {
        let set = EntitlementEvaluator.evaluate(facts, catalog: catalog, at: context.at)
        findings?.note(set)
        var json = JSONWriter(reservingCapacity: 2048)
        json.between(CollectionOfOne(UInt8(ascii: ",")))
        set.writeMembers(to: &json)
        json.endObject()
        return RenderedAnswer(
            members: json.bytes,
            entityTag: EntityTag(of: json.bytes[...]).text,
            nextChangeAt: set.nextChangeAt
        )
    }
}

extension RenderedAnswer {
    /// The answer to a question; without a body for a caller that has it already.
    func response(_ context: AnswerContext, isFinal: Bool, ifNoneMatch: String?) -> Response {
        let freshness = Freshness.cacheControl(at: context.at, nextChangeAt: nextChangeAt, isFinal: isFinal)
        let headers = [("ETag", entityTag), ("Cache-Control", freshness)]
        if EntityTag(text: entityTag).isKnown(to: ifNoneMatch) { return Response(status: 304, headers: headers) }
        return Response(
            status: 200,
            headers: [("Content-Type", "application/json")] + headers,
            bytes: json(context)
        )
    }

    /// The stamps of a question, and the answer.
    fileprivate func json(_ context: AnswerContext) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: members.count + 256)
        json.beginObject()
        context.writeMembers(to: &json)
        json.end(with: members)
        return json.bytes
    }
}
