import LedgerCore
import Testing

@testable import LedgerD

/// What a line of an import holds, before anything is verified.
struct ImportLineTests {
    /// A text in the form of a JWS with this payload.
    private static func text(_ payload: String) -> String {
        "e30." + String(decoding: Base64.encode(Array(payload.utf8), .url), as: UTF8.self) + ".AAAA"
    }

    private static func documents(_ line: String) throws(Rejection) -> [ImportLine.Document] {
        let end = LineReader.Place(offset: Int64(line.utf8.count), lines: 1)
        return try ImportLine(LineReader.Line(start: .start, end: end, text: Array(line.utf8))).documents
    }

    @Test(
        arguments: [
            (#"{"notificationType":"TEST","transactionId":"1"}"#, .notification),
            (#"{"transactionId":"1"}"#, .transaction),
            (#"{"autoRenewStatus":1,"originalTransactionId":"1"}"#, .renewalInfo),
            (#"{"receiptType":"Production"}"#, .appTransaction), ("{}", .transaction), ("null", .transaction),
        ] as [(String, DocumentKind)]
    )
    func `a bare document is what its payload looks like`(_ payload: String, _ kind: DocumentKind) throws {
        let text = Self.text(payload)
        for line in [text, "  \(text)\r", "\"\(text)\"", #""\u0065"# + text.dropFirst() + "\""] {
            #expect(try Self.documents(line) == [ImportLine.Document(kind: kind, text: Array(text.utf8))], "\(line)")
        }
    }

    @Test func `members say what their documents are, and others are passed over`() throws {
        let line = #"""
            {"sendAttempts":[{"signedPayload":"no"}], "signedAppTransactionInfo" : "d", "signedPayload":"a",
             "signedRenewalInfo":"c","signedTransactionInfo":"b","signedAppTransaction":"e","status":1}
            """#
        let found = try Self.documents(line).map { "\($0.kind.rawValue) \(String(decoding: $0.text, as: UTF8.self))" }
        #expect(
            found == ["appTransaction d", "notification a", "renewalInfo c", "transaction b", "appTransaction e"]
        )
    }

    @Test(arguments: ["", " ", "\t\r"])
    func `a blank line holds nothing`(_ line: String) throws { #expect(try Self.documents(line) == []) }

    @Test(arguments: [
        ("{", "malformed: The line is neither a JSON object nor a signed document (at byte 1)."),
        (
            #"{"signedPayload":"a"} x"#,
            "malformed: The line is neither a JSON object nor a signed document (at byte 22)."
        ),
        (#""a.b.c" x"#, "malformed: The line is neither a JSON object nor a signed document (at byte 8)."),
        (#""a.b.c"#, "malformed: The line is neither a JSON object nor a signed document (at byte 6)."),
        (#"{"signedPayload":null}"#, #"malformed: The member "signedPayload" must be a text."#),
        (#"{"payload":"a"}"#, "malformed: The line has none of the members that hold a signed document."),
    ])
    func `what cannot be read is said`(_ line: String, _ sentence: String) {
        #expect { try Self.documents(line) } throws: { "\($0)" == sentence }
    }
}
