import LedgerCore

/// The members of a request's body that is one JSON object; each accessor names the member that it refuses.
struct BodyMembers {
    private let object: JSONObject

    /// - Throws: the ``Problem`` of a body that is no object, or names a member twice.
    init(_ body: [UInt8]) throws(Problem) {
        guard case .object(let object)? = try? JSONReader.value(of: body) else {
            throw .malformed("The body must be a JSON object.")
        }
        if let name = object.repeatedNames.first { throw .malformed("The member \"\(name)\" comes more than once.") }
        self.object = object
    }

    /// A member as it came; nil when it is not there.
    subscript(name: String) -> JSONValue? { object[name] }

    /// Refuses members that a route does not know: a misspelt one would be passed over else.
    func refuse(_ isUnknown: (String) -> Bool) throws(Problem) {
        guard let name = object.members.keys.filter(isUnknown).min() else { return }
        throw .malformed("The body has a member \"\(name)\", which is not known here.")
    }

    /// A text; nil when it is not there, or null.
    func text(_ name: String) throws(Problem) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text) where !text.utf8.contains(0): return text
        default: throw .malformed("\"\(name)\" must be a text without U+0000.")
        }
    }

    /// A whole number of 64 bits; nil when it is not there, or null.
    func integer(_ name: String) throws(Problem) -> Int64? {
        switch object[name] {
        case nil, .null: return nil
        case .integer(let number): return number
        default: throw .malformed("\"\(name)\" must be a whole number.")
        }
    }

    /// A time: RFC 3339, or milliseconds since 1970; nil when it is not there, or null.
    func instant(_ name: String) throws(Problem) -> Instant? {
        guard let value = object[name], value != .null else { return nil }
        guard let text = value.queryText, let instant = Instant(query: text) else {
            throw .malformed("\"\(name)\" must be an RFC 3339 time or integer milliseconds since 1970.")
        }
        return instant
    }

    /// The one key of a customer; nil when there is none.
    func key() throws(Problem) -> CustomerKey? {
        var keys: [CustomerKey] = []
        for name in CustomerKey.names.map({ "\($0)" }) {
            guard let value = try text(name) else { continue }
            guard !value.isEmpty, let key = CustomerKey(name: name, value: value) else {
                throw .malformed("\"\(name)\" is empty.")
            }
            keys.append(key)
        }
        guard keys.count <= 1 else {
            let names = CustomerKey.names.map { "\($0)" }.joined(separator: ", ")
            throw .malformed("Only one key can be named: \(names).")
        }
        return keys.first
    }
}

extension JSONValue {
    /// A number or a text as it would stand in a query; nil for anything else.
    var queryText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
