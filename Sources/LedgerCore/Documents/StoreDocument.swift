/// The payload of a document signed by the App Store.
///
/// Every member is optional, because a missing field is normal and must not make a document undecodable (PROTOCOL.md
/// section 2). Decoding is lenient per member: one of a wrong JSON type is absent and named in ``malformedMembers``.
/// Members that no version of ours knows stay in the payload's bytes; read them with ``unknownMembers(in:)``.
package protocol StoreDocument: DocumentPart {
    /// The members that had another JSON type than they should (they are nil then) or came more than once (the last one
    /// counts), as paths: `price`, `data.status`, `advancedCommerceInfo.items[0].price`.
    var malformedMembers: [String] { get set }
}

extension StoreDocument {
    /// Decodes a payload: the JSON bytes of a JWS's middle part, base64url taken off.
    /// - Throws: ``DocumentDecodingError`` when the payload isn't a JSON object.
    package init(payload: [UInt8]) throws(DocumentDecodingError) {
        var members = MemberReader<Member>(try Self.object(of: payload))
        self.init()
        read(&members)
        malformedMembers = members.malformed
    }

    /// The members of a payload that this version doesn't know, by path (`futureField`, `data.futureField`).
    ///
    /// They are read from the bytes when asked for, so that decoding doesn't pay for what nearly no document has.
    /// - Throws: ``DocumentDecodingError`` when the payload isn't a JSON object.
    package static func unknownMembers(in payload: [UInt8]) throws(DocumentDecodingError) -> [String: JSONValue] {
        var unknown: [String: JSONValue] = [:]
        collectUnknownMembers(of: try object(of: payload), path: "", into: &unknown)
        return unknown
    }

    private static func object(of payload: [UInt8]) throws(DocumentDecodingError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONReader.value(of: payload)
        } catch {
            throw .notJSON(error)
        }
        switch value {
        case .object(let object): return object
        case .null: throw .null
        default: throw .notAnObject
        }
    }
}

extension DocumentPart {
    fileprivate static func collectUnknownMembers(
        of object: JSONObject,
        path: String,
        into unknown: inout [String: JSONValue]
    ) {
        let known = Set(Member.allCases.map(\.rawValue))
        for (name, value) in object.members where !known.contains(name) { unknown[path + name] = value }
        for (member, part) in parts {
            switch object[member.rawValue] {
            case .object(let inner):
                part.collectUnknownMembers(of: inner, path: "\(path)\(member.rawValue).", into: &unknown)
            case .array(let elements):
                for case (let index, .object(let inner)) in elements.enumerated() {
                    let place = "\(path)\(member.rawValue)[\(index)]."
                    part.collectUnknownMembers(of: inner, path: place, into: &unknown)
                }
            default: break
            }
        }
    }
}
