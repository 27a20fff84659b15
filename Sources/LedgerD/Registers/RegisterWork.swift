import EventStore
import HTTPServer
import LedgerCore
import Postgres
import Projections

/// A register that is being sent; a step reads some of its rows.
struct RegisterWork: StreamWork {
    /// Rows of one look at the tables: about 250 KB encoded.
    static let rowsMax = 256

    let query: RegisterQuery
    private let catalogs: CatalogShelf
    private var selection: RegisterSelection
    /// What the register is known at; nil before the first look.
    private var position: Position?
    /// What `knownAt` means, once it was found out; a second look must not see more than the first.
    private var bound: Position?
    private var place: RegisterPlace?
    /// Of a register that is not made from entries.
    private var source: (any RegisterSource)?
    /// Entries that were read, of which each gives one row at most.
    private var count = 0
    private var encoder: RegisterEncoder
    var pending: ArraySlice<UInt8> = []
    private(set) var isOver = false

    init(_ query: RegisterQuery, catalogs: CatalogShelf) {
        self.query = query
        self.catalogs = catalogs
        selection = query.selection
        switch query.cursor?.place {
        case .entry(let place): self.place = place
        case .request(let place): source = RefundRequestSource(after: place)
        case .purchase(let place): source = PurchaseSource(after: place)
        case nil: source = query.register.source
        }
        bound = query.cursor?.position
        encoder = RegisterEncoder(query.format)
    }

    var headers: [(name: String, value: String)] {
        [("Content-Type", query.format.mediaType), ("Cache-Control", "no-store")]
    }

    var isBounded: Bool { true }

    mutating func look(_ connection: Connection) throws -> StreamLook {
        let reader = RegisterReader(connection, catalogs: catalogs)
        guard let position = try stand(reader, connection) else { return .notYet }
        if query.register == .purchases, query.key != nil {
            try encodePurchases(connection, position)
            return .more
        }
        if source != nil {
            try encodeFromSource(connection, position)
            return .more
        }
        let limit = limit
        let items = try reader.entries(selection, knownAt: position, after: place, limit: limit)
        place = items.last?.place ?? place
        count += items.count
        let maker = RegisterRowMaker(
            register: query.register,
            reader: reader,
            selection: selection,
            position: position
        )
        pending += encoder.encode(try maker.rows(items))
        let isAtEnd = items.count < limit
        isOver = isAtEnd || isPageFull
        if isOver, query.format == .json { pending += try closing(maker, next: isAtEnd ? nil : place) }
        return .more
    }

    /// How many rows the next look may read.
    private var limit: Int { query.format == .json ? min(Self.rowsMax, query.limit - count) : Self.rowsMax }

    private var isPageFull: Bool { query.format == .json && count == query.limit }

    private mutating func encodeFromSource(_ connection: Connection, _ position: Position) throws {
        let limit = limit
        guard let page = try source?.next(selection, at: position, limit: limit, connection) else { return }
        count += page.readCount
        pending += encoder.encode(page.rows)
        let isAtEnd = page.readCount < limit
        isOver = isAtEnd || isPageFull
        guard isOver, query.format == .json, let source else { return }
        let next = isAtEnd ? nil : source.place.map { RegisterCursor(position: position, place: $0).text }
        pending += try RegisterEncoder.closing(next: next, position: position) { json in
            try source.writeTotals(selection, at: position, connection, to: &json)
        }
    }

    /// Where the register stands, found out with the first look; nil while the projection is not there yet.
    private mutating func stand(_ reader: RegisterReader, _ connection: Connection) throws -> Position? {
        if let position { return position }
        let projected = try reader.position()
        if bound == nil, let knownAt = query.knownAt {
            bound = try EventReader(connection).lastPosition(knownAt: knownAt)
        }
        let wanted = max(bound ?? .start, query.minPosition)
        guard projected >= wanted else {
            guard MonotonicTime.now < query.deadline else {
                throw Problem.notYetProjected(at: projected, wanted: wanted)
            }
            return nil
        }
        if let key = query.key {
            let facts = try reader.facts(of: key, in: selection.environment)
            selection.lines = facts.lines.map(\.line.originalTransactionID)
        }
        let stand = bound ?? projected
        position = stand
        return stand
    }

    /// All purchases of the key at once: a customer's own history, which is read as a whole to tell them.
    private mutating func encodePurchases(_ connection: Connection, _ position: Position) throws {
        guard let key = query.key else { preconditionFailure("a query of purchases has a key") }
        let facts = try HistoryReader(connection, catalogs: catalogs).facts(
            of: key,
            in: selection.environment,
            at: selection.at,
            upTo: position
        )
        let rows = try PurchaseReader(connection).rows(among: facts, selection)
        pending += encoder.encode(.purchases(rows))
        if query.format == .json {
            let totals = PurchaseTotals(rows.map(\.purchase))
            pending += RegisterEncoder.closing(next: nil, position: position) { totals.write(to: &$0) }
        }
        isOver = true
    }

    // MARK: Totals

    private func closing(_ maker: RegisterRowMaker, next: RegisterPlace?) throws -> [UInt8] {
        let next = next.map { RegisterCursor(position: maker.position, place: .entry($0)).text }
        guard query.register == .clawbacks else {
            let totals = try maker.reader.totals(selection, knownAt: maker.position)
            return RegisterEncoder.closing(next: next, position: maker.position) { totals.write(to: &$0) }
        }
        let totals = try clawbackTotals(maker)
        return RegisterEncoder.closing(next: next, position: maker.position) { totals.write(to: &$0) }
    }

    /// What all clawbacks of the selection add up to, read in pieces.
    private func clawbackTotals(_ maker: RegisterRowMaker) throws -> [ClawbackTotal] {
        var sums = ClawbackSums()
        var place: RegisterPlace?
        while true {
            let items = try maker.reader.entries(selection, knownAt: maker.position, after: place, limit: Self.rowsMax)
            if case .clawbacks(let rows) = try maker.rows(items) { sums.add(rows) }
            guard items.count == Self.rowsMax, let last = items.last else { return sums.byUnit }
            place = last.place
        }
    }
}

extension RegisterKind {
    /// Where its rows come from at the beginning; nil for entries.
    fileprivate var source: (any RegisterSource)? {
        switch self {
        case .refunds, .revocations, .clawbacks: nil
        case .purchases: PurchaseSource(after: nil)
        case .refundRequests: RefundRequestSource(after: nil)
        }
    }
}
