/// A refused document: what is wrong, in which document, in a sentence.
package struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which document failed: the one that was sent, or one inside it.
    package enum Document: String, Hashable, Sendable, Codable {
        case outer
        case signedTransactionInfo
        case signedRenewalInfo
        case signedAppTransactionInfo
    }

    package let code: RejectionCode
    /// A sentence for people, which says what was found and what was expected.
    ///
    /// It holds no identifier of a customer.
    package let detail: String
    package let document: Document

    package init(_ code: RejectionCode, _ detail: String, in document: Document = .outer) {
        self.code = code
        self.detail = detail
        self.document = document
    }

    /// The same refusal, said of a document inside the one that was sent.
    package func inside(_ document: Document) -> Rejection { Rejection(code, detail, in: document) }

    package var description: String {
        document == .outer ? "\(code.rawValue): \(detail)" : "\(code.rawValue) in \(document.rawValue): \(detail)"
    }
}
