import EventStore
import HTTPServer
import JWS
import LedgerCore
import Synchronization

/// Gathers what became of each document of a request; the last one to come finishes it, on its thread.
final class TransactionResults: Sendable {
    enum Outcome: Sendable {
        case appended(Appended)
        case refused(Problem)
    }

    private struct State {
        var outcomes: [Outcome?]
        var missing: Int
    }

    private let documents: [JudgedDocument]
    private let state: Mutex<State>
    private let finish: @Sendable (Finished) -> Void

    init(_ documents: [JudgedDocument], finish: @escaping @Sendable (Finished) -> Void) {
        self.documents = documents
        self.finish = finish
        state = Mutex(State(outcomes: Array(repeating: nil, count: documents.count), missing: documents.count))
    }

    func set(_ index: Int, _ outcome: Outcome) {
        let finished: [Outcome]? = state.withLock { state in
            state.outcomes[index] = outcome
            state.missing -= 1
            return state.missing == 0 ? state.outcomes.compactMap { $0 } : nil
        }
        if let finished { finish(Finished(documents: documents, outcomes: finished)) }
    }

    /// All documents of a request with what became of them.
    struct Finished: Sendable {
        let documents: [JudgedDocument]
        let outcomes: [Outcome]

        /// The greatest position that stands for one of the documents; nil when all were refused.
        var position: Position? {
            outcomes.compactMap { outcome in
                guard case .appended(let appended) = outcome else { return nil }
                return appended.position
            }.max()
        }

        /// Whose entitlements the answer shows: the customer of the first document that is durable.
        var customer: (CustomerKey, StoreEnvironment)? {
            for (document, outcome) in zip(documents, outcomes) {
                guard case .appended = outcome, let valid = document.verdict.document else { continue }
                if let customer = valid.claims.appTransactionID {
                    return (.appTransactionID(customer), valid.environment)
                }
                if let line = valid.claims.originalTransactionID {
                    return (.originalTransactionID(line), valid.environment)
                }
            }
            return nil
        }

        func response(entitlements: [UInt8]?) -> Response {
            var json = JSONWriter(reservingCapacity: 2048)
            json.beginObject()
            writeResults(to: &json)
            json.name("entitlements")
            if let entitlements { json.raw(entitlements) } else { json.null() }
            json.endObject()
            return .json(json)
        }

        /// The answer when every document was refused: the first problem, and all results.
        var refusal: Response {
            let problems = outcomes.compactMap { outcome -> Problem? in
                guard case .refused(let problem) = outcome else { return nil }
                return problem
            }
            // One that may succeed later makes the request worth sending again.
            let problem =
                problems.first { $0.isRetryable } ?? problems.first ?? .malformed("The request holds no document.")
            var json = JSONWriter(reservingCapacity: 2048)
            json.beginObject()
            problem.writeMembers(to: &json)
            writeResults(to: &json)
            json.endObject()
            return problem.response(body: json.bytes)
        }

        private func writeResults(to json: inout JSONWriter) {
            json.name("results")
            json.beginArray()
            for (document, outcome) in zip(documents, outcomes) {
                json.beginObject()
                json.member("kind", document.kind.rawValue)
                json.member("transactionId", document.verdict.document?.claims.transactionID)
                write(outcome, to: &json)
                json.endObject()
            }
            json.endArray()
        }

        private func write(_ outcome: Outcome, to json: inout JSONWriter) {
            switch outcome {
            case .appended(let appended):
                json.member("outcome", appended.outcome == .recorded ? "recorded" : "duplicate")
                json.member("position", appended.position)
                json.member("safeToFinish", true)
                json.member("problem", String?.none)
            case .refused(let problem):
                json.member("outcome", "rejected")
                json.member("position", Int64?.none)
                json.member("safeToFinish", false)
                json.name("problem")
                json.beginObject()
                problem.writeMembers(to: &json)
                json.endObject()
            }
        }
    }
}
