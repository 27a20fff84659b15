/// Advanced Commerce details of a transaction (`advancedCommerceInfo`, PROTOCOL.md section 2.9).
package struct AdvancedCommerceTransactionInfo: DocumentPart {
    /// What the customer sees of the whole.
    package var descriptors: AdvancedCommerceDescriptors?
    /// What was bought.
    package var items: [AdvancedCommerceTransactionItem]?
    /// The duration of a period, ISO 8601.
    package var period: String?
    /// The UUID of the request that made the purchase.
    package var requestReferenceID: String?
    /// The tax category.
    package var taxCode: String?
    /// The estimated tax in the price.
    package var estimatedTax: Milliunits?
    /// The price without tax.
    package var taxExclusivePrice: Milliunits?
    /// The tax rate, a decimal number as text (`0.15`).
    package var taxRate: String?

    package init() {}
}

extension AdvancedCommerceTransactionInfo {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case descriptors
        case items
        case period
        case requestReferenceID = "requestReferenceId"
        case taxCode
        case estimatedTax
        case taxExclusivePrice
        case taxRate
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [(.descriptors, AdvancedCommerceDescriptors.self), (.items, AdvancedCommerceTransactionItem.self)]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        descriptors = members.part(.descriptors)
        items = members.parts(.items)
        period = members.text(.period)
        requestReferenceID = members.text(.requestReferenceID)
        taxCode = members.text(.taxCode)
        estimatedTax = members.value(.estimatedTax)
        taxExclusivePrice = members.value(.taxExclusivePrice)
        taxRate = members.text(.taxRate)
    }
}
