/// A complete request: its body has come in full and within the limits.
package struct Request: Sendable {
    /// The method as it was sent, for example `GET`.
    ///
    /// `HEAD` is to be answered like `GET`; the body is left out.
    package let method: String

    /// The bytes of the body; empty when there is none.
    package let body: [UInt8]

    private let target: RequestTarget
    private let fields: HeaderFields

    init(method: String, target: RequestTarget, fields: HeaderFields, body: [UInt8]) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The path with its escapes, beginning with `/` (or `*`), without the query.
    package var path: String { target.path }

    /// The decoded parts of the path between slashes; an escaped slash within a part is part of it.
    package var pathSegments: [String] { target.segments }

    /// The decoded names and values of the query in their order, repeated names included; `+` stands for a space.
    package var queryItems: [(name: String, value: String)] { target.queryItems }

    /// All header fields in their order, names as they were sent.
    package var headers: [(name: String, value: String)] { fields.all }

    /// The value of the first header field of a name, in whatever case; nil when there is none.
    package func header(_ name: String) -> String? { fields.value(of: name) }

    /// The token of `Authorization: Bearer …`; nil without that scheme (RFC 6750 section 2.1).
    package var bearerToken: String? {
        guard let authorization = header("Authorization") else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
