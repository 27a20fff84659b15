/// The result of a mass extension of renewal dates (`summary`, PROTOCOL.md section 2.5).
package struct NotificationSummary: DocumentPart {
    /// The UUID of our request.
    package var requestIdentifier: String?
    /// The environment of the subscriptions.
    package var environment: Open<StoreEnvironment>?
    /// The App Store's number of the app; absent in Sandbox.
    package var appAppleID: Int64?
    /// The app.
    package var bundleID: BundleID?
    /// The product whose subscriptions were extended.
    package var productID: ProductID?
    /// The storefronts; absent means all of them.
    package var storefrontCountryCodes: [String]?
    /// Subscriptions that were extended.
    package var succeededCount: Int64?
    /// Subscriptions that were not.
    package var failedCount: Int64?

    package init() {}
}

extension NotificationSummary {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case requestIdentifier
        case environment
        case appAppleID = "appAppleId"
        case bundleID = "bundleId"
        case productID = "productId"
        case storefrontCountryCodes
        case succeededCount
        case failedCount
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        requestIdentifier = members.text(.requestIdentifier)
        environment = members.value(.environment)
        appAppleID = members.integer(.appAppleID)
        bundleID = members.value(.bundleID)
        productID = members.value(.productID)
        storefrontCountryCodes = members.texts(.storefrontCountryCodes)
        succeededCount = members.integer(.succeededCount)
        failedCount = members.integer(.failedCount)
    }
}
