import Glibc
import LedgerCore

/// A small HTTP client that `ledgerd dev` talks to its own daemon with, over a real socket; one request a connection.
struct LoopbackClient {
    let port: UInt16

    struct Answer {
        var status: Int
        var body: [UInt8]
    }

    func get(_ target: String) throws(DevError) -> Answer { try send("GET \(target)", body: []) }

    func post(_ target: String, body: [UInt8]) throws(DevError) -> Answer { try send("POST \(target)", body: body) }

    private func send(_ request: String, body: [UInt8]) throws(DevError) -> Answer {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw DevError("No socket could be had.") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw DevError("The daemon does not listen on port \(port).") }
        let head =
            "\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        try write(Array(head.utf8) + body, to: socket)
        return try parse(readAll(from: socket))
    }

    private func write(_ bytes: [UInt8], to socket: Int32) throws(DevError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { throw DevError("The daemon closed the connection.") }
            rest = rest.dropFirst(written)
        }
    }

    private func readAll(from socket: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    private func parse(_ answer: [UInt8]) throws(DevError) -> Answer {
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap({ Int($0) })
        else { throw DevError("The daemon's answer is not HTTP.") }
        return Answer(status: status, body: Array(text[end.upperBound...].utf8))
    }
}
