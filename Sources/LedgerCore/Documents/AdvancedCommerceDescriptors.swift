/// What the customer sees of an Advanced Commerce purchase (`descriptors`, PROTOCOL.md section 2.9).
package struct AdvancedCommerceDescriptors: DocumentPart {
    /// The name.
    package var displayName: String?
    /// The description.
    package var itemDescription: String?

    package init() {}
}

extension AdvancedCommerceDescriptors {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case displayName
        case itemDescription = "description"
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        displayName = members.text(.displayName)
        itemDescription = members.text(.itemDescription)
    }
}
