/// The usual content of a notification (`data`, PROTOCOL.md section 2.4).
package struct NotificationData: DocumentPart {
    /// The App Store's number of the app; absent in Sandbox.
    package var appAppleID: Int64?
    /// The app.
    package var bundleID: BundleID?
    /// The build of the app; a 2022 document says `_CFBundleVersion_`.
    package var bundleVersion: String?
    /// The environment of the notification and the documents in it.
    package var environment: Open<StoreEnvironment>?
    /// The transaction, a JWS that is verified on its own; absent in TEST.
    package var signedTransactionInfo: String?
    /// The renewal info, a JWS that is verified on its own; only for subscriptions.
    package var signedRenewalInfo: String?
    /// The state of the subscription when the notification was signed.
    package var status: Open<SubscriptionStatus>?
    /// Why the customer asks for a refund.
    package var consumptionRequestReason: Open<ConsumptionRequestReason>?

    package init() {}
}

extension NotificationData {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case appAppleID = "appAppleId"
        case bundleID = "bundleId"
        case bundleVersion
        case environment
        case signedTransactionInfo
        case signedRenewalInfo
        case status
        case consumptionRequestReason
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        appAppleID = members.integer(.appAppleID)
        bundleID = members.value(.bundleID)
        bundleVersion = members.text(.bundleVersion)
        environment = members.value(.environment)
        signedTransactionInfo = members.text(.signedTransactionInfo)
        signedRenewalInfo = members.text(.signedRenewalInfo)
        status = members.value(.status)
        consumptionRequestReason = members.value(.consumptionRequestReason)
    }
}
