import LedgerCore
import Testing

/// What a document's members are on the wire, found by reflection, so that no test repeats their names.
enum MemberKind {
    case text, integer, instant, boolean, texts
    case part(any DocumentPart.Type)
    case parts(any DocumentPart.Type)

    init?(_ type: Any.Type) {
        switch type {
        case is String.Type, is any RawRepresentable<String>.Type: self = .text
        case is Instant.Type: self = .instant
        case is Int64.Type, is any RawRepresentable<Int64>.Type: self = .integer
        case is Bool.Type: self = .boolean
        case is [String].Type: self = .texts
        case let part as any DocumentPart.Type: self = .part(part)
        case let list as any ListType.Type:
            guard let part = list.element as? any DocumentPart.Type else { return nil }
            self = .parts(part)
        default: return nil
        }
    }
}

/// A member of a document: its name on the wire, and what stands there.
struct MemberShape {
    let name: String
    let kind: MemberKind
}

extension DocumentPart {
    /// The shapes of all members; a property that is no member, or a member without property, is a failure.
    static func shapes() throws -> [MemberShape] {
        let names = memberNames
        let shapes = try Mirror(reflecting: Self()).children.filter { $0.label != "malformedMembers" }.map { property in
            let optional = try #require(type(of: property.value) as? any OptionalType.Type)
            return MemberShape(
                name: try #require(names[property.label ?? ""]),
                kind: try #require(MemberKind(optional.wrapped))
            )
        }
        try #require(shapes.count == Member.allCases.count)
        return shapes
    }

    /// The document as the App Store writes it: absent members left out, times in milliseconds.
    func wireForm() throws -> JSONValue {
        let names = Self.memberNames
        var members: [String: JSONValue] = [:]
        for property in Mirror(reflecting: self).children where property.label != "malformedMembers" {
            guard let value = (property.value as? any OptionalType)?.value else { continue }
            members[try #require(names[property.label ?? ""])] = try JSONValue(wireFormOf: value)
        }
        return .members(members)
    }

    private static var memberNames: [String: String] {
        Dictionary(uniqueKeysWithValues: Member.allCases.map { ("\($0)", $0.rawValue) })
    }
}

extension JSONValue {
    fileprivate init(wireFormOf value: Any) throws {
        switch value {
        case let text as String: self = .string(text)
        case let instant as Instant: self = .integer(instant.milliseconds)
        case let integer as Int64: self = .integer(integer)
        case let boolean as Bool: self = .boolean(boolean)
        case let texts as [String]: self = .array(texts.map(JSONValue.string))
        case let typed as any RawRepresentable<String>: self = .string(typed.rawValue)
        case let typed as any RawRepresentable<Int64>: self = .integer(typed.rawValue)
        case let part as any DocumentPart: self = try part.wireForm()
        case let parts as [any DocumentPart]: self = .array(try parts.map { try $0.wireForm() })
        default: throw UnexpectedProperty(type: "\(type(of: value))")
        }
    }
}

private struct UnexpectedProperty: Error { let type: String }

private protocol OptionalType {
    static var wrapped: Any.Type { get }
    var value: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var value: Any? { map { $0 } }
}

protocol ListType {
    static var element: Any.Type { get }
}

extension Array: ListType {
    static var element: Any.Type { Element.self }
}
