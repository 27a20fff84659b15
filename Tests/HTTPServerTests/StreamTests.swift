import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct ResponseStreamTests {
    private func take(_ stream: ResponseStream, _ count: Int) -> (ResponseStream.Taken, [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = bytes.withUnsafeMutableBytes { stream.take(into: $0) }
        if case .bytes(let count, _) = taken { return (taken, Array(bytes[..<count])) }
        return (taken, [])
    }

    @Test func `a piece that does not fit is refused whole, and the writer is told once there is room`() {
        let stream = ResponseStream(bufferBytesMax: 10)
        #expect(stream.write([1, 2, 3, 4, 5, 6]) == .accepted)
        #expect(stream.write([7, 8, 9, 10, 11]) == .full)
        #expect(stream.write([7, 8, 9, 10]) == .accepted)
        #expect(take(stream, 4) == (.bytes(4, isDrained: false), [1, 2, 3, 4]))
        #expect(take(stream, 1) == (.bytes(1, isDrained: true), [5]))
        #expect(take(stream, 9) == (.bytes(5, isDrained: false), [6, 7, 8, 9, 10]))
        #expect(take(stream, 9).0 == .nothing)
        stream.finish()
        #expect(stream.write([1]) == .closed)
        #expect(take(stream, 9).0 == .end)
    }

    @Test func `what was written before the end is taken before the end, but not after an abort`() {
        let finished = ResponseStream()
        _ = finished.write([1])
        finished.finish()
        #expect(take(finished, 9).1 == [1])
        #expect(take(finished, 9).0 == .end)
        let aborted = ResponseStream()
        _ = aborted.write([1])
        aborted.abort()
        #expect(take(aborted, 9).0 == .failed)
    }

    @Test func `the end is told once`() {
        let endings = Mailbox<ResponseStream.Ending>()
        let stream = ResponseStream(onClose: { endings.put($0) })
        stream.close(.brokenOff)
        stream.close(.completed)
        stream.finish()
        #expect(endings.count == 1)
        #expect(stream.write([1]) == .closed)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `bytes come out as they went in, whatever the sizes of pieces and reads`(seed: UInt64) {
        var random = Generator(state: seed)
        let stream = ResponseStream(bufferBytesMax: 64)
        var written: [UInt8] = []
        var read: [UInt8] = []
        while read.count < 20_000 {
            let piece = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if stream.write(piece) == .accepted { written += piece }
            read += take(stream, Int.random(in: 1...40, using: &random)).1
        }
        #expect(read == Array(written[..<read.count]), "seed \(seed)")
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    /// A server that answers each request with a stream that the test writes to.
    private func withStream(
        bufferBytesMax: Int = 1000,
        _ configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ body: (HTTPServer, TestClient, ResponseStream, _ drained: Event, _ endings: Mailbox<ResponseStream.Ending>)
            throws -> Void
    ) throws {
        let drained = Event()
        let endings = Mailbox<ResponseStream.Ending>()
        let stream = ResponseStream(
            bufferBytesMax: bufferBytesMax,
            onDrain: { _ in drained.signal() },
            onClose: { endings.put($0) }
        )
        try withServer(configure) { request, responder in
            if request.path == "/stream" {
                responder.respond(Response(status: 200, body: .stream(stream)))
            } else {
                echo(request, responder)
            }
        } _: { server in
            try body(server, TestClient(port: server.port, receiveBufferBytes: 4096), stream, drained, endings)
        }
    }

    @Test func `each piece reaches the client when it is written, and the connection lives on`() throws {
        try withStream { (server, client, stream, _, endings) throws in
            client.request("GET", "/stream")
            #expect(try client.responseHeader().headers["transfer-encoding"] == "chunked")
            for index in 0..<50 {
                #expect(stream.write(Array("data: \(index)\n\n".utf8)) == .accepted)
                #expect(try client.chunk() == Array("data: \(index)\n\n".utf8))
            }
            stream.finish()
            #expect(try client.chunk() == nil)
            #expect(try endings.take() == .completed)
            #expect(try client.exchange("GET", "/next").text == "GET /next ")
        }
    }

    @Test func `what is written before the request is sent at once`() throws {
        try withStream { (_, client, stream, _, endings) throws in
            #expect(stream.write([1, 2]) == .accepted)
            stream.finish()
            #expect(try client.exchange("GET", "/stream").body == [1, 2])
            #expect(try endings.take() == .completed)
        }
    }

    @Test func `a slow reader holds the writer back, and gets everything`() throws {
        try withStream(bufferBytesMax: 100_000) { (server, client, stream, drained, endings) throws in
            let total = 2_000_000
            let highest = Mutex(0)
            let writer = Event()
            Thread.detachNewThread {
                var sent = 0
                while sent < total {
                    let piece = (0..<min(10_000, total - sent)).map { UInt8(truncatingIfNeeded: (sent + $0) % 251) }
                    switch stream.write(piece) {
                    case .accepted: sent += piece.count
                    case .full: _ = drained.wait()
                    case .closed: return
                    }
                    let waiting = stream.waitingBytes
                    highest.withLock { $0 = max($0, waiting) }
                }
                stream.finish()
                writer.signal()
            }
            client.request("GET", "/stream")
            _ = try client.responseHeader()
            var received = 0
            var isIntact = true
            while let chunk = try client.chunk() {
                for (index, byte) in chunk.enumerated() where byte != UInt8((received + index) % 251) {
                    isIntact = false
                }
                received += chunk.count
            }
            #expect(writer.wait())
            #expect(received == total)
            #expect(isIntact)
            #expect(highest.withLock { $0 } <= 100_000)
            #expect(try endings.take() == .completed)
        }
    }

    @Test func `the writer learns that a client has gone, though there is nothing to send`() throws {
        try withStream(bufferBytesMax: 1000, { $0.stallTimeout = .milliseconds(80) }) {
            (server, client, stream, _, endings) throws in
            client.request("GET", "/stream")
            _ = try client.responseHeader()
            client.closeNow()
            #expect(try endings.take() == .brokenOff)
            #expect(stream.write([1]) == .closed)
        }
    }

    @Test func `the writer learns that a client has gone while it is being sent to`() throws {
        try withStream { (server, client, stream, drained, endings) throws in
            client.request("GET", "/stream")
            _ = try client.responseHeader()
            client.closeNow()
            let piece = [UInt8](repeating: 0, count: 500)
            while true {
                let result = stream.write(piece)
                if result == .closed { break }
                if result == .full { client.yield() }
            }
            #expect(try endings.take() == .brokenOff)
        }
    }

    @Test func `a client that stops reading is cut off`() throws {
        try withStream(bufferBytesMax: 100_000, { $0.stallTimeout = .milliseconds(100) }) {
            (server, client, stream, _, endings) throws in
            client.request("GET", "/stream")
            let piece = [UInt8](repeating: 0, count: 100_000)
            while stream.write(piece) != .closed { client.yield() }
            #expect(try endings.take() == .brokenOff)
            #expect(server.metrics.snapshot.timeouts == 1)
        }
    }

    @Test func `an aborted stream ends without its last chunk`() throws {
        try withStream { (_, client, stream, _, endings) throws in
            client.request("GET", "/stream")
            _ = try client.responseHeader()
            _ = stream.write([7])
            #expect(try client.chunk() == [7])
            stream.abort()
            #expect(throws: TestClient.Failure.self) { try client.chunk() }
            #expect(try endings.take() == .brokenOff)
        }
    }

    @Test func `HEAD ends a stream before it begins, and nothing follows its header`() throws {
        try withStream { (_, client, stream, _, endings) throws in
            let answer = try client.exchange("HEAD", "/stream")
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == nil)
            #expect(try endings.take() == .completed)
            #expect(stream.write([1]) == .closed)
            #expect(try client.readToEnd() == [])
        }
    }

    @Test func `an HTTP 1_0 client gets a stream without chunks`() throws {
        try withStream { (_, client, stream, _, endings) throws in
            client.send("GET /stream HTTP/1.0\r\n\r\n")
            let header = try client.responseHeader()
            #expect(header.headers["transfer-encoding"] == nil)
            _ = stream.write(Array("one ".utf8))
            _ = stream.write(Array("two".utf8))
            stream.finish()
            #expect(try client.readToEnd() == Array("one two".utf8))
            #expect(try endings.take() == .completed)
        }
    }

    @Test func `many streams are written from one thread and read by their clients`() throws {
        let streams = Mailbox<ResponseStream>()
        try withServer { _ in
        } handler: { _, responder in
            let stream = ResponseStream(bufferBytesMax: 10_000)
            streams.put(stream)
            responder.respond(Response(status: 200, body: .stream(stream)))
        } _: { server in
            let clients = try (0..<32).map { _ in try TestClient(port: server.port) }
            for client in clients { client.request("GET", "/") }
            let open = try clients.map { _ in try streams.take() }
            for index in 0..<20 {
                for stream in open { #expect(stream.write(Array("\(index),".utf8)) == .accepted) }
            }
            for stream in open { stream.finish() }
            let expected = (0..<20).map { "\($0)," }.joined()
            for client in clients { #expect(try client.response().text == expected) }
        }
    }
}
