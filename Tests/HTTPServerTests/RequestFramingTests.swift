import Testing

@testable import HTTPServer

/// Fields in the form that the library's header is copied into.
func headerFields(_ fields: [(String, String)]) -> HeaderFields {
    var records: [UInt8] = []
    for (name, value) in fields {
        for count in [name.utf8.count, value.utf8.count] {
            withUnsafeBytes(of: UInt16(count)) { records += $0 }
        }
        records += Array(name.utf8) + Array(value.utf8)
    }
    return HeaderFields(records: records)
}

@Suite struct RequestFramingTests {
    @Test(
        arguments: [
            ([], .length(0)),
            ([("Content-Length", "12")], .length(12)),
            ([("content-length", " 0 ")], .length(0)),
            ([("Content-Length", "7"), ("CONTENT-LENGTH", "7")], .length(7)),
            ([("Transfer-Encoding", "Chunked")], .chunked),
        ] as [([(String, String)], RequestFraming)]
    )
    func `a header tells where the body ends`(fields: [(String, String)], framing: RequestFraming) throws {
        #expect(
            try RequestFraming(method: "POST", isHTTP10: false, fields: headerFields([("Host", "a")] + fields))
                == framing
        )
    }

    @Test(arguments: [
        [("Content-Length", "7"), ("Content-Length", "8")],
        [("Content-Length", "7"), ("Transfer-Encoding", "chunked")],
        [("Transfer-Encoding", "chunked"), ("Content-Length", "7")],
        [("Transfer-Encoding", "gzip, chunked")],
        [("Transfer-Encoding", "xchunked")],
        [("Transfer-Encoding", "identity")],
        [("Transfer-Encoding", "")],
        [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
        [("Content-Length", "+7")],
        [("Content-Length", "7, 7")],
        [("Content-Length", "0x7")],
        [("Content-Length", "")],
        [("Content-Length", "99999999999999999999")],
        [("Transfer-Encoding ", "chunked")],
        [("", "x")],
        [("X\u{0B}", "x")],
        [("X", "a\rb")],
        [("host", "a")],
    ])
    func `a header that can be read in two ways is refused`(fields: [(String, String)]) {
        #expect(throws: Refusal.malformed) {
            try RequestFraming(method: "POST", isHTTP10: false, fields: headerFields([("Host", "a")] + fields))
        }
    }

    @Test func `HTTP 1_0 has no chunks, and a method is a token`() {
        let chunked = headerFields([("Transfer-Encoding", "chunked")])
        #expect(throws: Refusal.malformed) { try RequestFraming(method: "POST", isHTTP10: true, fields: chunked) }
        #expect(throws: Refusal.malformed) {
            try RequestFraming(method: "GE(T", isHTTP10: false, fields: headerFields([("Host", "a")]))
        }
    }

    @Test func `HTTP 1_1 needs a host, HTTP 1_0 does not`() throws {
        #expect(throws: Refusal.malformed) {
            try RequestFraming(method: "GET", isHTTP10: false, fields: headerFields([]))
        }
        #expect(try RequestFraming(method: "GET", isHTTP10: true, fields: headerFields([])) == .length(0))
    }

    @Test func `fields are found in whatever case and keep their order`() {
        let fields = headerFields([("Host", "h"), ("X-A", " 1\t"), ("x-a", "2"), ("Empty", "")])
        #expect(fields.value(of: "x-A") == "1")
        #expect(fields.value(of: "empty") == "")
        #expect(fields.value(of: "none") == nil)
        #expect(fields.all.map { "\($0.name)=\($0.value)" } == ["Host=h", "X-A=1", "x-a=2", "Empty="])
    }
}
