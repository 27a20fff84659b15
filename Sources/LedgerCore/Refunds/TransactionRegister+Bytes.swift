extension TransactionRegister {
    /// The form of the bytes; another one makes another shape of the projection (`ProjectionShape`).
    private static let form: Int64 = 1

    /// The renderings as bytes, from which the register can be made again: the same renderings give the same bytes.
    package var packed: [UInt8] {
        var writer = FactWriter()
        writer.integer(Self.form)
        writer.integer(Int64(renderings.count))
        for rendering in renderings { rendering.write(to: &writer) }
        return writer.bytes
    }

    /// The register of the renderings that ``packed`` wrote; it traps on anything else.
    package init(packed bytes: UnsafeBufferPointer<UInt8>) {
        var reader = unsafe FactReader(bytes)
        precondition(reader.integer() == Self.form, "renderings of another form: run ledgerd rebuild")
        let count = Int(reader.integer())
        var renderings: [RegisterRendering] = []
        renderings.reserveCapacity(count)
        for _ in 0..<count { renderings.append(RegisterRendering(&reader)) }
        self.init(renderings)
    }
}

extension RegisterRendering {
    fileprivate func write(to writer: inout FactWriter) {
        writer.text(fact.originalTransactionID.rawValue)
        fact.write(to: &writer)
        writer.integer(Int64(source.rawValue))
        writer.integer(recordedAt.milliseconds)
        writer.members { members in
            members.text(storefront)
            members.integer(items.map { Int64($0.count) })
            members.integer(items?.total?.rawValue)
            members.integer(items?.newestDate?.milliseconds)
        }
    }

    fileprivate init(_ reader: inout FactReader) {
        let line = OriginalTransactionID(rawValue: reader.text())
        let fact = TransactionFact(&reader, line: line)
        let source = EventSource(packed: reader.integer())
        self.init(fact: fact, source: source, recordedAt: Instant(milliseconds: reader.integer()))
        var presence = Presence(bits: reader.integer())
        storefront = presence.take() ? reader.text() : nil
        let count = reader.integer(&presence)
        let total = reader.integer(&presence).map(Milliunits.init(rawValue:))
        let newestDate = reader.instant(&presence)
        items = count.map { ItemRefunds(count: Int($0), total: total, newestDate: newestDate) }
    }
}

extension EventSource {
    /// The source of a number that was packed.
    init(packed number: Int64) {
        guard let source = Int16(exactly: number).flatMap(EventSource.init(rawValue:)) else {
            preconditionFailure("a packed rendering names no source")
        }
        self = source
    }
}
