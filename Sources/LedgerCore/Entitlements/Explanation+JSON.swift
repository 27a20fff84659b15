extension Explanation {
    /// Writes the member `products` of the API's explanation into an open object (API.md, "Asking").
    package func writeMembers(to json: inout JSONWriter) {
        json.name("products")
        json.beginArray()
        for product in products { product.write(to: &json) }
        json.endArray()
    }
}

extension ProductExplanation {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("productId", productID)
        json.member("originalTransactionId", originalTransactionID)
        json.name("rules")
        json.beginArray()
        for rule in rules {
            json.beginObject()
            json.name("rule")
            json.literal(rule.name)
            json.member("text", rule.sentence)
            json.endObject()
        }
        json.endArray()
        json.name("factsUsed")
        json.beginArray()
        for fact in used {
            json.beginObject()
            fact.writeMembers(to: &json)
            json.endObject()
        }
        json.endArray()
        json.name("factsSetAside")
        json.beginArray()
        for aside in setAside {
            json.beginObject()
            aside.fact.writeMembers(to: &json)
            json.name("reason")
            json.literal(aside.reason.name)
            json.member("text", aside.reason.sentence)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}

extension FactReference {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.name("kind")
        switch kind {
        case .transaction(let id, let versions):
            json.literal("transaction")
            json.member("transactionId", id)
            json.member("versions", versions)
        case .renewalInfo: json.literal("renewalInfo")
        case .appleStatus(let status):
            json.literal("appleStatus")
            json.member("status", status)
        }
        json.member("position", position?.rawValue)
        json.member("signedDate", signedAt)
    }
}
