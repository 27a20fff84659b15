/// One item of an Advanced Commerce purchase (PROTOCOL.md section 2.9).
///
/// Items are refunded and revoked one by one while the transaction stays valid.
package struct AdvancedCommerceTransactionItem: DocumentPart {
    /// The item, a name of the developer (at most 128 characters).
    package var sku: String?
    /// The name that the customer sees (at most 30 characters).
    package var displayName: String?
    /// The description that the customer sees (at most 45 characters).
    package var itemDescription: String?
    /// The price, in the currency of the transaction.
    package var price: Milliunits?
    /// The offer applied.
    package var offer: AdvancedCommerceOffer?
    /// The refunds of this item.
    package var refunds: [AdvancedCommerceRefund]?
    /// When this item was revoked.
    package var revocationDate: Instant?

    package init() {}
}

extension AdvancedCommerceTransactionItem {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case sku = "SKU"
        case displayName
        case itemDescription = "description"
        case price
        case offer
        case refunds
        case revocationDate
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [(.offer, AdvancedCommerceOffer.self), (.refunds, AdvancedCommerceRefund.self)]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        sku = members.text(.sku)
        displayName = members.text(.displayName)
        itemDescription = members.text(.itemDescription)
        price = members.value(.price)
        offer = members.part(.offer)
        refunds = members.parts(.refunds)
        revocationDate = members.instant(.revocationDate)
    }
}
