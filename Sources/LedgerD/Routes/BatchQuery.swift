import LedgerCore
import Projections

/// The body of `POST /v1/entitlements:batch`: up to 500 keys, and what every read takes.
struct BatchQuery: Sendable {
    /// A key of the request that cannot be asked for, as it came.
    struct BadKey: Sendable {
        var json: [UInt8]
    }

    /// The keys that can be asked for, in the order of the request.
    var keys: [CustomerKey] = []
    /// The others, in the order of the request.
    var badKeys: [BadKey] = []
    var scope: ReadScope

    /// - Throws: the ``Problem`` that names the member.
    init(_ body: [UInt8], served: Set<StoreEnvironment>) throws(Problem) {
        var found: (keys: [CustomerKey], bad: [BadKey])?
        var items: [(name: String, value: String)] = []
        do throws(RequestError) {
            try RequestBody.members(body) { name, scanner throws(RequestError) in
                switch name {
                case "keys": found = try Self.keys(&scanner)
                case _ where ReadScope.names.contains(name):
                    if let value = try RequestBody.scalar(&scanner, member: name) { items.append((name, value)) }
                default: try RequestBody.skip(&scanner)
                }
            }
        } catch { throw error.problem }
        guard let found else { throw RequestError.missing("keys").problem }
        (keys, badKeys) = found
        scope = try ReadScope(QueryParameters(items: items), served: served)
    }

    private static func keys(_ scanner: inout JSONScanner) throws(RequestError) -> ([CustomerKey], [BadKey]) {
        var keys: [CustomerKey] = []
        var bad: [BadKey] = []
        try RequestBody.elements(&scanner, member: "keys", expected: "a list of keys") { scanner throws(RequestError) in
            let countMax = CustomerBatchReader.keysMax
            guard keys.count + bad.count < countMax else { throw .tooMany("keys", limit: countMax) }
            _ = scanner.peek()
            let start = scanner.offset
            if let key = try key(&scanner) {
                keys.append(key)
            } else {
                bad.append(BadKey(json: Array(scanner.bytes[start..<scanner.offset])))
            }
        }
        return (keys, bad)
    }

    /// Reads one element; nil when it is not an object with exactly one key in it.
    private static func key(_ scanner: inout JSONScanner) throws(RequestError) -> CustomerKey? {
        guard scanner.peek() == UInt8(ascii: "{") else {
            try RequestBody.skip(&scanner)
            return nil
        }
        var members = 0
        var key: CustomerKey?
        do throws(JSONSyntaxError) {
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                members += 1
                guard scanner.peek() == UInt8(ascii: "\"") else { return try scanner.skipValue() }
                let value = scanner.string(try scanner.readString())
                // PostgreSQL has no text with U+0000, so nothing is stored under one.
                guard !value.isEmpty, !value.utf8.contains(0) else { return }
                key = CustomerKey(name: scanner.string(name), value: value)
            }
        } catch { throw .notJSON(offset: error.offset) }
        return members == 1 ? key : nil
    }
}
