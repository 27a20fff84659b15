/// A coming price increase of one item (`priceIncreaseInfo`, PROTOCOL.md section 2.9).
package struct AdvancedCommercePriceIncreaseInfo: DocumentPart {
    /// The items whose prices rise with it.
    package var dependentSKUs: [String]?
    /// The new price.
    package var price: Milliunits?
    /// How far it is.
    package var status: Open<AdvancedCommercePriceIncreaseStatus>?

    package init() {}
}

extension AdvancedCommercePriceIncreaseInfo {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case dependentSKUs
        case price
        case status
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        dependentSKUs = members.texts(.dependentSKUs)
        price = members.value(.price)
        status = members.value(.status)
    }
}
