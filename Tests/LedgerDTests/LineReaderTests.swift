import Foundation
import Glibc
import Testing

@testable import LedgerD

/// Lines and their places, whatever the file looks like.
struct LineReaderTests {
    private static func read(_ bytes: [UInt8], from place: LineReader.Place = .start) throws -> [LineReader.Line] {
        let path = FileManager.default.temporaryDirectory.appending(path: "ledgerd-lines-\(UUID().uuidString)")
        try Data(bytes).write(to: path)
        let descriptor = open(path.path(percentEncoded: false), O_RDONLY)
        try FileManager.default.removeItem(at: path)
        defer { close(descriptor) }
        let reader = LineReader(descriptor: descriptor, name: "lines", from: place)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    private static func texts(_ lines: [LineReader.Line]) -> [String?] {
        lines.map { $0.text.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
            ("\n\na\n\n", ["", "", "a", ""]),
        ] as [(String, [String])]
    )
    func `line feeds end lines, and the last line needs none`(_ text: String, _ expected: [String]) throws {
        let lines = try Self.read(Array(text.utf8))
        #expect(Self.texts(lines) == expected)
        #expect(lines.map(\.number) == Array(1..<expected.count + 1))
    }

    @Test func `any line's place leads back to it`() throws {
        // Longer than what is read at once, in lines of every length.
        var bytes: [UInt8] = []
        for length in 0..<1200 { bytes += [UInt8](repeating: UInt8(length % 9 + 65), count: length) + [10] }
        let lines = try Self.read(bytes)
        #expect(lines.map { $0.text?.count } == Array(0..<1200))
        for index in [0, 1, 600, 1198, 1199] {
            let rest = try Self.read(bytes, from: lines[index].start)
            #expect(Self.texts(rest) == Self.texts(Array(lines[index...])))
            #expect(rest.first?.number == index + 1 && rest.last?.end == lines.last?.end)
        }
        #expect(lines.last?.end.offset == Int64(bytes.count))
    }

    @Test(arguments: [-1, 0, 1, 300_000, LineReader.lineBytesMax])
    func `a line past the limit is passed over, and the next one read`(_ excess: Int) throws {
        let long = [UInt8](repeating: 120, count: LineReader.lineBytesMax + excess)
        let lines = try Self.read(Array("a\n".utf8) + long + Array("\nb\n".utf8) + long)
        #expect(lines.map { $0.text?.count } == [1, excess > 0 ? nil : long.count, 1, excess > 0 ? nil : long.count])
        #expect(lines[2].start == LineReader.Place(offset: Int64(long.count + 3), lines: 2))
        #expect(lines[3].end == LineReader.Place(offset: Int64(2 * long.count + 5), lines: 4))
    }
}
