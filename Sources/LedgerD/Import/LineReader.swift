import Glibc

/// Reads a file line by line from any place in it, and knows where each line stands.
///
/// Used by one thread.
final class LineReader {
    /// A place between two lines.
    struct Place: Sendable, Hashable {
        /// Bytes from the start of the file.
        var offset: Int64
        /// Lines before it.
        var lines: Int

        static let start = Place(offset: 0, lines: 0)
    }

    /// A line without its line feed.
    struct Line: Sendable {
        /// Where it begins.
        var start: Place
        /// Where the next one begins.
        var end: Place
        /// Its bytes; nil for one that is longer than ``LineReader/lineBytesMax``.
        var text: [UInt8]?

        /// Its number, from 1.
        var number: Int { end.lines }
    }

    /// A longer line is passed over: three documents of the greatest size that is verified fit.
    static let lineBytesMax = 2 << 20
    private static let chunkBytes = 256 * 1024

    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    /// Where in the buffer the next line begins.
    private var begin = 0
    private var place: Place
    private var isAtEnd = false

    /// Reads an open file that can be read at any place; it stays open.
    init(descriptor: Int32, name: String, from place: Place = .start) {
        self.descriptor = descriptor
        self.name = name
        self.place = place
    }

    /// The next line, also a last one without a line feed; nil at the end.
    func next() throws(ImportFailure) -> Line? {
        var searched = begin
        var skipped: Int64 = 0
        while true {
            if let feed = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(upTo: feed, ended: true, skipped)
            }
            if isAtEnd {
                return begin == buffer.count && skipped == 0 ? nil : take(upTo: buffer.count, ended: false, skipped)
            }
            if buffer.count - begin > Self.lineBytesMax {
                skipped += Int64(buffer.count - begin)
                buffer.removeAll(keepingCapacity: true)
                begin = 0
            }
            searched = buffer.count - begin
            try readMore(at: place.offset + skipped + Int64(buffer.count - begin))
        }
    }

    private func take(upTo end: Int, ended: Bool, _ skipped: Int64) -> Line {
        let length = Int64(end - begin) + skipped
        let text = length > Self.lineBytesMax ? nil : Array(buffer[begin..<end])
        let start = place
        place = Place(offset: start.offset + length + (ended ? 1 : 0), lines: start.lines + 1)
        begin = end + (ended ? 1 : 0)
        return Line(start: start, end: place, text: text)
    }

    /// Puts further bytes behind those that are left, which move to the front.
    private func readMore(at offset: Int64) throws(ImportFailure) {
        buffer.removeFirst(begin)
        begin = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = pread(descriptor, &chunk, chunk.count, off_t(offset))
        guard count >= 0 else { throw ImportFailure("The file \(name) cannot be read (errno \(errno)).") }
        isAtEnd = count == 0
        buffer += chunk[..<count]
    }
}

/// Why an import cannot begin or go on, as a sentence.
struct ImportFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
