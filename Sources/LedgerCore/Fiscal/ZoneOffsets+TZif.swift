extension ZoneOffsets {
    /// The most transitions of a file; tzcode has the same limit.
    private static let transitionsMax = 2000

    /// Reads the bytes of a file of the system's tzdata (TZif, RFC 9636), version 2 or later.
    /// - Throws: ``FiscalError/notAZoneFile(_:)``, or ``FiscalError/notAZoneRule(_:)`` for a rule that cannot be read.
    package init(tzif bytes: [UInt8]) throws(FiscalError) {
        var reader = ByteReader(bytes)
        let old = try reader.header()
        try reader.skip(old.blockSize(timeSize: 4))
        let counts = try reader.header()
        guard counts.leapSeconds == 0 else { throw .notAZoneFile("it counts leap seconds") }
        guard counts.transitions <= Self.transitionsMax, (1...256).contains(counts.types) else {
            throw .notAZoneFile("it has too many transitions or no types")
        }
        var times: [Int64] = []
        for _ in 0..<counts.transitions { times.append(try reader.integer(size: 8)) }
        guard zip(times, times.dropFirst()).allSatisfy(<) else { throw .notAZoneFile("its transitions are disordered") }
        var types: [Int] = []
        for _ in 0..<counts.transitions { types.append(Int(try reader.byte())) }
        var offsets: [Int64] = []
        for _ in 0..<counts.types {
            offsets.append(try reader.integer(size: 4))
            try reader.skip(2)
        }
        guard types.allSatisfy(offsets.indices.contains) else { throw .notAZoneFile("a transition names no type") }
        guard offsets.allSatisfy({ abs($0) <= 86_400 }) else { throw .notAZoneFile("an offset is more than a day") }
        try reader.skip(counts.names + counts.standardMarks + counts.utcMarks)
        let footer = try reader.footer()
        self.init(
            initialOffset: offsets[0],
            transitions: zip(times, types).map { Transition(at: $0, offset: offsets[$1]) },
            rule: footer.isEmpty ? nil : try ZoneRule(posix: footer)
        )
    }
}

/// The numbers of a header, in their order in the file.
private struct Counts {
    var utcMarks: Int
    var standardMarks: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var names: Int

    /// The bytes of the data that follow the header.
    func blockSize(timeSize: Int) -> Int {
        transitions * (timeSize + 1) + types * 6 + names + leapSeconds * (timeSize + 4) + standardMarks + utcMarks
    }
}

/// Reads a file front to back; its numbers are big-endian.
private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func header() throws(FiscalError) -> Counts {
        guard rest.starts(with: "TZif".utf8), rest.count >= 44 else { throw .notAZoneFile("it has no header") }
        guard rest[rest.startIndex + 4] >= UInt8(ascii: "2") else { throw .notAZoneFile("its version is before 2") }
        try skip(20)
        return Counts(
            utcMarks: try count(),
            standardMarks: try count(),
            leapSeconds: try count(),
            transitions: try count(),
            types: try count(),
            names: try count()
        )
    }

    private mutating func count() throws(FiscalError) -> Int {
        let count = try integer(size: 4)
        // More than the file has bytes cannot be; so no product of counts overflows.
        guard (0...Int64(rest.count)).contains(count) else { throw .notAZoneFile("it is cut off") }
        return Int(count)
    }

    mutating func byte() throws(FiscalError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .notAZoneFile("it is cut off") }
        return byte
    }

    /// A signed integer of so many bytes.
    mutating func integer(size: Int) throws(FiscalError) -> Int64 {
        var value = Int64(Int8(bitPattern: try byte()))
        for _ in 1..<size { value = value << 8 | Int64(try byte()) }
        return value
    }

    mutating func skip(_ count: Int) throws(FiscalError) {
        guard count <= rest.count else { throw .notAZoneFile("it is cut off") }
        rest = rest.dropFirst(count)
    }

    /// The rule between two line ends at the end of the file; it may be empty.
    mutating func footer() throws(FiscalError) -> String {
        guard try byte() == UInt8(ascii: "\n"), let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            throw .notAZoneFile("it has no footer")
        }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
