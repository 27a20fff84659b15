/// A question of retention messaging (`DecodedRealtimeRequestBody`, PROTOCOL.md section 2.8).
///
/// The App Store sends every member; whoever answers checks that.
package struct RealtimeRequestDocument: StoreDocument {
    /// The line of the subscription.
    package var originalTransactionID: OriginalTransactionID?
    /// The App Store's number of the app.
    package var appAppleID: Int64?
    /// The product that the customer is about to leave.
    package var productID: ProductID?
    /// The customer's language and region (`en-US`).
    package var userLocale: String?
    /// The UUID of the request.
    package var requestIdentifier: String?
    /// Where the identifiers of this document are valid.
    package var environment: Open<StoreEnvironment>?
    /// When it was signed.
    package var signedDate: Instant?

    package var malformedMembers: [String] = []

    package init() {}
}

extension RealtimeRequestDocument {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case originalTransactionID = "originalTransactionId"
        case appAppleID = "appAppleId"
        case productID = "productId"
        case userLocale
        case requestIdentifier
        case environment
        case signedDate
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        // First, because it decides how times are read.
        environment = members.value(.environment)
        members.truncatesFractions = environment?.known == .xcode
        originalTransactionID = members.value(.originalTransactionID)
        appAppleID = members.integer(.appAppleID)
        productID = members.value(.productID)
        userLocale = members.text(.userLocale)
        requestIdentifier = members.text(.requestIdentifier)
        signedDate = members.instant(.signedDate)
    }
}
