import Testing

@testable import LedgerCore

/// Records as RFC 4180 has them, which no spreadsheet runs.
@Suite struct CSVWriterTests {
    private func record(_ texts: [String?]) -> String {
        var csv = CSVWriter()
        for text in texts { csv.text(text) }
        csv.endRecord()
        return String(decoding: csv.bytes, as: UTF8.self)
    }

    @Test func `fields are separated by commas, and records end with CR LF`() {
        #expect(record(["a", nil, "b c", ""]) == "a,,b c,\r\n")
        var csv = CSVWriter()
        csv.integer(-3980)
        csv.integer(nil)
        csv.endRecord()
        csv.text("next")
        #expect(String(decoding: csv.bytes, as: UTF8.self) == "-3980,\r\nnext")
    }

    @Test func `a moment is written as its text is`() {
        for instant in [Instant.day(0.5), Instant(milliseconds: -1), Instant(milliseconds: 1)] {
            var csv = CSVWriter()
            csv.instant(instant)
            csv.instant(nil)
            csv.endRecord()
            #expect(String(decoding: csv.bytes, as: UTF8.self) == "\(instant),\r\n")
        }
    }

    @Test(arguments: [
        ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""),
        ("=1+1", "'=1+1"), ("+49", "'+49"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
        ("=a,\"b\"", "\"'=a,\"\"b\"\"\""), ("\r=1", "\"'\r=1\""), ("1=1", "1=1"), ("é", "é"),
    ])
    func `a text is quoted where it must be, and never a formula`(_ text: String, _ field: String) {
        #expect(record([text]) == field + "\r\n")
    }
}
