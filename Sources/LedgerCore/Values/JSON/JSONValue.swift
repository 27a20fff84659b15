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

/// A JSON object: its members by name, without their order.
package struct JSONObject: Hashable, Sendable {
    /// The members; of a name that came more than once the last value counts, as in PostgreSQL's `jsonb`.
    package private(set) var members: [String: JSONValue] = [:]
    /// The names that came more than once.
    package private(set) var repeatedNames: [String] = []

    package init() {}

    /// The members in the order in which they came.
    init(_ members: [(name: String, value: JSONValue)]) {
        // All the room at once: growing would hash the names again and again.
        self.members.reserveCapacity(members.count)
        for member in members { add(member.name, member.value) }
    }

    /// Adds a member.
    package mutating func add(_ name: String, _ value: JSONValue) {
        if members.updateValue(value, forKey: name) != nil { repeatedNames.append(name) }
    }

    /// The value of a member, or nil when there is none of this name.
    package subscript(name: String) -> JSONValue? { members[name] }
}
