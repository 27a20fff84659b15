internal import CLoad

/// Frames HTTP/1.1 answers that have a Content-Length, from a stream that arrives in pieces.
///
/// One request is outstanding on a connection, so nothing may follow an answer.
struct ResponseReader {
    /// Header and body, as far as they have come.
    private(set) var bytes: [UInt8] = []
    /// Known once the header is complete.
    private var header: Header?

    /// What the header says.
    private struct Header {
        let status: Int
        let bodyStart: Int
        let end: Int
        let closes: Bool
    }

    static var answerBytesMax: Int { 16 << 20 }

    /// A complete answer; its body stands in ``bytes``.
    struct Answer: Hashable {
        let status: Int
        let body: Range<Int>
        /// Whether the server closes the connection after it.
        let closes: Bool
    }

    /// Whether nothing of an answer has come yet.
    var isEmpty: Bool { bytes.isEmpty }

    /// Adds what was received; the answer when it is complete.
    mutating func add(_ received: ArraySlice<UInt8>) throws(BenchError) -> Answer? {
        bytes.append(contentsOf: received)
        if header == nil { header = try readHeader() }
        guard let header, bytes.count >= header.end else { return nil }
        guard bytes.count == header.end else { throw .badResponse("bytes follow the answer") }
        return Answer(status: header.status, body: header.bodyStart..<header.end, closes: header.closes)
    }

    /// Forgets the answer and waits for the next.
    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        header = nil
    }

    private func readHeader() throws(BenchError) -> Header? {
        guard let end = find("\r\n\r\n", in: 0..<bytes.count) else {
            guard bytes.count < 16_384 else { throw .badResponse("its header does not end") }
            return nil
        }
        guard end > 12, find("HTTP/1.1 ", in: 0..<end) == 0, let status = decimal(at: 9) else {
            throw .badResponse("no status line")
        }
        var contentLength: Int?
        var closes = false
        var line = find("\r\n", in: 0..<end + 2) ?? end
        while line < end {
            let start = line + 2
            line = find("\r\n", in: start..<end + 2) ?? end
            if let value = value(of: "content-length:", in: start..<line) { contentLength = decimal(at: value) }
            if let value = value(of: "connection:", in: start..<line) {
                closes = matches("close", at: value, before: line)
            }
        }
        guard let contentLength, contentLength <= Self.answerBytesMax else {
            throw .badResponse("no Content-Length, or more than \(Self.answerBytesMax) bytes")
        }
        return Header(status: status, bodyStart: end + 4, end: end + 4 + contentLength, closes: closes)
    }

    private func find(_ text: StaticString, in range: Range<Int>) -> Int? {
        let found = unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return unsafe CLoad_find(base + range.lowerBound, range.count, text.utf8Start, text.utf8CodeUnitCount)
        }
        return found < 0 ? nil : range.lowerBound + found
    }

    /// Where the value of a field begins if the line is that field; the name in lower case, with its colon.
    private func value(of name: StaticString, in line: Range<Int>) -> Int? {
        guard matches(name, at: line.lowerBound, before: line.upperBound) else { return nil }
        var start = line.lowerBound + name.utf8CodeUnitCount
        while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
        return start
    }

    /// Compares without regard to case; the word in lower case.
    private func matches(_ word: StaticString, at start: Int, before end: Int) -> Bool {
        guard end - start >= word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for index in 0..<word.count {
                let byte = bytes[start + index]
                let lower = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
                guard unsafe lower == word[index] else { return false }
            }
            return true
        }
    }

    private func decimal(at start: Int) -> Int? {
        var value: Int?
        var index = start
        while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index], (value ?? 0) < 1 << 40 {
            value = (value ?? 0) * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return value
    }
}
