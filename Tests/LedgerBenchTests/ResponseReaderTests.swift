import Testing

@testable import LedgerBench

@Suite struct ResponseReaderTests {
    private static let text = Array(
        ("HTTP/1.1 200 OK\r\nDate: now\r\ncontent-LENGTH:  15\r\nConnection: close\r\n\r\n"
            + "{\"position\": 7}").utf8
    )

    @Test func `an answer is complete with its last byte, wherever it is cut`() throws {
        for cut in 1..<Self.text.count {
            var reader = ResponseReader()
            #expect(try reader.add(Self.text[..<cut]) == nil)
            let answer = try #require(try reader.add(Self.text[cut...]))
            #expect(answer.status == 200)
            #expect(answer.closes)
            #expect(String(decoding: reader.bytes[answer.body], as: UTF8.self) == #"{"position": 7}"#)
        }
    }

    @Test func `a reader takes the next answer after a reset`() throws {
        var reader = ResponseReader()
        for status in [503, 200] {
            reader.reset()
            let text = Array("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n".utf8)
            let answer = try #require(try reader.add(text[...]))
            #expect(answer.status == status)
            #expect(!answer.closes)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    ])
    func `what is not an answer with a length is refused`(text: String) {
        var reader = ResponseReader()
        #expect(throws: BenchError.self) { try reader.add(Array(text.utf8)[...]) }
    }
}
