import LedgerCore

/// Reads the JSON bodies of requests: members of an object, unknown ones passed over.
enum RequestBody {
    /// The signed notification of `POST /v1/notifications`.
    static func signedPayload(_ body: [UInt8]) throws(RequestError) -> [UInt8] {
        var payload: [UInt8]?
        try members(body) { name, scanner throws(RequestError) in
            guard name == "signedPayload" else { return try skip(&scanner) }
            payload = try text(&scanner, member: "signedPayload")
        }
        guard let payload else { throw .missing("signedPayload") }
        return payload
    }

    /// Reads an object; `read` must consume the value of each member.
    static func members(
        _ body: [UInt8],
        _ read: (String, inout JSONScanner) throws(RequestError) -> Void
    ) throws(RequestError) {
        var scanner = JSONScanner(body)
        var failure: RequestError?
        do throws(JSONSyntaxError) {
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                let member = scanner.string(name)
                do throws(RequestError) { try read(member, &scanner) } catch {
                    failure = failure ?? error
                    // The rest of the body is not looked at.
                    throw JSONSyntaxError(.unexpectedByte, at: scanner.offset)
                }
            }
            try scanner.finish()
        } catch {
            throw failure ?? .notJSON(offset: error.offset)
        }
    }

    static func skip(_ scanner: inout JSONScanner) throws(RequestError) {
        do throws(JSONSyntaxError) { try scanner.skipValue() } catch { throw .notJSON(offset: error.offset) }
    }

    /// Reads a text value.
    static func text(_ scanner: inout JSONScanner, member: String) throws(RequestError) -> [UInt8] {
        guard scanner.peek() == UInt8(ascii: "\"") else { throw .wrongType(member, expected: "a text") }
        do throws(JSONSyntaxError) {
            let text = try scanner.readString()
            return scanner.unescaped(text)
        } catch { throw .notJSON(offset: error.offset) }
    }

    /// Reads a list of texts with at most this many elements.
    static func texts(
        _ scanner: inout JSONScanner,
        member: String,
        countMax: Int
    ) throws(RequestError) -> [[UInt8]] {
        guard scanner.peek() == UInt8(ascii: "[") else { throw .wrongType(member, expected: "a list of texts") }
        var texts: [[UInt8]] = []
        var failure: RequestError?
        do throws(JSONSyntaxError) {
            try scanner.readArray { scanner throws(JSONSyntaxError) in
                do throws(RequestError) {
                    guard texts.count < countMax else { throw .tooMany(member, limit: countMax) }
                    texts.append(try text(&scanner, member: "\(member)[\(texts.count)]"))
                } catch {
                    failure = failure ?? error
                    throw JSONSyntaxError(.unexpectedByte, at: scanner.offset)
                }
            }
        } catch { throw failure ?? .notJSON(offset: error.offset) }
        return texts
    }
}

/// What is wrong with a request's body or query; it names the member.
enum RequestError: Error, Hashable, Sendable {
    case notJSON(offset: Int)
    case missing(String)
    case wrongType(String, expected: String)
    case tooMany(String, limit: Int)

    var problem: Problem {
        switch self {
        case .notJSON(let offset): .malformed("The body is not a JSON object (at byte \(offset)).")
        case .missing(let member): .malformed("The member \"\(member)\" is missing.")
        case .wrongType(let member, let expected): .malformed("The member \"\(member)\" must be \(expected).")
        case .tooMany(let member, let limit):
            .malformed("The member \"\(member)\" has more than \(limit) elements; send several requests.")
        }
    }
}
