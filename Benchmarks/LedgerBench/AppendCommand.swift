internal import EventStore
internal import Glibc
internal import LedgerCore
internal import Postgres

/// `append`: appends events in batches of one size on one connection, as fast as it goes, and prints how fast.
///
/// Only the appends are timed, not the making of the events. Rates come for each `--window` of events, too. With
/// `--refunded` each event is a transaction that was refunded in part.
struct AppendCommand {
    private let conninfo: String
    private let events: Int
    private let batch: Int
    private let window: Int
    private let seed: UInt64
    private let isRefunded: Bool

    private static let eventsMax = 100_000_000

    init(_ options: inout Options) throws(BenchError) {
        conninfo = try options.required("database")
        events = try options.requiredInteger("events", in: 1...Self.eventsMax)
        batch = try options.requiredInteger("batch", in: 1...10_000)
        window = try options.integer("window", in: 1...Self.eventsMax) ?? events
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        isRefunded = options.flag("refunded")
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        var record = AppendRecord(window: window)
        do {
            let connection = try Connection(PostgresConfiguration(conninfo, applicationName: "LedgerBench"))
            let appender = Appender()
            var source = SlimUnits(seed: seed)
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
        writeLine(record.json, to: STDOUT_FILENO)
        return record.duplicates == 0 ? 0 : 1
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

    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("events", events)
        writer.member("duplicates", duplicates)
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
