import LedgerCore

extension [UInt8] {
    /// The header of a POST to a path, up to the value of Content-Length.
    static func headOfPost(to path: String) -> [UInt8] {
        Array(
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ".utf8
        )
    }

    /// Appends a request with this header, whose body is a line of a file.
    mutating func appendPost(_ head: [UInt8], of line: Int, in lines: MappedLines) {
        unsafe lines.withLine(line) { body in
            append(contentsOf: head)
            appendDecimal(Int64(body.count))
            append(contentsOf: "\r\n\r\n".utf8)
            unsafe append(contentsOf: body)
        }
    }
}
