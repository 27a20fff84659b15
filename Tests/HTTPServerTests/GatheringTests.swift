import Foundation
import TestSupport
import Testing

@testable import HTTPServer

/// Turns of the loop that bring requests, and when the sources may write.
@Suite(.timeLimit(.minutes(10))) struct GatheringTests {
    /// Answers what was asked for when a turn ends for the sources; only the loop's thread touches it while it runs.
    private final class Answering: LoopSource, @unchecked Sendable {
        /// Whose requests come one a turn, each after the one before it.
        var chain: [TestClient] = []
        private(set) var waiting: [Responder] = []
        /// How many requests were answered together.
        private(set) var batches: [Int] = []

        var registration: LoopRegistration? { nil }
        var deadline: MonotonicTime? { nil }
        func descriptorReady(_ interest: LoopInterest) {}
        func deadlineReached() {}

        func handle(_ request: Request, _ responder: Responder) {
            waiting.append(responder)
            guard !chain.isEmpty else { return }
            // The next request is there before this turn is over, and the turn is longer than gathering lasts.
            chain.removeFirst().request("GET", "/")
            Thread.sleep(forTimeInterval: 0.002)
        }

        func roundEnded() {
            guard !waiting.isEmpty else { return }
            batches.append(waiting.count)
            for responder in waiting { responder.respond(Response(status: 200)) }
            waiting = []
        }
    }

    @Test func `what comes in the turn after a request that waits is answered with it, and no turn waits for a third`()
        throws
    {
        let source = Answering()
        let ready = Event()
        try withServer(sources: [source], handler: source.handle) { (server: HTTPServer) throws in
            let clients = try (0..<6).map { _ in try TestClient(port: server.port) }
            // Accepted, all of them, and asking in a turn of their own.
            for client in clients { #expect(try client.exchange("GET", "/").status == 200) }
            let rest = OnLoopOnly(value: Array(clients.dropFirst()))
            server.onLoop {
                source.chain = rest.value
                ready.signal()
            }
            #expect(ready.wait())
            clients[0].request("GET", "/")
            for client in clients { #expect(try client.response().status == 200) }
            let batches = Mailbox<[Int]>()
            server.onLoop { batches.put(source.batches) }
            #expect(try batches.take() == Array(repeating: 1, count: 6) + [2, 2, 2])
        }
    }
}
