/// Why a payload is no document at all.
///
/// A single bad member is never a reason (see ``StoreDocument/malformedMembers``).
package enum DocumentDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload is not JSON.
    case notJSON(JSONSyntaxError)
    /// The payload is JSON, but neither an object nor `null`.
    case notAnObject
    /// The payload is the JSON value `null`, which carries no facts: a genuine renewal info was one (PROTOCOL.md
    /// appendix C).
    case null

    package var description: String {
        switch self {
        case .notJSON(let error): "The payload is not JSON: \(error)."
        case .notAnObject: "The payload is a JSON value, but not an object: refuse it as malformed."
        case .null: "The payload is the JSON value null: it carries no facts."
        }
    }
}
