import LedgerCore

/// Holds JSON against the schemas of an OpenAPI 3.1 document: the part of JSON Schema 2020-12 that ours uses.
///
/// A keyword that it does not know is a finding, so that no schema is looser than it seems.
struct SchemaCheck {
    private let document: JSONValue

    /// What says nothing about a value's validity.
    private static let annotations: Set = ["description", "default"]

    init(_ document: JSONValue) { self.document = document }

    /// What a reference of the document stands for, however many steps it takes; the value itself when it is none.
    func resolved(_ value: JSONValue) -> JSONValue? {
        guard let reference = value["$ref"]?.text else { return value }
        guard reference.hasPrefix("#/") else { return nil }
        let target = reference.dropFirst(2).split(separator: "/").reduce(JSONValue?.some(document)) { $0?[String($1)] }
        return target.flatMap(resolved)
    }

    /// Where a value does not fit a schema, each with what is wrong there; empty for one that fits.
    func findings(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        guard let schema = resolved(schema), case .object(let keywords) = schema else {
            return ["\(path): no schema"]
        }
        return keywords.members.flatMap { keyword, expected in
            Self.annotations.contains(keyword) ? [] : findings(value, keyword, expected, schema, path)
        }.sorted()
    }

    private func findings(
        _ value: JSONValue,
        _ keyword: String,
        _ expected: JSONValue,
        _ schema: JSONValue,
        _ path: String
    ) -> [String] {
        let holds: Bool
        switch keyword {
        case "type": holds = (expected.items.isEmpty ? [expected] : expected.items).contains { $0.text == value.type }
        case "enum": holds = expected.items.contains(value)
        case "pattern":
            guard let text = value.text, let pattern = expected.text else { return [] }
            holds = (try? Regex(pattern).firstMatch(in: text)) != nil
        case "minimum": holds = value.integer.map { $0 >= expected.integer ?? .max } ?? true
        case "maximum": holds = value.integer.map { $0 <= expected.integer ?? .min } ?? true
        case "maxItems": holds = value.items.count <= expected.integer ?? -1
        case "minProperties": holds = value.names.count >= expected.integer ?? .max
        case "maxProperties": holds = value.names.count <= expected.integer ?? -1
        case "required":
            guard value.type == "object" else { return [] }
            return expected.items.compactMap(\.text).filter { !value.names.contains($0) }
                .map { "\(path): \($0) is missing" }
        case "additionalProperties":
            guard expected == false else { return ["\(path): \(keyword) must be false"] }
            return value.names.subtracting(schema["properties"]?.names ?? []).map { "\(path): \($0) is not described" }
        case "properties":
            return value.names.flatMap { name in
                guard let member = value[name], let inner = expected[name] else { return [String]() }
                return findings(member, inner, at: "\(path).\(name)")
            }
        case "items": return value.items.enumerated().flatMap { findings($1, expected, at: "\(path)[\($0)]") }
        case "anyOf": holds = expected.items.contains { findings(value, $0, at: path).isEmpty }
        default: return ["\(path): the keyword \(keyword) is not known"]
        }
        return holds ? [] : ["\(path): \(keyword) does not hold"]
    }
}

extension JSONValue {
    /// The name of its type in JSON Schema.
    fileprivate var type: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string, .unreadableString: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
