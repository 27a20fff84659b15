/// The fields of a request's header in their order, in one block of memory: most are never looked at.
///
/// The block is a row of records: the lengths of name and value (two bytes each, in the machine's order), then both
/// texts.
struct HeaderFields: Sendable {
    /// The records, as `CHTTP_copy_fields` writes them.
    let records: [UInt8]

    /// The bytes that a record's lengths take.
    static let lengthsBytes = 4

    /// Calls the body with each name and value until it returns false.
    func forEach(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool) {
        var next = 0
        while next < records.count {
            let nameStart = next + Self.lengthsBytes
            let valueStart = nameStart + length(at: next)
            let end = valueStart + length(at: next + 2)
            guard body(records[nameStart..<valueStart], records[valueStart..<end]) else { return }
            next = end
        }
    }

    private func length(at index: Int) -> Int {
        #if _endian(little)
            Int(records[index]) | Int(records[index + 1]) << 8
        #else
            Int(records[index]) << 8 | Int(records[index + 1])
        #endif
    }

    /// The value of the first field of a name, in whatever case; nil when there is none.
    func value(of name: String) -> String? {
        var found: String?
        forEach { candidate, value in
            guard candidate.equalsIgnoringCase(name) else { return true }
            found = String(decoding: value.trimmingBlanks, as: UTF8.self)
            return false
        }
        return found
    }

    /// All fields, names as they were sent.
    var all: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        forEach { name, value in
            fields.append(
                (String(decoding: name, as: UTF8.self), String(decoding: value.trimmingBlanks, as: UTF8.self))
            )
            return true
        }
        return fields
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are this text, ASCII letters in whatever case.
    func equalsIgnoringCase(_ text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        var index = startIndex
        for byte in text.utf8 {
            guard lowercased(self[index]) == lowercased(byte) else { return false }
            index += 1
        }
        return true
    }

    /// The bytes without the spaces and tabs around them.
    var trimmingBlanks: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
