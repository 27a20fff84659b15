/// The few members of a payload that verification, routing and the ledger's keys need; the full document is decoded
/// elsewhere, from the same bytes.
///
/// Claims alone are only what the sender says. Those of a ``VerifiedDocument`` have been signed.
package struct DocumentClaims: Hashable, Sendable {
    /// What the document was read as.
    package var kind: DocumentKind
    /// When the App Store signed it: `signedDate`, or `receiptCreationDate` of an app transaction.
    package var signedAt: Instant?
    /// `environment` (an app transaction's `receiptType`); nil when absent or unknown.
    ///
    /// A notification takes it from the part that names its app; an external purchase token has none and is Sandbox
    /// by the prefix of its identifier, else Production (PROTOCOL.md section 1.7).
    package var environment: StoreEnvironment?
    /// `bundleId`, of a notification in the part that names its app.
    ///
    /// A renewal info has none.
    package var bundleID: BundleID?
    /// `appAppleId`: absent in Sandbox, and in transactions and renewal infos.
    package var appAppleID: Int64?
    package var transactionID: TransactionID?
    package var originalTransactionID: OriginalTransactionID?
    package var appTransactionID: AppTransactionID?
    package var appAccountToken: AppAccountToken?
    /// What only a notification has; nil for the other kinds.
    package var notification: NotificationClaims?
    /// What only documents obtained on a device have (PROTOCOL.md section 7).
    package var device: DeviceClaims?

    package init(kind: DocumentKind) { self.kind = kind }

    /// The member without which the document carries no facts, when it is absent; nil for a complete document.
    ///
    /// A document that lacks it is `malformed` when posted, and kept without facts inside a notification (API.md).
    package var missingMember: StaticString? {
        switch kind {
        case .notification:
            if notification?.id == nil { return "notificationUUID" }
        case .transaction:
            if transactionID == nil { return "transactionId" }
            if originalTransactionID == nil { return "originalTransactionId" }
        case .renewalInfo:
            if originalTransactionID == nil { return "originalTransactionId" }
        case .appTransaction:
            if appTransactionID == nil { return "appTransactionId" }
        }
        guard signedAt == nil else { return nil }
        return kind == .appTransaction ? "receiptCreationDate" : "signedDate"
    }
}

/// The members that only a notification has.
package struct NotificationClaims: Hashable, Sendable {
    /// `notificationUUID`.
    package var id: NotificationID?
    /// `notificationType` as it came.
    package var type: String?
    /// `subtype` as it came.
    package var subtype: String?
    /// The documents inside `data` and `appData`, in order of appearance; at most ``innerDocumentsMax``.
    package var inner: [InnerDocument] = []

    package init() {}

    /// Three names in two parts; a payload with more is malformed.
    package static let innerDocumentsMax = 6
}

/// A signed document inside a notification.
package struct InnerDocument: Hashable, Sendable {
    package let kind: DocumentKind
    /// Which bytes of the decoded payload hold its text, without the quotation marks.
    package let range: Range<Int>
    /// Its text, a compact JWS: equal to the bytes at ``range`` unless the payload escapes some of them.
    package let text: [UInt8]

    package init(kind: DocumentKind, range: Range<Int>, text: [UInt8]) {
        self.kind = kind
        self.range = range
        self.text = text
    }

    /// The name of its member, for a refusal.
    package var place: Rejection.Document {
        switch kind {
        case .notification: .outer
        case .transaction: .signedTransactionInfo
        case .renewalInfo: .signedRenewalInfo
        case .appTransaction: .signedAppTransactionInfo
        }
    }
}

/// The members that bind a document to the device it was obtained on.
package struct DeviceClaims: Hashable, Sendable {
    /// `deviceVerification`: base64 of a SHA-384 digest.
    package var verification: String
    /// `deviceVerificationNonce`: a UUID, as it came.
    package var nonce: String

    package init(verification: String, nonce: String) {
        self.verification = verification
        self.nonce = nonce
    }
}
