extension LineFacts {
    /// The form of the bytes; another one makes another shape of the projection (`ProjectionShape`).
    private static let form: Int64 = 3

    /// The facts of a line as bytes: the same facts give the same bytes.
    package var packed: [UInt8] {
        var writer = FactWriter()
        writer.integer(Self.form)
        line.write(to: &writer)
        writer.integer(renewal == nil ? 0 : 1)
        renewal?.write(to: &writer)
        writer.integer(Int64(transactions.count))
        for transaction in transactions.sorted(by: { $0.transactionID < $1.transactionID }) {
            transaction.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads what ``packed`` wrote; it traps on anything else.
    package convenience init(packed bytes: UnsafeBufferPointer<UInt8>) {
        var reader = unsafe FactReader(bytes)
        precondition(reader.integer() == Self.form, "facts of another form: run ledgerd rebuild")
        let line = LineFact(&reader)
        let hasRenewal = reader.integer() == 1
        let renewal = hasRenewal ? RenewalFact(&reader, line: line.originalTransactionID) : nil
        let count = Int(reader.integer())
        var purchases: [Purchase] = []
        purchases.reserveCapacity(count)
        for _ in 0..<count { purchases.append(Purchase(TransactionFact(&reader, line: line.originalTransactionID))) }
        self.init(line: line, purchases: purchases, renewal: renewal)
    }
}

extension Rendering {
    fileprivate func write(to writer: inout FactWriter) {
        writer.integer(position.rawValue)
        writer.integer(signedAt.milliseconds)
        writer.integer((isRevoked ? 1 : 0) | (isTied ? 2 : 0))
        writer.digest(digest)
    }

    fileprivate init(_ reader: inout FactReader) {
        let position = Position(reader.integer())
        let signedAt = Instant(milliseconds: reader.integer())
        let flags = reader.integer()
        self.init(signedAt: signedAt, isRevoked: flags & 1 == 1, digest: reader.digest(), position: position)
        isTied = flags & 2 == 2
    }
}

extension LineFact {
    fileprivate func write(to writer: inout FactWriter) {
        var presence = Presence()
        presence.note(appTransactionID != nil)
        presence.note(purchaseToken != nil)
        presence.note(renewalToken != nil)
        presence.note(appleStatus != nil)
        presence.note(hasUsage)
        writer.text(originalTransactionID.rawValue)
        writer.integer(presence.bits)
        if let register = appTransactionID {
            writer.integer(register.rank.milliseconds)
            writer.text(register.value.rawValue)
        }
        if let register = purchaseToken {
            writer.integer(register.rank.purchaseDate.milliseconds)
            writer.integer(register.rank.signedAt.milliseconds)
            writer.text(register.value.rawValue)
        }
        if let register = renewalToken {
            writer.integer(register.rank.milliseconds)
            writer.text(register.value.rawValue)
        }
        if let register = appleStatus {
            writer.integer(register.rank.milliseconds)
            writer.integer(register.value)
        }
    }

    fileprivate init(_ reader: inout FactReader) {
        self.init(OriginalTransactionID(rawValue: reader.text()))
        var presence = Presence(bits: reader.integer())
        if presence.take() {
            let rank = Instant(milliseconds: reader.integer())
            appTransactionID = Register(rank: rank, value: AppTransactionID(rawValue: reader.text()))
        }
        if presence.take() {
            let purchaseDate = Instant(milliseconds: reader.integer())
            let signedAt = Instant(milliseconds: reader.integer())
            let rank = PurchaseRank(purchaseDate: purchaseDate, signedAt: signedAt)
            purchaseToken = Register(rank: rank, value: AppAccountToken(rawValue: reader.text()))
        }
        if presence.take() {
            let rank = Instant(milliseconds: reader.integer())
            renewalToken = Register(rank: rank, value: AppAccountToken(rawValue: reader.text()))
        }
        if presence.take() {
            let rank = Instant(milliseconds: reader.integer())
            appleStatus = Register(rank: rank, value: reader.integer())
        }
        hasUsage = presence.take()
    }
}

/// Members that may be absent, written and read in one order: first which are there, then those.
///
/// They are told twice, once for the mask and once for the values.
struct OptionalMembers {
    var presence = Presence()
    var isCounting = true
    var writer: FactWriter

    mutating func integer(_ value: Int64?) { note(value) { $0.integer($1) } }
    mutating func text(_ value: String?) { note(value) { $0.text($1) } }
    mutating func open<Known: PackedByPlace>(_ value: Open<Known>?) { note(value) { $0.open($1) } }
    mutating func boolean(_ value: Bool?) { integer(value.map { $0 ? 1 : 0 }) }
    /// Takes its bit in the mask and nothing else.
    mutating func flag(_ value: Bool) { note(value ? () : nil) { _, _ in } }

    private mutating func note<Value>(_ value: Value?, _ write: (inout FactWriter, Value) -> Void) {
        if isCounting { return presence.note(value != nil) }
        if let value { write(&writer, value) }
    }
}

extension FactWriter {
    /// Writes members that may be absent.
    mutating func members(_ write: (inout OptionalMembers) -> Void) {
        var members = OptionalMembers(writer: self)
        write(&members)
        members.writer.integer(members.presence.bits)
        members.isCounting = false
        write(&members)
        self = members.writer
    }
}

extension FactReader {
    mutating func integer(_ presence: inout Presence) -> Int64? { presence.take() ? integer() : nil }
    mutating func instant(_ presence: inout Presence) -> Instant? {
        integer(&presence).map(Instant.init(milliseconds:))
    }
    mutating func boolean(_ presence: inout Presence) -> Bool? { integer(&presence).map { $0 == 1 } }
    mutating func id<ID: TextIdentifier>(_ presence: inout Presence) -> ID? {
        presence.take() ? ID(rawValue: text()) : nil
    }
    mutating func open<Known: PackedByPlace>(_ presence: inout Presence) -> Open<Known>? {
        presence.take() ? open() : nil
    }
    mutating func open<Known>(_ presence: inout Presence) -> Open<Known>?
    where Known.RawValue == Int64 { integer(&presence).map(Open.init(rawValue:)) }
}

extension RenewalFact {
    fileprivate func write(to writer: inout FactWriter) {
        rendering.write(to: &writer)
        writer.members { members in
            members.text(productID?.rawValue)
            members.text(autoRenewProductID?.rawValue)
            members.integer(autoRenewStatus?.rawValue)
            members.integer(expirationIntent?.rawValue)
            members.boolean(isInBillingRetryPeriod)
            members.integer(gracePeriodExpiresDate?.milliseconds)
            members.integer(priceIncreaseStatus?.rawValue)
            members.integer(renewalDate?.milliseconds)
        }
    }

    fileprivate init(_ reader: inout FactReader, line: OriginalTransactionID) {
        self.init(rendering: Rendering(&reader), originalTransactionID: line)
        var presence = Presence(bits: reader.integer())
        productID = reader.id(&presence)
        autoRenewProductID = reader.id(&presence)
        autoRenewStatus = reader.open(&presence)
        expirationIntent = reader.open(&presence)
        isInBillingRetryPeriod = reader.boolean(&presence)
        gracePeriodExpiresDate = reader.instant(&presence)
        priceIncreaseStatus = reader.open(&presence)
        renewalDate = reader.instant(&presence)
    }
}

extension TransactionFact {
    func write(to writer: inout FactWriter) {
        writer.text(transactionID.rawValue)
        rendering.write(to: &writer)
        writer.integer(Int64(versions))
        writer.members { members in
            members.text(appTransactionID?.rawValue)
            members.text(appAccountToken?.rawValue)
            members.text(webOrderLineItemID?.rawValue)
            members.text(bundleID?.rawValue)
            members.text(productID?.rawValue)
            members.open(type)
            members.text(subscriptionGroupID?.rawValue)
            members.open(ownershipType)
            members.open(reason)
            members.integer(purchaseDate?.milliseconds)
            members.integer(expiresDate?.milliseconds)
            members.integer(quantity)
            members.boolean(isUpgraded ? true : nil)
            members.integer(revocationDate?.milliseconds)
            members.integer(revocationReason?.rawValue)
            members.open(revocationType)
            members.integer(revocationPercentage?.rawValue)
            members.integer(price?.rawValue)
            members.text(currency?.rawValue)
            members.flag(hasUsage)
        }
    }

    init(_ reader: inout FactReader, line: OriginalTransactionID) {
        let transactionID = TransactionID(rawValue: reader.text())
        let rendering = Rendering(&reader)
        self.init(
            rendering: rendering,
            transactionID: transactionID,
            originalTransactionID: line,
            versions: Int(reader.integer())
        )
        var presence = Presence(bits: reader.integer())
        appTransactionID = reader.id(&presence)
        appAccountToken = reader.id(&presence)
        webOrderLineItemID = reader.id(&presence)
        bundleID = reader.id(&presence)
        productID = reader.id(&presence)
        type = reader.open(&presence)
        subscriptionGroupID = reader.id(&presence)
        ownershipType = reader.open(&presence)
        reason = reader.open(&presence)
        purchaseDate = reader.instant(&presence)
        expiresDate = reader.instant(&presence)
        quantity = reader.integer(&presence)
        isUpgraded = reader.boolean(&presence) ?? false
        revocationDate = reader.instant(&presence)
        revocationReason = reader.open(&presence)
        revocationType = reader.open(&presence)
        revocationPercentage = reader.integer(&presence).map(Percentage.init(rawValue:))
        price = reader.integer(&presence).map(Milliunits.init(rawValue:))
        currency = reader.id(&presence)
        hasUsage = presence.take()
    }
}
