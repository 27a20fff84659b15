internal import CLoad

/// The lines of a file that is mapped into memory, without their line feeds; empty lines are left out.
@safe final class MappedLines {
    private let bytes: UnsafeRawBufferPointer
    private let ranges: [Range<Int>]

    static var linesMax: Int { 20_000_000 }

    init(path: String) throws(BenchError) {
        var count = 0
        guard let start = unsafe CLoad_map(path, &count) else {
            throw .file(path: path, errno: Int32(truncatingIfNeeded: -count))
        }
        unsafe bytes = UnsafeRawBufferPointer(start: start, count: count)
        ranges = unsafe Self.lines(of: bytes)
        guard 1...Self.linesMax ~= ranges.count else { throw .badFile(path: path, problem: "no lines, or too many") }
    }

    deinit { if let start = unsafe bytes.baseAddress { unsafe CLoad_unmap(start, bytes.count) } }

    var count: Int { ranges.count }

    /// Lends a line's bytes.
    func withLine<Value>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[ranges[index]]))
    }

    /// A copy of a line.
    subscript(index: Int) -> [UInt8] { unsafe withLine(index) { unsafe Array($0) } }

    private static func lines(of bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < bytes.count, let base = bytes.baseAddress {
            let feed = unsafe CLoad_find(base + start, bytes.count - start, "\n", 1)
            let end = feed < 0 ? bytes.count : start + feed
            if end > start { ranges.append(start..<end) }
            start = end + 1
        }
        return ranges
    }
}
