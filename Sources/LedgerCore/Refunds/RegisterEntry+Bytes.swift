extension RegisterEntry {
    /// The form of the bytes; another one makes another shape of the projection (`ProjectionShape`).
    private static let form: Int64 = 1

    /// The entry as bytes: the same entry gives the same bytes.
    package var packed: [UInt8] {
        var writer = FactWriter()
        writer.integer(Self.form)
        writer.text(kind.rawValue)
        subject.write(to: &writer)
        writer.integer(statement.signedAt.milliseconds)
        writer.integer(discovery.position.rawValue)
        writer.integer(discovery.recordedAt.milliseconds)
        writer.integer(Int64(discovery.source.rawValue))
        writer.integer(happenedAt.milliseconds)
        writer.integer((endsAccess ? 1 : 0) | (takesAllBack ? 2 : 0))
        writer.members { members in
            members.integer(statement.revocationDate?.milliseconds)
            members.open(statement.revocationType)
            members.integer(statement.revocationReason?.rawValue)
            members.integer(statement.revocationPercentage?.rawValue)
            members.text(revocationClass?.rawValue)
            // The currency is the subject's.
            members.integer(amount?.amount.rawValue)
            members.text(basis?.rawValue)
            members.integer(percentage?.rawValue)
            members.integer(unitShare?.rawValue)
            members.integer(reverses?.rawValue)
        }
        writer.integer(Int64(flags.count))
        for flag in flags.sorted() { writer.text(flag.rawValue) }
        return writer.bytes
    }

    /// Reads what ``packed`` wrote; it traps on anything else.
    package init(packed bytes: UnsafeBufferPointer<UInt8>) {
        var reader = unsafe FactReader(bytes)
        precondition(reader.integer() == Self.form, "register entries of another form: run ledgerd rebuild")
        kind = Self.known(reader.text())
        subject = RegisterSubject(&reader)
        statement = Statement(signedAt: Instant(milliseconds: reader.integer()))
        discovery = Discovery(
            position: Position(reader.integer()),
            recordedAt: Instant(milliseconds: reader.integer()),
            source: EventSource(packed: reader.integer())
        )
        happenedAt = Instant(milliseconds: reader.integer())
        let bits = reader.integer()
        endsAccess = bits & 1 == 1
        takesAllBack = bits & 2 == 2
        var presence = Presence(bits: reader.integer())
        statement.revocationDate = reader.instant(&presence)
        statement.revocationType = reader.open(&presence)
        statement.revocationReason = reader.open(&presence)
        statement.revocationPercentage = reader.integer(&presence).map(Percentage.init(rawValue:))
        revocationClass = presence.take() ? Self.known(reader.text()) : nil
        let milliunits = reader.integer(&presence)
        basis = presence.take() ? Self.known(reader.text()) : nil
        percentage = reader.integer(&presence).map(Percentage.init(rawValue:))
        unitShare = reader.integer(&presence).map(Percentage.init(rawValue:))
        reverses = reader.integer(&presence).map { Position($0) }
        flags = []
        for _ in 0..<reader.integer() { flags.insert(Self.known(reader.text())) }
        let currency = subject.currency
        amount = milliunits.flatMap { number in currency.map { Money(amount: Milliunits(number), currency: $0) } }
    }

    private static func known<Value: RawRepresentable<String>>(_ text: String) -> Value {
        guard let value = Value(rawValue: text) else { preconditionFailure("a packed entry holds an unknown word") }
        return value
    }
}

extension RegisterSubject {
    fileprivate func write(to writer: inout FactWriter) {
        writer.text(transactionID.rawValue)
        writer.text(originalTransactionID.rawValue)
        writer.members { members in
            members.text(appTransactionID?.rawValue)
            members.text(appAccountToken?.rawValue)
            members.text(webOrderLineItemID?.rawValue)
            members.text(bundleID?.rawValue)
            members.text(productID?.rawValue)
            members.open(type)
            members.integer(quantity)
            members.text(storefront)
            members.integer(purchaseDate?.milliseconds)
            members.integer(expiresDate?.milliseconds)
            members.boolean(isUpgraded ? true : nil)
            members.integer(price?.amount.rawValue)
            members.text(currency?.rawValue)
        }
    }

    fileprivate init(_ reader: inout FactReader) {
        transactionID = TransactionID(rawValue: reader.text())
        originalTransactionID = OriginalTransactionID(rawValue: reader.text())
        var presence = Presence(bits: reader.integer())
        appTransactionID = reader.id(&presence)
        appAccountToken = reader.id(&presence)
        webOrderLineItemID = reader.id(&presence)
        bundleID = reader.id(&presence)
        productID = reader.id(&presence)
        type = reader.open(&presence)
        quantity = reader.integer(&presence)
        storefront = presence.take() ? reader.text() : nil
        purchaseDate = reader.instant(&presence)
        expiresDate = reader.instant(&presence)
        isUpgraded = reader.boolean(&presence) ?? false
        let milliunits = reader.integer(&presence)
        let currency: CurrencyCode? = reader.id(&presence)
        self.currency = currency
        price = milliunits.flatMap { number in currency.map { Money(amount: Milliunits(number), currency: $0) } }
    }
}
