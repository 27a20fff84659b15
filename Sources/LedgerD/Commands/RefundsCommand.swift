import EventStore
import Glibc
import LedgerCore
import Postgres
import Projections

/// `ledgerd refunds`: the refund register of a window, as known now or on an earlier day.
struct RefundsCommand {
    private enum Format: String, CaseIterable {
        case table, csv, ndjson
    }

    /// Rows of one query.
    private static let pageMax = 500

    private let configuration: Configuration
    private var window: RegisterWindow
    private var knownAt: KnownAt?
    private var format = Format.table
    private var environment = StoreEnvironment.production

    /// - Throws: ``UsageError`` that names the option.
    init(_ configuration: Configuration, arguments: [String]) throws {
        self.configuration = configuration
        var rest = arguments[...]
        var dates: [String: Instant] = [:]
        var texts: [String: String] = [:]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value.") }
            switch option {
            case "--from", "--to":
                guard let instant = Instant(query: value) else {
                    throw UsageError("\(option) needs an RFC 3339 time or milliseconds since 1970.")
                }
                dates[option] = instant
            case "--known-at":
                guard let known = KnownAt(query: value) else {
                    throw UsageError("--known-at needs a position, an RFC 3339 time or milliseconds since 1970.")
                }
                knownAt = known
            case "--format":
                guard let known = Format(rawValue: value) else {
                    throw UsageError("--format is table, csv or ndjson, not \"\(value)\".")
                }
                format = known
            case "--environment":
                guard let known = StoreEnvironment(rawValue: value), known == .production || known == .sandbox else {
                    throw UsageError("--environment is Production or Sandbox, not \"\(value)\".")
                }
                environment = known
            case "--basis", "--period": texts[option] = value
            default: throw UsageError("refunds has no option \"\(option)\".")
            }
        }
        do throws(Problem) {
            window = try RegisterWindow(
                of: .refunds,
                basis: texts["--basis"],
                from: dates["--from"],
                to: dates["--to"],
                period: texts["--period"]
            )
        } catch { throw UsageError(error.detail) }
        guard window.from != nil, window.to != nil else {
            throw UsageError("refunds needs --from and --to, or --period FY2026-03.")
        }
    }

    func run() throws -> Int32 {
        let catalog = try DaemonInputs(configuration).catalog ?? .empty
        let session = DaemonSessions.reading(DaemonSessions.configuration(configuration.database))
        let connection = try eventStore { () throws(PostgresError) in try Connection(session) }
        defer { connection.close() }
        let reader = RegisterReader(connection, catalogs: CatalogShelf(initial: catalog))
        let projected = try reader.position()
        let position =
            if let knownAt { try EventReader(connection).lastPosition(knownAt: knownAt) } else { projected }
        guard position <= projected else {
            Terminal.complain("The projection stands at position \(projected), and not at \(position) yet: try again.")
            return 1
        }
        var selection = RegisterSelection(environment: environment, kinds: RegisterKind.refunds.entryKinds)
        selection.take(window)
        let maker = RegisterRowMaker(
            register: .refunds,
            reader: reader,
            selection: selection,
            position: position
        )
        return try print(selection, maker) ? 0 : 1
    }

    private func print(_ selection: RegisterSelection, _ maker: RegisterRowMaker) throws -> Bool {
        var encoder = RegisterEncoder(format == .csv ? .csv : .ndjson)
        if format == .table, !say(RefundTable.header) { return false }
        var place: RegisterPlace?
        while true {
            let items = try maker.reader.entries(
                selection,
                knownAt: maker.position,
                after: place,
                limit: Self.pageMax
            )
            let bytes =
                format == .table
                ? Array(items.map { RefundTable.line($0.row.entry) }.joined().utf8)
                : encoder.encode(try maker.rows(items))
            guard Terminal.write(bytes[...], to: STDOUT_FILENO) else { return false }
            guard items.count == Self.pageMax, let last = items.last else { break }
            place = last.place
        }
        guard format == .table else { return true }
        return say(RefundTable.footer(try maker.reader.totals(selection, knownAt: maker.position), maker.position))
    }

    private func say(_ text: String) -> Bool { Terminal.write(Array(text.utf8)[...], to: STDOUT_FILENO) }

    private func eventStore<Value>(_ body: () throws(PostgresError) -> Value) throws(EventStoreError) -> Value {
        do throws(PostgresError) { return try body() } catch { throw EventStoreError(error) }
    }
}

/// The refund register as people at a terminal read it.
private enum RefundTable {
    private static let widths = [24, 8, 20, 18, 4, 30]

    static let header = row(["happened at", "entry", "transaction", "amount", "", "product"])

    static func line(_ entry: RegisterEntry) -> String {
        row([
            entry.happenedAt.description, entry.kind.rawValue, entry.subject.transactionID.rawValue,
            entry.amount.map { units(Int128($0.amount.rawValue)) } ?? "unknown",
            entry.amount?.currency.rawValue ?? "", entry.subject.productID?.rawValue ?? "",
        ])
    }

    static func footer(_ totals: RegisterTotals, _ position: Position) -> String {
        var text = "\n"
        for total in totals.byCurrency {
            text += row([
                "", "total", "", units(total.milliunits), total.currency.rawValue,
                "\(total.refunds) refunds, \(total.reversals) reversals",
            ])
        }
        if totals.unknownAmounts > 0 { text += "\(totals.unknownAmounts) of unknown amount, in no total\n" }
        return text
            + "As known at position \(position). Derived from signed documents; Apple's financial reports are the record.\n"
    }

    /// Thousandths as units with three decimals: 3980 is 3.980.
    private static func units(_ milliunits: Int128) -> String {
        let (whole, part) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = String(part)
        return "\(milliunits < 0 ? "-" : "")\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Cells to their widths; the amount to the right.
    private static func row(_ cells: [String]) -> String {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let gap = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 3 ? gap + plain(cell.0) : plain(cell.0) + gap
        }
        return padded.joined(separator: "  ") + "\n"
    }

    /// Without characters that a terminal would obey.
    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
