/// Why a payload is no document at all.
///
/// A single bad member is never a reason (see ``StoreDocument/malformedMembers``).
package enum DocumentDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload is not JSON, or its top value is not an object.
    case notAnObject
    /// The payload is the JSON value `null`; a genuine renewal info was one (PROTOCOL.md appendix C). It carries no facts.
    case null

    package var description: String {
        switch self {
        case .notAnObject: "The payload is not a JSON object: keep its bytes and refuse it as malformed."
        case .null: "The payload is the JSON value null: it carries no facts."
        }
    }
}
