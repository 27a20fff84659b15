/// Reads the claims out of a decoded payload.
///
/// Members that are absent or `null` are nil. A member that verification or the keys depend on and that has another
/// JSON type, or stands twice, makes the payload malformed: two readers could understand it differently.
package struct ClaimsReader: Sendable {
    /// The claims that were read.
    package private(set) var claims: DocumentClaims
    /// The kinds whose own members the payload has.
    package private(set) var looksLike: KindEvidence = []

    private var parts: [NotificationPart] = []
    private var seen: UInt32 = 0  // one bit a member
    private var hasFractionalTime = false
    private var verification: String?
    private var nonce: String?

    /// Reads the payload of a document that was asked for as this kind.
    ///
    /// - Throws: where the payload is not a JSON object of the shape in PROTOCOL.md section 2.
    package init(_ payload: [UInt8], as kind: DocumentKind) throws(JSONSyntaxError) {
        claims = DocumentClaims(kind: kind)
        if kind == .notification { claims.notification = NotificationClaims() }
        var scanner = JSONScanner(payload)
        try scanner.readObject { scanner, name throws(JSONSyntaxError) in
            guard let member = Member(name, in: scanner) else { return try scanner.skipValue() }
            guard seen & 1 << member.rawValue == 0 else { throw JSONSyntaxError(.duplicateMember, at: scanner.offset) }
            seen |= 1 << member.rawValue
            try read(member, from: &scanner)
        }
        try scanner.finish()
        if let verification, let nonce { claims.device = DeviceClaims(verification: verification, nonce: nonce) }
        if let part = parts.min(by: { $0.kind < $1.kind }) { adopt(part) }
        if hasFractionalTime, claims.environment != .xcode {
            throw JSONSyntaxError(.outOfRange, at: payload.count)  // only Xcode writes fractions (PROTOCOL.md 2.11)
        }
    }

    private mutating func read(_ member: Member, from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        looksLike.formUnion(member.evidence)
        switch (member, claims.kind) {
        case (.signedDate, .notification), (.signedDate, .transaction), (.signedDate, .renewalInfo),
            (.receiptCreationDate, .appTransaction):
            claims.signedAt = try readInstant(from: &scanner)
        case (.environment, .transaction), (.environment, .renewalInfo), (.receiptType, .appTransaction):
            claims.environment = try scanner.readOptionalString().flatMap(StoreEnvironment.init)
        case (.bundleID, .transaction), (.bundleID, .appTransaction):
            claims.bundleID = try scanner.readOptionalString().map(BundleID.init)
        case (.appAppleID, .appTransaction): claims.appAppleID = try scanner.readOptionalInteger()
        case (.transactionID, .transaction):
            claims.transactionID = try scanner.readOptionalString().map(TransactionID.init)
        case (.originalTransactionID, .transaction), (.originalTransactionID, .renewalInfo):
            claims.originalTransactionID = try scanner.readOptionalString().map(OriginalTransactionID.init)
        case (.appTransactionID, _):
            claims.appTransactionID = try scanner.readOptionalString().map(AppTransactionID.init)
        case (.appAccountToken, .transaction), (.appAccountToken, .renewalInfo):
            claims.appAccountToken = try scanner.readOptionalString().map(AppAccountToken.init)
        case (.deviceVerification, _): verification = try scanner.readOptionalString()
        case (.deviceVerificationNonce, _): nonce = try scanner.readOptionalString()
        case (.notificationID, .notification):
            claims.notification?.id = try scanner.readOptionalString().map(NotificationID.init)
        case (.notificationType, .notification): claims.notification?.type = try scanner.readOptionalString()
        case (.subtype, .notification): claims.notification?.subtype = try scanner.readOptionalString()
        case (.data, .notification), (.summary, .notification), (.externalPurchaseToken, .notification),
            (.appData, .notification):
            try readPart(member, from: &scanner)
        default: try scanner.skipValue()
        }
    }

    private mutating func readInstant(from scanner: inout JSONScanner) throws(JSONSyntaxError) -> Instant? {
        if try scanner.consumeNull() { return nil }
        let number = try scanner.readExpectedNumber()
        if number.hasFraction { hasFractionalTime = true }
        guard let value = number.integer else { throw JSONSyntaxError(.outOfRange, at: number.range.lowerBound) }
        return Instant(milliseconds: value)
    }

    private mutating func readPart(_ member: Member, from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        guard try !scanner.consumeNull() else { return }
        let part = try NotificationPart(member, from: &scanner)
        parts.append(part)
        claims.notification?.inner += part.inner
        guard let inner = claims.notification?.inner, inner.count <= NotificationClaims.innerDocumentsMax else {
            throw JSONSyntaxError(.tooMany, at: scanner.offset)
        }
    }

    private mutating func adopt(_ part: NotificationPart) {
        claims.bundleID = part.bundleID
        claims.appAppleID = part.appAppleID
        claims.environment = part.environment
    }
}

/// The kinds of document whose own members a payload has.
package struct KindEvidence: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let notification = KindEvidence(rawValue: 1)
    package static let transaction = KindEvidence(rawValue: 2)
    package static let renewalInfo = KindEvidence(rawValue: 4)
    package static let appTransaction = KindEvidence(rawValue: 8)
    /// A retention-messaging request (PROTOCOL.md section 2.8), which the ledger never takes.
    package static let retentionRequest = KindEvidence(rawValue: 16)

    package init(_ kind: DocumentKind) {
        switch kind {
        case .notification: self = .notification
        case .transaction: self = .transaction
        case .renewalInfo: self = .renewalInfo
        case .appTransaction: self = .appTransaction
        }
    }
}
