/// A token of a purchase outside the App Store (`externalPurchaseToken`, PROTOCOL.md section 2.6).
package struct ExternalPurchaseToken: DocumentPart {
    /// The token; in Sandbox it begins with `SANDBOX`.
    package var externalPurchaseID: String?
    /// When it was made.
    package var tokenCreationDate: Instant?
    /// The App Store's number of the app; present in Sandbox too.
    package var appAppleID: Int64?
    /// The app.
    package var bundleID: BundleID?
    /// When it ends; only custom-link tokens.
    package var tokenExpirationDate: Instant?
    /// What it is for; only custom-link tokens.
    package var tokenType: Open<ExternalPurchaseTokenType>?

    package init() {}
}

extension ExternalPurchaseToken {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case externalPurchaseID = "externalPurchaseId"
        case tokenCreationDate
        case appAppleID = "appAppleId"
        case bundleID = "bundleId"
        case tokenExpirationDate
        case tokenType
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        externalPurchaseID = members.text(.externalPurchaseID)
        tokenCreationDate = members.instant(.tokenCreationDate)
        appAppleID = members.integer(.appAppleID)
        bundleID = members.value(.bundleID)
        tokenExpirationDate = members.instant(.tokenExpirationDate)
        tokenType = members.value(.tokenType)
    }
}
