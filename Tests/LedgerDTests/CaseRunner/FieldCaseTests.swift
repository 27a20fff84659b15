import EventStore
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// The cases from the field, each through the interfaces of a running daemon.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct FieldCaseTests {
    /// One order of one case.
    struct Run: Sendable, CustomTestStringConvertible {
        var name: String
        var order: Int
        var testDescription: String { order == 0 ? name : "\(name), order \(order)" }
    }

    static let runs: [Run] = FieldCase.names.flatMap { name in
        let count = (try? FieldCase(named: name).orders.count) ?? 1
        return (0..<count).map { Run(name: name, order: $0) }
    }

    @Test(arguments: runs) func `the daemon answers as the case expects`(_ run: Run) async throws {
        let fieldCase = try FieldCase(named: run.name)
        try await withBench(DaemonSetup(environments: Set(fieldCase.environments))) { bench throws in
            let runner = try CaseRunner(bench)
            try runner.deliver(fieldCase.delivery(run.order))
            let log = try LedgerState(bench.database)
            #expect(log.positions == Array(Int64(1)..<Int64(log.events.count + 1)))
            let client = try runner.daemon.client()
            for question in fieldCase.questions {
                let registers = try CaseRegisters(question, client, after: log.events.count)
                for (way, set) in try Self.ask(question, runner, client, after: log.events.count) {
                    let expectation = CaseExpectation(
                        question: question,
                        set: set,
                        log: log,
                        results: runner.results,
                        transactions: try CustomerTransaction.all(of: question, client),
                        registers: registers,
                        place: "\(run.testDescription), \(question.query), \(way)"
                    )
                    expectation.check()
                }
            }
        }
    }

    /// Asks in every way that must give the same answer: about the past; and when nothing happened after the instant,
    /// at that very instant and about the future.
    private static func ask(
        _ question: FieldCase.Question,
        _ runner: CaseRunner,
        _ client: DaemonClient,
        after position: Int
    ) throws -> [(way: String, set: JSONValue)] {
        let query = "\(question.query)&minPosition=\(position)&waitMs=20000"
        func answer(_ way: String, clock: Instant, _ query: String) throws -> (String, JSONValue) {
            runner.bench.clock.now = clock
            let answer = try client.entitlements(query)
            #expect(answer.status == 200, "\(way): \(answer.text)")
            let explained = try client.get("/v1/entitlements:explain?\(query)").json
            #expect(explained.with(["products": nil]) == answer.json, "\(question.query), \(way), explained")
            return (way, answer.json)
        }
        let at = question.at.milliseconds
        var answers = [
            try answer(
                "about the past",
                clock: max(question.at, runner.latestReceipt).adding(days: 1),
                "\(query)&at=\(at)"
            )
        ]
        if runner.latestReceipt <= question.at {
            answers.append(try answer("now", clock: question.at, query))
            answers.append(try answer("about the future", clock: question.at.adding(days: -1), "\(query)&at=\(at)"))
            for other in answers.dropFirst() { #expect(other.1 == answers[0].1, "\(question.query), \(other.0)") }
        }
        return answers
    }

    @Test func `there are 58 cases, and every field of theirs is checked`() throws {
        #expect(FieldCase.names.count == 58)
        for name in FieldCase.names {
            for question in try FieldCase(named: name).questions {
                #expect(question.expect.names.isSubset(of: CaseExpectation.checked), "\(name)")
            }
        }
    }
}
