/// The outcome of a verification: a refusal is an answer, not an error.
package enum Verdict<Document: Sendable>: Sendable {
    case valid(Document)
    case invalid(Rejection)

    /// The verified document, or nil when it was refused.
    package var document: Document? {
        guard case .valid(let document) = self else { return nil }
        return document
    }

    /// The refusal, or nil when the document is valid.
    package var rejection: Rejection? {
        guard case .invalid(let rejection) = self else { return nil }
        return rejection
    }

    /// The verified document.
    ///
    /// - Throws: the ``Rejection`` when it was refused.
    package func get() throws(Rejection) -> Document {
        switch self {
        case .valid(let document): return document
        case .invalid(let rejection): throw rejection
        }
    }
}
