import Foundation
import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// A source that reads a pipe; its test writes.
private final class PipeSource: LoopSource {
    private(set) var readEnd: Int32 = -1
    private var generation = 0
    let bytes = Mailbox<UInt8>()
    let deadlines = Mailbox<Bool>()
    var rounds = 0
    var deadline: MonotonicTime?

    var registration: LoopRegistration? {
        readEnd < 0 ? nil : LoopRegistration(descriptor: readEnd, interest: .read, generation: generation)
    }

    /// Takes a new pipe, whose read end may get the number of the old one; the write end is the caller's.
    func reconnect() -> Int32 {
        if readEnd >= 0 { close(readEnd) }
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        readEnd = ends[0]
        generation += 1
        return ends[1]
    }

    func descriptorReady(_ interest: LoopInterest) {
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) == 1 { bytes.put(byte) }
    }

    func deadlineReached() {
        deadline = nil
        deadlines.put(true)
    }

    func roundEnded() { rounds += 1 }

    deinit { if readEnd >= 0 { close(readEnd) } }
}

@Suite(.timeLimit(.minutes(10))) struct LoopTests {
    private func write(_ byte: UInt8, to descriptor: Int32) {
        var byte = byte
        #expect(Glibc.write(descriptor, &byte, 1) == 1)
    }

    @Test func `work runs on the loop's thread in its order`() throws {
        let numbers = Mailbox<(Int, Bool)>()
        try withServer(handler: echo) { (server: HTTPServer) throws in
            #expect(!server.isLoopThread)
            for index in 0..<1000 { server.onLoop { numbers.put((index, server.isLoopThread)) } }
            for index in 0..<1000 { #expect(try numbers.take() == (index, true)) }
        }
    }

    @Test func `work that waits has a limit`() throws {
        try withServer(handler: echo) { (server: HTTPServer) throws in
            let gate = Event()
            let isHeld = Event()
            server.onLoop {
                isHeld.signal()
                _ = gate.wait()
            }
            #expect(isHeld.wait())
            var taken = 0
            while server.onLoop({}) { taken += 1 }
            #expect(taken == LoopInbox.workMax)
            gate.signal()
        }
    }

    @Test func `a source reads in the loop, and its answers leave with it`() throws {
        let source = PipeSource()
        let writeEnd = source.reconnect()
        defer { close(writeEnd) }
        try withServer(sources: [source], handler: echo) { (server: HTTPServer) throws in
            for byte in 1...100 as ClosedRange<UInt8> {
                write(byte, to: writeEnd)
                #expect(try source.bytes.take() == byte)
            }
            #expect(try TestClient(port: server.port).exchange("GET", "/").status == 200)
        }
    }

    @Test func `a source that reconnects is watched again, even under the same number`() throws {
        let source = PipeSource()
        var writeEnd = source.reconnect()
        defer { close(writeEnd) }
        try withServer(sources: [source], handler: echo) { (server: HTTPServer) throws in
            let shared = OnLoopOnly(value: source)
            for byte in 1...20 as ClosedRange<UInt8> {
                let replaced = Mailbox<Int32>()
                server.onLoop { replaced.put(shared.value.reconnect()) }
                close(writeEnd)
                writeEnd = try replaced.take()
                write(byte, to: writeEnd)
                #expect(try source.bytes.take() == byte)
            }
        }
    }

    @Test func `a source is called at its deadline and after each round`() throws {
        let source = PipeSource()
        try withServer(sources: [source], handler: echo) { (server: HTTPServer) throws in
            let shared = OnLoopOnly(value: source)
            for _ in 0..<5 {
                server.onLoop { shared.value.deadline = MonotonicTime.now + .milliseconds(2) }
                #expect(try source.deadlines.take())
            }
            let rounds = Mailbox<Int>()
            server.onLoop { rounds.put(shared.value.rounds) }
            #expect(try rounds.take() >= 5)
        }
    }

    /// A source that answers a round later what was asked in the one before, as a database connection does.
    private final class NextRound: LoopSource {
        var asked: [(Request, Responder)] = []
        var sent: [(Request, Responder)] = []
        var largestBatch = 0
        var registration: LoopRegistration? { nil }
        var deadline: MonotonicTime? { sent.isEmpty ? nil : MonotonicTime(nanoseconds: 0) }
        func descriptorReady(_ interest: LoopInterest) {}
        func deadlineReached() {
            let answered = sent
            sent = []
            for (request, responder) in answered { echo(request, responder) }
        }
        func roundEnded() {
            guard sent.isEmpty else { return }
            swap(&asked, &sent)
            largestBatch = max(largestBatch, sent.count)
        }
    }

    @Test func `what clients ask in one round reaches a source together, and comes back without a hop`() throws {
        let source = NextRound()
        try withServer(sources: [source], handler: { source.asked.append(($0, $1)) }) { (server: HTTPServer) throws in
            let clients = try (0..<20).map { _ in try TestClient(port: server.port) }
            for number in 0..<50 {
                for (index, client) in clients.enumerated() { client.request("GET", "/\(index)/\(number)") }
                for (index, client) in clients.enumerated() {
                    #expect(try client.response().text == "GET /\(index)/\(number) ")
                }
            }
            let shared = OnLoopOnly(value: source)
            let batch = Mailbox<Int>()
            server.onLoop { batch.put(shared.value.largestBatch) }
            #expect(try batch.take() > 1)
        }
    }
}
