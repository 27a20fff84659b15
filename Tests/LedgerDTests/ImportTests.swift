import EventStore
import Foundation
import Glibc
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// `ledgerd import`, as a program: what it takes, what it refuses, and that it can be ended and repeated at any time.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct ImportTests {
    /// Writes a file to import into the test's folder.
    private static func write(_ bench: DaemonBench, _ bytes: [UInt8]) throws -> String {
        try bench.write("history.ndjson", bytes)
    }

    private static func arguments(_ bench: DaemonBench, _ path: String, _ options: [String] = []) throws -> [String] {
        ["import", "--config", try CommandLineTests.configure(bench), path] + options
    }

    private static func hasProgress(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + ".progress")
    }

    /// An import that has made its first batch durable, and whose second one waits in the database.
    private struct Held {
        /// The events of the first batch: all of its renewal infos but the early ones come with their transaction.
        private static let firstBatch = (ImportBatch.linesMax - ImportFile.earlyRenewals) / 4 * 6

        let process: Process
        private let errors: Pipe
        private let connection: Connection

        init(_ arguments: [String], _ path: String, in database: TestDatabase) throws {
            connection = try database.connect()
            let watch = ServerWatch(connection)
            try watch.pauseChanges(
                of: "ledger.events",
                while: "(SELECT position FROM ledger.head) >= \(Self.firstBatch)"
            )
            try watch.hold()
            (process, _, errors) = CommandLineTests.process(arguments)
            try process.run()
            let (process, errors) = (process, errors)
            if try watch.waitingBackend(for: .advisory, unless: { !process.isRunning }) == nil {
                Issue.record(
                    "it ended early: \(String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))"
                )
            }
            #expect(ImportTests.hasProgress(path))
        }

        /// Lets the database go on.
        func release() { connection.close() }

        /// Waits for the end.
        /// - Returns: what it said on standard error.
        func end() -> String {
            let said = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: said, as: UTF8.self)
        }
    }

    private static func expectWhole(_ file: ImportFile, in bench: DaemonBench) throws {
        let log = try LedgerState(bench.database)
        #expect(log.positions == Array(1...Int64(file.eventCount)))
        #expect(
            log.counts == [
                .notification: file.notifications.count,
                .transaction: file.notifications.count + file.transactions.count, .renewalInfo: file.renewals.count,
            ]
        )
        #expect(Set(log.events.map { "\($0.event.kind) \($0.event.digest)" }).count == file.eventCount)
        #expect(log.events.allSatisfy { $0.event.source == .history })
    }

    @Test func `what is imported is what the routes would have recorded`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 200, bench.store)
            let path = try Self.write(bench, file.bytes)
            let ended = try CommandLineTests.run(try Self.arguments(bench, path))
            #expect(ended.status == 0, "\(ended.errors)")
            let recorded = "\(file.documentCount) recorded, 0 known before, 0 refused"
            #expect(ended.output.contains("200 lines: \(recorded).\n"), "\(ended.output)")
            #expect(!Self.hasProgress(path))
            try Self.expectWhole(file, in: bench)
            // Every document is known to the routes, and none of them adds anything.
            let client = try bench.start().client()
            for text in file.notifications { #expect(try client.notify(text)["outcome"]?.text == "duplicate") }
            for (index, text) in file.transactions.enumerated() {
                let renewals = index < file.renewals.count ? [file.renewals[index]] : []
                let answer = try client.post(transactions: [text], renewals: renewals)
                #expect(answer["results"]?.items.allSatisfy { $0["outcome"]?.text == "duplicate" } == true)
            }
            try Self.expectWhole(file, in: bench)
            let received = Set(try LedgerState.receivedTexts(bench.database))
            for text in file.notifications + file.transactions + file.renewals { #expect(received.contains(text)) }
            // Once more, everything is known.
            let again = try CommandLineTests.run(try Self.arguments(bench, path))
            #expect(again.status == 0)
            #expect(
                again.output.contains("0 recorded, \(file.documentCount) known before, 0 refused"),
                "\(again.output)"
            )
        }
    }

    @Test func `killed in the middle, it goes on where it was, and all is there once`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 5_000, bench.store)
            let path = try Self.write(bench, file.bytes)
            let arguments = try Self.arguments(bench, path)
            let held = try Held(arguments, path, in: bench.database)
            kill(held.process.processIdentifier, SIGKILL)
            _ = held.end()
            held.release()
            #expect(held.process.terminationReason == .uncaughtSignal)
            let before = try LedgerState(bench.database).events.count
            #expect(before > 0 && before < file.eventCount)
            let ended = try CommandLineTests.run(arguments)
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(ended.errors.contains("history.ndjson: going on behind line "), "\(ended.errors)")
            #expect(ended.output.contains("5000 lines: "), "\(ended.output)")
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `SIGTERM ends it with 1 behind a batch, and it says how to go on`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 1_000, bench.store)
            let path = try Self.write(bench, file.bytes)
            let arguments = try Self.arguments(bench, path)
            let held = try Held(arguments, path, in: bench.database)
            held.process.terminate()
            held.release()
            let said = held.end()
            #expect(held.process.terminationReason == .exit && held.process.terminationStatus == 1)
            #expect(said.contains("The import was stopped.") && said.contains("the same command goes on from there"))
            #expect(try CommandLineTests.run(arguments).status == 0)
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `an outage is waited for`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 1_000, bench.store)
            let path = try Self.write(bench, file.bytes)
            let held = try Held(try Self.arguments(bench, path), path, in: bench.database)
            // This ends the session that holds the import up, too.
            try bench.database.lockOut()
            #expect(held.process.isRunning)
            try bench.database.letIn()
            held.release()
            let said = held.end()
            #expect(held.process.terminationStatus == 0, "\(said)")
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `an outage longer than the patience ends it with the place it reached, and it can be repeated`()
        async throws
    {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 1_000, bench.store)
            let path = try Self.write(bench, file.bytes)
            let held = try Held(try Self.arguments(bench, path, ["--wait", "1"]), path, in: bench.database)
            try bench.database.lockOut()
            let said = held.end()
            held.release()
            #expect(held.process.terminationReason == .exit && held.process.terminationStatus == 1)
            #expect(said.contains("The database was away for 1.0 seconds: "), "\(said)")
            #expect(said.contains("history.ndjson: stopped behind line "), "\(said)")
            try bench.database.letIn()
            #expect(try CommandLineTests.run(try Self.arguments(bench, path)).status == 0)
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `refused documents are told by line and code, and the others are taken`() async throws {
        try await withBench { bench throws in
            let good = try bench.store.document(ImportFile.subscription(1))
            let text = String(decoding: good, as: UTF8.self)
            let other = Sample.transaction("5602", purchased: ImportFile.purchased).with([
                "bundleId": "com.example.other"
            ])
            let foreign = String(decoding: try bench.store.document(other), as: UTF8.self)
            let lone = String(decoding: try bench.store.document(ImportFile.renewal(3)), as: UTF8.self)
            let lines = [
                ("{", "malformed"), (#"{"a":1}"#, "malformed"), (#"{"signedTransactionInfo":5}"#, "malformed"),
                (text, nil), ("", nil), ("  \t", nil), ("nothing", "malformed"), (#""\#(text)""#, nil),
                (String(text.dropLast(8)) + "AAAAAAAA", "badSignature"), (foreign, "bundleMismatch"),
                (#"{"signedPayload":"\#(text)"}"#, "wrongDocumentKind"), (lone, "lineUnknown"),
                (String(repeating: "x", count: LineReader.lineBytesMax + 1), "tooLarge"), (text, nil),
            ]
            let path = try Self.write(bench, Array(lines.map(\.0).joined(separator: "\r\n").utf8))
            let list = path + ".refused"
            let ended = try CommandLineTests.run(try Self.arguments(bench, path, ["--refused", list]))
            #expect(ended.status == 1)
            let expected = lines.enumerated().compactMap { index, line in line.1.map { "\(index + 1) \($0)" } }
            #expect(
                ended.output.contains(": 1 recorded, 2 known before, \(expected.count) refused."),
                "\(ended.output)"
            )
            let told = try String(contentsOf: URL(filePath: list), encoding: .utf8).split(separator: "\n").map { line in
                let entry = try JSONReader.value(of: Array(line.utf8))
                #expect(entry["detail"]?.text?.isEmpty == false && entry["retryable"]?.boolean == false)
                return "\(entry["line"]?.integer ?? 0) \(entry["code"]?.text ?? "")"
            }
            #expect(Set(told) == Set(expected) && told.count == expected.count, "\(told)")
            for entry in expected {
                let parts = entry.split(separator: " ")
                #expect(ended.errors.contains("line \(parts[0]), "), "\(entry)")
                #expect(ended.errors.contains(": \(parts[1]): "), "\(entry)")
            }
            #expect(try LedgerState(bench.database).counts == [.transaction: 1])
        }
    }

    @Test func `standard input is taken, renewal infos before their transactions included`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 700, bench.store)
            let handle = try #require(FileHandle(forReadingAtPath: try Self.write(bench, file.bytes)))
            let ended = try CommandLineTests.run(try Self.arguments(bench, "-"), input: handle)
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(ended.output.hasPrefix("standard input, 700 lines: \(file.documentCount) recorded"))
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `the progress of another file is not taken for this one's`() async throws {
        try await withBench { bench throws in
            let file = try ImportFile(lines: 100, bench.store)
            let path = try Self.write(bench, file.bytes)
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            let progress = ImportProgressFile(path: path + ".progress")
            var reached = ImportProgress()
            reached.place = LineReader.Place(offset: Int64(file.lines[0].count + 1), lines: 1)
            reached.deferred = .start
            reached.counts.refused = 7
            try progress.write(reached, for: descriptor)
            #expect(progress.read(for: descriptor) == reached)
            let other = try bench.write("other.ndjson", Array(file.bytes.reversed()))
            let otherDescriptor = open(other, O_RDONLY)
            defer { close(otherDescriptor) }
            #expect(progress.read(for: otherDescriptor) == nil)
            // Refusals of the earlier import still count.
            let ended = try CommandLineTests.run(try Self.arguments(bench, path))
            #expect(ended.status == 1)
            #expect(ended.output.contains("7 refused"), "\(ended.output)")
            try Self.expectWhole(file, in: bench)
        }
    }

    @Test func `a file that is not there, a folder, and a list that cannot be written end it with 1`() async throws {
        try await withBench { bench throws in
            for (path, options) in [
                ("/nowhere", []), ("/tmp", []), ("/dev/null", []), ("-", ["--refused", "/nowhere/x"]),
            ] {
                let ended = try CommandLineTests.run(try Self.arguments(bench, path, options))
                #expect(ended.status == 1)
                #expect(!ended.errors.isEmpty)
            }
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }
}
