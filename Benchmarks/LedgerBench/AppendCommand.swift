internal import EventStore
internal import Glibc
internal import LedgerCore
internal import Postgres

/// `append`: appends events in batches of one size on one connection, as fast as it goes, and prints how fast.
///
/// Only the appends are timed, not the making of the events. Rates come for each `--window` of events, too. With
/// `--refunded` each event is a transaction that was refunded in part.
///
/// The events are about a million customers. With `--customer-each E` one customer comes with each E events instead,
/// besides `--customers K` (0 if left out) that earlier runs with this option have brought. `--paths FILE` gets a path for
/// each customer that asks for their entitlements.
struct AppendCommand {
    private let conninfo: String
    private let events: Int
    private let batch: Int
    private let window: Int
    private let seed: UInt64
    private let isRefunded: Bool
    private let customers: SlimCustomers
    private let pathsFile: String?

    private static let eventsMax = 100_000_000
    /// Paths in memory at a time.
    private static let pathsAtOnce = 10_000

    init(_ options: inout Options) throws(BenchError) {
        conninfo = try options.required("database")
        events = try options.requiredInteger("events", in: 1...Self.eventsMax)
        batch = try options.requiredInteger("batch", in: 1...10_000)
        window = try options.integer("window", in: 1...Self.eventsMax) ?? events
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        isRefunded = options.flag("refunded")
        customers = try Self.customers(&options)
        pathsFile = options.text("paths")
        try options.finish()
    }

    private static func customers(_ options: inout Options) throws(BenchError) -> SlimCustomers {
        let each = try options.integer("customer-each", in: SlimCustomers.eventsEachMin...1_000)
        let known = try options.integer("customers", in: 0...SlimCustomers.countMax)
        if let each { return .growing(from: known ?? 0, eventsEach: each) }
        guard known == nil else { throw .usage("--customers needs --customer-each") }
        return .million
    }

    func run() throws(BenchError) -> Int32 {
        var record = AppendRecord(window: window)
        var source = SlimUnits(seed: seed, customers: customers)
        do {
            let connection = try Connection(PostgresConfiguration(conninfo, applicationName: "LedgerBench"))
            let appender = Appender()
            while record.events < events {
                let count = min(batch, events - record.events)
                let units = isRefunded ? source.refundedTransactions(count) : source.batch(events: count)
                let begin = ContinuousClock.now
                let appended = try appender.append(units, on: connection)
                record.add(appended, ContinuousClock.now - begin)
            }
            connection.close()
        } catch { throw .database("\(error)") }
        record.endWindow()
        if let pathsFile { try write(pathsOf: source.customers, to: OutputFile(path: pathsFile)) }
        writeLine(record.json(customers: source.customers.count), to: STDOUT_FILENO)
        return record.duplicates == 0 ? 0 : 1
    }

    private func write(pathsOf customers: SlimCustomers, to file: borrowing OutputFile) throws(BenchError) {
        for start in stride(from: 0, to: customers.count, by: Self.pathsAtOnce) {
            let numbers = start..<min(start + Self.pathsAtOnce, customers.count)
            let paths = numbers.map { "/v1/entitlements?appTransactionId=\(SlimCustomers.appTransactionID($0))\n" }
            try file.write(Array(paths.joined().utf8))
        }
    }
}

/// What was appended, and how long it took.
private struct AppendRecord {
    private let window: Int
    private(set) var events = 0
    private(set) var duplicates = 0
    private var last = Position(0)
    private var time = Duration.zero
    private var windowEvents = 0
    private var windowTime = Duration.zero
    private var rates: [Int] = []

    init(window: Int) { self.window = window }

    mutating func add(_ appended: [[Appended]], _ time: Duration) {
        for event in appended.joined() {
            events += 1
            windowEvents += 1
            if event.outcome != .recorded { duplicates += 1 }
            last = max(last, event.position)
        }
        self.time += time
        windowTime += time
        if windowEvents >= window { endWindow() }
    }

    /// Ends a window; one that is not full at the end of the run counts, too.
    mutating func endWindow() {
        guard windowEvents > 0 else { return }
        rates.append(windowEvents.perSecond(in: windowTime))
        windowEvents = 0
        windowTime = .zero
    }

    func json(customers: Int) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("events", events)
        writer.member("duplicates", duplicates)
        writer.member("customers", customers)
        writer.member("positionMax", Int(last.rawValue))
        writer.member("perSecond", events.perSecond(in: time))
        writer.name("windowsPerSecond")
        writer.beginArray()
        for rate in rates { writer.integer(rate) }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Int {
    /// How many a second so many in this time are.
    func perSecond(in time: Duration) -> Int { Int((Double(self) / (time / .seconds(1))).rounded()) }
}
