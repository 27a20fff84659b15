/// The commitment that may follow the running one (`commitmentInfo`, PROTOCOL.md section 2.2).
package struct RenewalCommitmentInfo: DocumentPart {
    /// The product of the new commitment.
    package var commitmentAutoRenewProductID: ProductID?
    /// Whether a new commitment will start.
    package var commitmentAutoRenewStatus: Open<AutoRenewStatus>?
    /// How the new commitment is billed.
    package var commitmentRenewalBillingPlanType: Open<BillingPlanType>?
    /// When the new commitment starts.
    package var commitmentRenewalDate: Instant?
    /// The price of the new commitment.
    package var commitmentRenewalPrice: Milliunits?

    package init() {}
}

extension RenewalCommitmentInfo {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case commitmentAutoRenewProductID = "commitmentAutoRenewProductId"
        case commitmentAutoRenewStatus
        case commitmentRenewalBillingPlanType
        case commitmentRenewalDate
        case commitmentRenewalPrice
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        commitmentAutoRenewProductID = members.value(.commitmentAutoRenewProductID)
        commitmentAutoRenewStatus = members.value(.commitmentAutoRenewStatus)
        commitmentRenewalBillingPlanType = members.value(.commitmentRenewalBillingPlanType)
        commitmentRenewalDate = members.instant(.commitmentRenewalDate)
        commitmentRenewalPrice = members.value(.commitmentRenewalPrice)
    }
}
