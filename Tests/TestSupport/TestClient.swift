import Glibc

/// A blocking HTTP client that can misbehave: it sends any bytes, slowly, half, or goes away.
package final class TestClient {
    /// Why no response came.
    package enum Failure: Error, CustomStringConvertible {
        case cannotConnect(errno: Int32)
        case closedTooEarly(received: String)
        case timedOut(received: String)

        package var description: String {
            switch self {
            case .cannotConnect(let errno): "cannot connect (errno \(errno))"
            case .closedTooEarly(let received): "the server closed after \"\(received)\""
            case .timedOut(let received): "nothing more came after \"\(received)\""
            }
        }
    }

    /// A response; the names of its header fields are in lower case.
    package struct Response: Equatable, Sendable {
        package var status: Int
        package var headers: [String: String]
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private var descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    ///
    /// A small receive buffer makes a slow reader stop the sender soon.
    package init(port: UInt16, receiveBufferBytes: Int32? = nil) throws {
        // Not for the processes that other tests start meanwhile: with a copy in one of them, closing it here ends nothing.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // A failing test must end: nothing here takes longer than a fraction of this, except under a sanitizer.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.cannotConnect(errno: errno) }
    }

    deinit { closeNow() }

    /// Closes the socket.
    package func closeNow() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Says that nothing more will be sent.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends everything; false when the server has closed meanwhile.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a text as UTF-8.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a request with the header fields that every request needs.
    @discardableResult
    package func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) -> Bool {
        var fields = ["Host: test"] + headers
        if let body { fields.append("Content-Length: \(body.utf8.count)") }
        return send("\(method) \(target) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? ""))
    }

    /// Reads the next response; an interim response (1xx) counts as one.
    package func response(toHead: Bool = false) throws -> Response {
        while true {
            if let end = endOfHeader { return try response(headerEnd: end, toHead: toHead) }
            try receive()
        }
    }

    /// Sends a request and reads its response.
    package func exchange(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws
        -> Response
    {
        request(method, target, headers: headers, body: body)
        return try response(toHead: method == "HEAD")
    }

    /// Reads what comes until the server closes (or resets) the connection.
    package func readToEnd() throws -> [UInt8] {
        do {
            while true { try receive() }
        } catch Failure.closedTooEarly {
            defer { received = [] }
            return received
        }
    }

    /// Lets other threads run; for loops that look at a counter until it changes.
    package func yield() { sched_yield() }

    /// Reads one chunk of a chunked body; nil for the last one.
    package func chunk() throws -> [UInt8]? {
        let size = try line()
        guard let count = Int(size, radix: 16) else { throw Failure.closedTooEarly(received: size) }
        let bytes = try take(count)
        _ = try take(2)
        return count == 0 ? nil : bytes
    }

    /// Reads the header of a response whose body the test reads itself.
    package func responseHeader() throws -> (status: Int, headers: [String: String]) {
        let response = try response(toHead: true)
        return (response.status, response.headers)
    }

    private var endOfHeader: Int? {
        received.indices.first { received[$0...].starts(with: Array("\r\n\r\n".utf8)) }.map { $0 + 4 }
    }

    private func response(headerEnd: Int, toHead: Bool) throws -> Response {
        let lines = String(decoding: received[..<headerEnd], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(headerEnd)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let statusLine = (lines.first ?? "").split(separator: " ")
        guard statusLine.count > 1, let status = Int(statusLine[1]) else {
            throw Failure.closedTooEarly(received: "no status line: \(lines)")
        }
        var response = Response(status: status, headers: headers, body: [])
        if toHead || response.status < 200 || response.status == 204 || response.status == 304 { return response }
        if let length = headers["content-length"].flatMap(Int.init) {
            response.body = try take(length)
        } else if headers["transfer-encoding"] == "chunked" {
            while let chunk = try chunk() { response.body += chunk }
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count { try receive() }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    private func line() throws -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: try take(end + 1).dropLast(2), as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        let soFar = { String(decoding: self.received.suffix(200), as: UTF8.self) }
        if count < 0, errno == EAGAIN { throw Failure.timedOut(received: soFar()) }
        guard count > 0 else { throw Failure.closedTooEarly(received: soFar()) }
        received += buffer[..<count]
    }
}
