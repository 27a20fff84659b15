package import LedgerCore

/// Judges answers of the product by the naive replay of the same events.
package struct Truth: Sendable {
    private let replay: NaiveReplay
    /// The versions that the log recorded, in its order.
    private let catalogs: [(event: LedgerEvent, catalog: NaiveCatalog)]
    /// What is in force without any.
    private let initial: NaiveCatalog

    package init(_ events: [LedgerEvent], initial: NaiveCatalog) throws {
        replay = NaiveReplay(events)
        catalogs = try events.filter { $0.kind == .catalog }.map { event in
            (event, try NaiveCatalog(String(decoding: event.payload, as: UTF8.self)))
        }
        self.initial = initial
    }

    /// "An answer about last March uses last March's catalog; before the first version, the first" (DESIGN.md
    /// section 5).
    private func catalog(for question: TruthQuestion) -> NaiveCatalog {
        let known = catalogs.filter { version in
            switch question.knownAt {
            case nil: true
            case .position(let last): version.event.position <= last
            case .time(let time): version.event.recordedAt <= time
            }
        }
        let inForce = known.last { $0.event.recordedAt <= question.at } ?? known.first ?? catalogs.first
        return inForce?.catalog ?? initial
    }

    /// What is wrong with an answer (API.md, "Entitlement set"); nil: nothing.
    ///
    /// All members that facts decide must be those of the replay, and nothing may change before `nextChangeAt`, at
    /// none of the dates that the facts name.
    package func fault(of answer: JSONValue, to question: TruthQuestion) -> String? {
        let customer = replay.customer(
            question.key,
            in: question.environment,
            at: question.at,
            knownAt: question.knownAt
        )
        guard case .object(let given) = answer else { return "\(question): the answer is no object" }
        let catalog = catalog(for: question)
        let expected = customer.answer(at: question.at, catalog)
        guard case .object(let members) = expected else { return "\(question): the replay gives no object" }
        for (name, value) in members.members.sorted(by: { $0.key < $1.key }) where given[name] != value {
            return "\(question): \(name) is \(given[name]?.written ?? "missing"), the replay gives \(value.written)"
        }
        let end = given.text("nextChangeAt").flatMap(Instant.init(rfc3339:))
        if let end, end <= question.at { return "\(question): nextChangeAt \(end) is not later" }
        for date in customer.dates(after: question.at, catalog) where end.map({ date < $0 }) ?? true {
            guard customer.answer(at: date, catalog) != expected else { continue }
            return "\(question): it changes at \(date), and nextChangeAt is \(end?.description ?? "null")"
        }
        return nil
    }
}

extension JSONValue {
    /// Its JSON text.
    package var written: String {
        var json = JSONWriter()
        json.value(self)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension CustomerFacts {
    /// What these facts mean, in the bytes of an answer to a question at a position.
    package func answer(to question: TruthQuestion, _ catalog: Catalog, at position: Position) -> [UInt8] {
        let context = AnswerContext(
            environment: question.environment,
            key: question.key,
            at: question.at,
            knownAt: question.knownAt,
            position: position
        )
        var json = JSONWriter()
        EntitlementEvaluator.evaluate(self, catalog: catalog, at: question.at).write(to: &json, context)
        return json.bytes
    }
}
