extension ClaimsReader {
    /// The members at the top of a payload that are read, or that tell which kind of document it is.
    enum Member: UInt8, Hashable {
        case signedDate, receiptCreationDate, environment, receiptType
        case bundleID, appAppleID, transactionID, originalTransactionID, appTransactionID, appAccountToken
        case deviceVerification, deviceVerificationNonce
        case notificationID, notificationType, subtype
        case data, summary, externalPurchaseToken, appData
        case autoRenewStatus, autoRenewProductID, userLocale

        /// The member of this name, or nil for one that is not read.
        ///
        /// By length first: most names end there.
        init?(_ name: JSONScanner.Text, in scanner: JSONScanner) {
            if name.isEscaped {
                guard let match = Self.allNames.first(where: { scanner.holds($0.name, at: name) }) else { return nil }
                self = match.member
                return
            }
            let candidates = Self.namesByLength
            guard name.range.count < candidates.count else { return nil }
            for candidate in candidates[name.range.count] where scanner.holds(candidate.name, at: name) {
                self = candidate.member
                return
            }
            return nil
        }

        /// The kind that alone has this member.
        var evidence: KindEvidence {
            switch self {
            case .transactionID: .transaction
            case .autoRenewStatus, .autoRenewProductID: .renewalInfo
            case .receiptType, .receiptCreationDate: .appTransaction
            case .notificationType, .notificationID: .notification
            case .userLocale: .retentionRequest
            case .signedDate, .environment, .bundleID, .appAppleID, .originalTransactionID, .appTransactionID,
                .appAccountToken, .deviceVerification, .deviceVerificationNonce, .subtype, .data, .summary,
                .externalPurchaseToken, .appData:
                []
            }
        }

        private static let allNames: [(name: StaticString, member: Member)] = [
            ("signedDate", .signedDate), ("receiptCreationDate", .receiptCreationDate),
            ("environment", .environment), ("receiptType", .receiptType), ("bundleId", .bundleID),
            ("appAppleId", .appAppleID), ("transactionId", .transactionID),
            ("originalTransactionId", .originalTransactionID), ("appTransactionId", .appTransactionID),
            ("appAccountToken", .appAccountToken), ("deviceVerification", .deviceVerification),
            ("deviceVerificationNonce", .deviceVerificationNonce), ("notificationUUID", .notificationID),
            ("notificationType", .notificationType), ("subtype", .subtype), ("data", .data), ("summary", .summary),
            ("externalPurchaseToken", .externalPurchaseToken), ("appData", .appData),
            ("autoRenewStatus", .autoRenewStatus), ("autoRenewProductId", .autoRenewProductID),
            ("userLocale", .userLocale),
        ]

        private static let namesByLength: [[(name: StaticString, member: Member)]] = {
            let longest = allNames.map(\.name.utf8CodeUnitCount).max() ?? 0
            return (0...longest).map { length in allNames.filter { $0.name.utf8CodeUnitCount == length } }
        }()
    }
}

/// The part of a notification that names its app: which one it is, and what it says.
struct NotificationPart {
    /// In the order in which a part supplies app and environment (PROTOCOL.md section 1.7).
    enum Kind: Int, Comparable {
        case data, summary, externalPurchaseToken, appData
        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    let kind: Kind
    private(set) var bundleID: BundleID?
    private(set) var appAppleID: Int64?
    private(set) var environment: StoreEnvironment?
    private(set) var inner: [InnerDocument] = []
    private var seen: Set<String> = []

    init(_ member: ClaimsReader.Member, from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        kind =
            switch member {
            case .summary: .summary
            case .externalPurchaseToken: .externalPurchaseToken
            case .appData: .appData
            default: .data
            }
        guard scanner.peek() == UInt8(ascii: "{") else { throw JSONSyntaxError(.wrongType, at: scanner.offset) }
        try scanner.readObject { scanner, name throws(JSONSyntaxError) in try read(name, from: &scanner) }
        // The token has no environment of its own, even if a member of that name should appear.
        if kind == .externalPurchaseToken, environment == nil { environment = .production }
    }

    private mutating func read(
        _ name: JSONScanner.Text,
        from scanner: inout JSONScanner
    ) throws(JSONSyntaxError) {
        func isNew(_ member: String) throws(JSONSyntaxError) {
            guard seen.insert(member).inserted else { throw JSONSyntaxError(.duplicateMember, at: scanner.offset) }
        }
        let word = scanner.string(name)
        switch (word, kind) {
        case ("bundleId", _):
            try isNew(word)
            bundleID = try scanner.readOptionalString().map(BundleID.init)
        case ("appAppleId", _):
            try isNew(word)
            appAppleID = try scanner.readOptionalInteger()
        case ("environment", .data), ("environment", .summary), ("environment", .appData):
            try isNew(word)
            environment = try scanner.readOptionalString().flatMap(StoreEnvironment.init)
        case ("externalPurchaseId", .externalPurchaseToken):
            try isNew(word)
            let isSandbox = try scanner.readOptionalString()?.hasPrefix("SANDBOX") ?? false
            environment = isSandbox ? .sandbox : .production
        case ("signedTransactionInfo", .data), ("signedTransactionInfo", .appData):
            try isNew(word)
            try readInner(.transaction, from: &scanner)
        case ("signedRenewalInfo", .data), ("signedRenewalInfo", .appData):
            try isNew(word)
            try readInner(.renewalInfo, from: &scanner)
        case ("signedAppTransactionInfo", .data), ("signedAppTransactionInfo", .appData):
            try isNew(word)
            try readInner(.appTransaction, from: &scanner)
        default: try scanner.skipValue()
        }
    }

    private mutating func readInner(
        _ kind: DocumentKind,
        from scanner: inout JSONScanner
    ) throws(JSONSyntaxError) {
        guard try !scanner.consumeNull() else { return }
        let text = try scanner.readExpectedString()
        inner.append(InnerDocument(kind: kind, range: text.range, text: scanner.unescaped(text)))
    }
}

extension JSONScanner {
    /// Consumes a string, or `null` as nil.
    ///
    /// One with U+0000 is refused: claims become columns and keys, and no column of PostgreSQL can hold it.
    mutating func readOptionalString() throws(JSONSyntaxError) -> String? {
        if try consumeNull() { return nil }
        let text = try readExpectedString()
        let value = string(text)
        guard !text.isEscaped || !value.utf8.contains(0) else {
            throw JSONSyntaxError(.nullCharacter, at: text.range.lowerBound)
        }
        return value
    }

    /// Consumes an integer, or `null` as nil.
    mutating func readOptionalInteger() throws(JSONSyntaxError) -> Int64? {
        if try consumeNull() { return nil }
        let number = try readExpectedNumber()
        guard let value = number.integer, !number.hasFraction else {
            throw JSONSyntaxError(.outOfRange, at: number.range.lowerBound)
        }
        return value
    }

    /// Consumes a string; another type, or half of a surrogate pair, is an error of the member, not of the text.
    mutating func readExpectedString() throws(JSONSyntaxError) -> Text {
        guard peek() == UInt8(ascii: "\"") else { throw JSONSyntaxError(.wrongType, at: offset) }
        let text = try readString()
        guard text.isReadable else { throw JSONSyntaxError(.loneSurrogate, at: text.range.lowerBound) }
        return text
    }

    /// Consumes a number; another type is an error of the member, not of the text.
    mutating func readExpectedNumber() throws(JSONSyntaxError) -> Number {
        guard let first = peek(), first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
            throw JSONSyntaxError(.wrongType, at: offset)
        }
        return try readNumber()
    }
}
