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

    /// Reads a text or a number as a text; nil for null.
    static func scalar(_ scanner: inout JSONScanner, member: String) throws(RequestError) -> String? {
        guard let first = scanner.peek() else { throw .notJSON(offset: scanner.offset) }
        switch first {
        case UInt8(ascii: "\""): return String(decoding: try text(&scanner, member: member), as: UTF8.self)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            do throws(JSONSyntaxError) {
                return String(decoding: scanner.bytes[try scanner.readNumber().range], as: UTF8.self)
            } catch { throw .notJSON(offset: error.offset) }
        case UInt8(ascii: "n"):
            try skip(&scanner)
            return nil
        default: throw .wrongType(member, expected: "a text or a number")
        }
    }

    /// Reads a list of texts with at most this many elements.
    static func texts(
        _ scanner: inout JSONScanner,
        member: String,
        countMax: Int
    ) throws(RequestError) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        try elements(&scanner, member: member, expected: "a list of texts") { scanner throws(RequestError) in
            guard texts.count < countMax else { throw .tooMany(member, limit: countMax) }
            texts.append(try text(&scanner, member: "\(member)[\(texts.count)]"))
        }
        return texts
    }

    /// Reads a list; `read` must consume each element.
    static func elements(
        _ scanner: inout JSONScanner,
        member: String,
        expected: String,
        _ read: (inout JSONScanner) throws(RequestError) -> Void
    ) throws(RequestError) {
        guard scanner.peek() == UInt8(ascii: "[") else { throw .wrongType(member, expected: expected) }
        var failure: RequestError?
        do throws(JSONSyntaxError) {
            try scanner.readArray { scanner throws(JSONSyntaxError) in
                do throws(RequestError) { try read(&scanner) } catch {
                    failure = failure ?? error
                    throw JSONSyntaxError(.unexpectedByte, at: scanner.offset)
                }
            }
        } catch { throw failure ?? .notJSON(offset: error.offset) }
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
