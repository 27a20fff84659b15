/// Advanced Commerce details of a renewal info (`advancedCommerceInfo`, PROTOCOL.md section 2.9).
package struct AdvancedCommerceRenewalInfo: DocumentPart {
    /// What the customer sees of the whole.
    package var descriptors: AdvancedCommerceDescriptors?
    /// What the next period will contain.
    package var items: [AdvancedCommerceRenewalItem]?
    /// The duration of a period, ISO 8601.
    package var period: String?
    /// The UUID of the request that made the purchase.
    package var requestReferenceID: String?
    /// The tax category.
    package var taxCode: String?
    /// Names the state that a later change of the subscription starts from.
    package var consistencyToken: String?

    package init() {}
}

extension AdvancedCommerceRenewalInfo {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case descriptors
        case items
        case period
        case requestReferenceID = "requestReferenceId"
        case taxCode
        case consistencyToken
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [(.descriptors, AdvancedCommerceDescriptors.self), (.items, AdvancedCommerceRenewalItem.self)]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        descriptors = members.part(.descriptors)
        items = members.parts(.items)
        period = members.text(.period)
        requestReferenceID = members.text(.requestReferenceID)
        taxCode = members.text(.taxCode)
        consistencyToken = members.text(.consistencyToken)
    }
}
