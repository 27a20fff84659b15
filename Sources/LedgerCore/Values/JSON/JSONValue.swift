/// A JSON value, kept exactly: integers in 64 bits, every other number as the text that came.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number written without fraction and exponent, within 64 bits.
    case integer(Int64)
    /// Any other number, as it was written: `1.50`, `1e400`, an integer past 64 bits.
    case number(String)
    case string(String)
    /// A text with half of a surrogate pair (`"\ud800"`), which no `String` can hold: the characters between its
    /// quotation marks as they were written, escapes included.
    case unreadableString(String)
    case array([JSONValue])
    case object(JSONObject)
}
