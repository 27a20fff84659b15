import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/", "/", [], []),
        ("/v1/events?after=3&limit=&after=4", "/v1/events", ["v1", "events"], ["after=3", "limit=", "after=4"]),
        ("/a%2Fb/c%20d?q=a%26b+c%2B", "/a%2Fb/c%20d", ["a/b", "c d"], ["q=a&b c+"]),
        ("/v1/entitlements:batch?%6Bey=%C3%A9", "/v1/entitlements:batch", ["v1", "entitlements:batch"], ["key=é"]),
        ("http://host:80/x?y", "/x", ["x"], ["y="]),
        ("HTTPS://host", "/", [], []),
        ("http://host?y=1", "/", [], ["y=1"]),
        ("*", "*", ["*"], []),
        ("/?", "/", [], []),
        ("/??=&&", "/", [], ["?="]),
    ])
    func `a target is cut and decoded part by part`(raw: String, path: String, segments: [String], query: [String])
        throws
    {
        let target = try #require(RequestTarget(Array(raw.utf8)))
        #expect(target.path == path)
        #expect(target.segments == segments)
        #expect(target.queryItems.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test(arguments: [
        "", "v1", "?a", "http://", "/a#b", "/a b", "/é", "/%", "/%4", "/%zz", "/a?b=%0", "/%00", "/a?b=%00", "/%ff",
        "/\u{7f}", "/a\tb",
    ])
    func `what is no target is refused`(raw: String) { #expect(RequestTarget(Array(raw.utf8)) == nil) }

    @Test func `a name in the query is found in whatever form it was sent`() throws {
        let target = try #require(RequestTarget(Array("/?a=1&app%54ransactionId=7&b&a=2".utf8)))
        #expect(target.queryItems.map(\.name) == ["a", "appTransactionId", "b", "a"])
        #expect(target.queryItems.map(\.value) == ["1", "7", "", "2"])
    }

    @Test func `a sequence of bytes that a separator cuts in two is not UTF-8`() throws {
        #expect(RequestTarget(Array("/?a=%C3&%A9".utf8)) == nil)
        #expect(RequestTarget(Array("/%C3/%A9".utf8)) == nil)
    }
}
