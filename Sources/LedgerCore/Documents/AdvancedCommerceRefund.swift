/// Money given back for one item (`refunds[]`, PROTOCOL.md section 2.9).
package struct AdvancedCommerceRefund: DocumentPart {
    /// The amount, in the currency of the transaction.
    package var refundAmount: Milliunits?
    /// When it was refunded.
    package var refundDate: Instant?
    /// Why.
    package var refundReason: Open<AdvancedCommerceRefundReason>?
    /// In full, prorated, or an amount of choice.
    package var refundType: Open<AdvancedCommerceRefundType>?

    package init() {}
}

extension AdvancedCommerceRefund {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case refundAmount
        case refundDate
        case refundReason
        case refundType
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        refundAmount = members.value(.refundAmount)
        refundDate = members.instant(.refundDate)
        refundReason = members.value(.refundReason)
        refundType = members.value(.refundType)
    }
}
