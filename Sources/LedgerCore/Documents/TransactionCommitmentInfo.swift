/// The commitment that a monthly billed transaction belongs to (`commitmentInfo`, PROTOCOL.md section 2.1).
package struct TransactionCommitmentInfo: DocumentPart {
    /// The running month, 1…12.
    package var billingPeriodNumber: Int64?
    /// The months of the commitment: 12.
    package var totalBillingPeriods: Int64?
    /// When the commitment ends.
    package var commitmentExpiresDate: Instant?
    /// The price of the whole commitment; nothing is booked from it (PROTOCOL.md 9-15).
    package var commitmentPrice: Milliunits?

    package init() {}
}

extension TransactionCommitmentInfo {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case billingPeriodNumber
        case totalBillingPeriods
        case commitmentExpiresDate
        case commitmentPrice
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        billingPeriodNumber = members.integer(.billingPeriodNumber)
        totalBillingPeriods = members.integer(.totalBillingPeriods)
        commitmentExpiresDate = members.instant(.commitmentExpiresDate)
        commitmentPrice = members.value(.commitmentPrice)
    }
}
