package import LedgerCore

// What makes JSON short to write and to look at in a test. A member that is not there is nil, and so is what is asked
// of it; JSON's null is `.null`.

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = JSONValue.null.with(elements)
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    subscript(index: Int) -> JSONValue? { items.indices.contains(index) ? items[index] : nil }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
    var isNull: Bool { self == .null }
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    /// The names of the members.
    var names: Set<String> {
        guard case .object(let object) = self else { return [] }
        return Set(object.members.keys)
    }

    /// The same object with other members; one that is nil is left out.
    func with(_ changes: KeyValuePairs<String, JSONValue?>) -> JSONValue { with(Array(changes)) }

    private func with(_ changes: [(key: String, value: JSONValue?)]) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if case .object(let object) = self { members = object.members }
        for (name, value) in changes { members[name] = value }
        var object = JSONObject()
        for (name, value) in members { object.add(name, value) }
        return .object(object)
    }

    fileprivate func with(_ elements: [(String, JSONValue)]) -> JSONValue {
        with(elements.map { (key: $0.0, value: Optional($0.1)) })
    }

    /// Its JSON text.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    static func instant(_ instant: Instant) -> JSONValue { .integer(instant.milliseconds) }
}
