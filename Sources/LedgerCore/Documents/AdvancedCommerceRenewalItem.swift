/// One item of the next period of an Advanced Commerce subscription (PROTOCOL.md section 2.9).
package struct AdvancedCommerceRenewalItem: DocumentPart {
    /// The item, a name of the developer (at most 128 characters).
    package var sku: String?
    /// The name that the customer sees (at most 30 characters).
    package var displayName: String?
    /// The description that the customer sees (at most 45 characters).
    package var itemDescription: String?
    /// The price, in the currency of the renewal info.
    package var price: Milliunits?
    /// The offer applied.
    package var offer: AdvancedCommerceOffer?
    /// A coming price increase.
    package var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    package init() {}
}

extension AdvancedCommerceRenewalItem {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case sku = "SKU"
        case displayName
        case itemDescription = "description"
        case price
        case offer
        case priceIncreaseInfo
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [(.offer, AdvancedCommerceOffer.self), (.priceIncreaseInfo, AdvancedCommercePriceIncreaseInfo.self)]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        sku = members.text(.sku)
        displayName = members.text(.displayName)
        itemDescription = members.text(.itemDescription)
        price = members.value(.price)
        offer = members.part(.offer)
        priceIncreaseInfo = members.part(.priceIncreaseInfo)
    }
}
