/// The app transaction of a customer whose guardian withdrew consent (`appData`, PROTOCOL.md section 2.6).
package struct NotificationAppData: DocumentPart {
    /// The App Store's number of the app; absent in Sandbox.
    package var appAppleID: Int64?
    /// The app.
    package var bundleID: BundleID?
    /// The environment of the app transaction.
    package var environment: Open<StoreEnvironment>?
    /// The app transaction, a JWS that is verified on its own.
    package var signedAppTransactionInfo: String?

    package init() {}
}

extension NotificationAppData {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case appAppleID = "appAppleId"
        case bundleID = "bundleId"
        case environment
        case signedAppTransactionInfo
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        appAppleID = members.integer(.appAppleID)
        bundleID = members.value(.bundleID)
        environment = members.value(.environment)
        signedAppTransactionInfo = members.text(.signedAppTransactionInfo)
    }
}
