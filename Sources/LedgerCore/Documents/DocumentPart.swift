/// A JSON object of the App Store's protocol that is read member by member: a whole document or an object inside one.
package protocol DocumentPart: Hashable, Sendable {
    /// The names of the members that we know, as they stand on the wire.
    associatedtype Member: RawRepresentable<String> & CaseIterable

    /// Makes the part without any member.
    init()

    /// Takes over the members; a member of another JSON type stays nil and is reported by the reader.
    mutating func read(_ members: inout MemberReader<Member>)

    /// The objects inside this one, for finding members that we don't know in them.
    static var parts: [(member: Member, type: any DocumentPart.Type)] { get }
}

extension DocumentPart {
    package static var parts: [(member: Member, type: any DocumentPart.Type)] { [] }
}
