/// An offer applied to one item (`offer`, PROTOCOL.md section 2.9).
package struct AdvancedCommerceOffer: DocumentPart {
    /// The duration of one offer period, ISO 8601.
    package var period: String?
    /// How many periods, 1…12.
    package var periodCount: Int64?
    /// The price of one offer period.
    package var price: Milliunits?
    /// Why the offer was made.
    package var reason: Open<AdvancedCommerceOfferReason>?

    package init() {}
}

extension AdvancedCommerceOffer {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case period
        case periodCount
        case price
        case reason
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        period = members.text(.period)
        periodCount = members.integer(.periodCount)
        price = members.value(.price)
        reason = members.value(.reason)
    }
}
