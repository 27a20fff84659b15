/// How a customer got the app (PROTOCOL.md section 2.7): signed for a device, or for the server with fewer members.
package struct AppTransactionDocument: StoreDocument {
    /// The environment, which this document calls `receiptType`.
    package var environment: Open<StoreEnvironment>?
    /// The App Store's number of the app; only in Production.
    package var appAppleID: Int64?
    /// The app.
    package var bundleID: BundleID?
    /// The version that runs on the device; only from a device.
    package var applicationVersion: String?
    /// The App Store's number of that version; only from a device in Production.
    package var versionExternalIdentifier: Int64?
    /// When this rendering was signed; it takes the place of `signedDate`.
    package var receiptCreationDate: Instant?
    /// The first download or purchase of the app.
    package var originalPurchaseDate: Instant?
    /// The version of the first download.
    package var originalApplicationVersion: String?
    /// The platform of the first download.
    package var originalPlatform: Open<OriginalPlatform>?
    /// When the app was pre-ordered.
    package var preorderDate: Instant?
    /// The customer in this app.
    package var appTransactionID: AppTransactionID?
    /// Binds the document to a device (PROTOCOL.md section 7); only from a device.
    package var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    package var deviceVerificationNonce: String?

    package var malformedMembers: [String] = []

    package init() {}
}

extension AppTransactionDocument {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case environment = "receiptType"
        case appAppleID = "appAppleId"
        case bundleID = "bundleId"
        case applicationVersion
        case versionExternalIdentifier
        case receiptCreationDate
        case originalPurchaseDate
        case originalApplicationVersion
        case originalPlatform
        case preorderDate
        case appTransactionID = "appTransactionId"
        case deviceVerification
        case deviceVerificationNonce
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        // First, because it decides how times are read.
        environment = members.value(.environment)
        members.truncatesFractions = environment?.known == .xcode
        appAppleID = members.integer(.appAppleID)
        bundleID = members.value(.bundleID)
        applicationVersion = members.text(.applicationVersion)
        versionExternalIdentifier = members.integer(.versionExternalIdentifier)
        receiptCreationDate = members.instant(.receiptCreationDate)
        originalPurchaseDate = members.instant(.originalPurchaseDate)
        originalApplicationVersion = members.text(.originalApplicationVersion)
        originalPlatform = members.value(.originalPlatform)
        preorderDate = members.instant(.preorderDate)
        appTransactionID = members.value(.appTransactionID)
        deviceVerification = members.text(.deviceVerification)
        deviceVerificationNonce = members.text(.deviceVerificationNonce)
    }
}
