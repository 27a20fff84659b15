import FoundationEssentials

/// The payload of a document signed by the App Store.
///
/// Every member is optional, because a missing field is normal and must not make a document undecodable (PROTOCOL.md
/// section 2). Decoding is lenient per member: one of a wrong JSON type is absent and named in ``malformedMembers``.
/// Members that no version of ours knows stay in the payload's bytes; read them with ``unknownMembers(in:)``.
package protocol StoreDocument: DocumentPart {
    /// The members that had another JSON type than they should, as paths: `price`, `data.status`,
    /// `advancedCommerceInfo.items[0].price`.
    var malformedMembers: [String] { get set }
}

extension StoreDocument {
    /// Decodes a payload (the JSON bytes between the two dots of a JWS, base64url taken off).
    /// - Throws: ``DocumentDecodingError`` when the payload isn't a JSON object.
    package init(payload: some Collection<UInt8>) throws(DocumentDecodingError) {
        do {
            self = try documentDecoder.decode(Envelope<Self>.self, from: Data(payload)).document
        } catch {
            throw payload.isJSONNull ? .null : .notAnObject
        }
    }
}

/// Shared, because making one costs as much as decoding a small document; it is never configured.
private let documentDecoder = JSONDecoder()

/// Lends a document the decoder's container.
private struct Envelope<Document: StoreDocument>: Decodable {
    var document = Document()

    init(from decoder: any Decoder) throws {
        var members = MemberReader(try decoder.container(keyedBy: Document.Member.self))
        document.read(&members)
        document.malformedMembers = members.malformed
    }
}

extension Collection<UInt8> {
    /// Whether the text is `null` between white space (RFC 8259 section 2).
    fileprivate var isJSONNull: Bool {
        let text = drop(while: \.isJSONWhiteSpace)
        return text.starts(with: "null".utf8) && text.dropFirst("null".utf8.count).allSatisfy(\.isJSONWhiteSpace)
    }
}

extension UInt8 {
    fileprivate var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
