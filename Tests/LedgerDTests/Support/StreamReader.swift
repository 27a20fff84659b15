import LedgerCore
import TestSupport

/// A reader of server-sent events, on a connection of its own; used by one thread.
final class StreamReader {
    /// One block of a stream.
    struct Block: Equatable {
        var id: Int64?
        /// The JSON of an event; nil in a sign of life.
        var data: [UInt8]?
    }

    private let http: TestClient
    private var received: [UInt8] = []

    /// Asks for a stream; the answer is read by ``begin()``.
    init(port: UInt16, _ query: String = "", lastEventID: String? = nil, receiveBufferBytes: Int32? = nil) throws {
        http = try TestClient(port: port, receiveBufferBytes: receiveBufferBytes)
        http.request(
            "GET",
            "/v1/events:stream\(query)",
            headers: lastEventID.map { ["Last-Event-ID: \($0)"] } ?? []
        )
    }

    /// Reads the header of the answer.
    func begin() throws -> (status: Int, headers: [String: String]) { try http.responseHeader() }

    /// The next event; signs of life are passed over.
    ///
    /// Nil when the stream has ended properly.
    func next() throws -> (id: Int64, json: JSONValue)? {
        while let block = try nextBlock() {
            if let id = block.id, let data = block.data { return (id, try JSONReader.value(of: data)) }
        }
        return nil
    }

    /// The next block; nil when the stream has ended properly.
    func nextBlock() throws -> Block? {
        while true {
            if let block = takeBlock() { return block }
            guard let chunk = try http.chunk() else { return nil }
            received += chunk
        }
    }

    /// Takes the lines up to an empty one, if it has come.
    private func takeBlock() -> Block? {
        var lines: [ArraySlice<UInt8>] = []
        var rest = received[...]
        while let end = rest.firstIndex(of: 0x0A) {
            if end == rest.startIndex {
                received.removeFirst(end + 1)
                return Block(lines)
            }
            lines.append(rest[..<end])
            rest = rest[(end + 1)...]
        }
        return nil
    }

    func close() { http.closeNow() }
}

extension StreamReader.Block {
    fileprivate init(_ lines: [ArraySlice<UInt8>]) {
        for line in lines {
            if line.starts(with: "id: ".utf8) { id = Int64(String(decoding: line.dropFirst(4), as: UTF8.self)) }
            if line.starts(with: "data: ".utf8) { data = Array(line.dropFirst(6)) }
        }
    }
}
