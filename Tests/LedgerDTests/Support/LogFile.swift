import Foundation
import Glibc
import LedgerCore
import Testing

@testable import LedgerD

/// A log in a file that has no name any more.
final class LogFile: Sendable {
    let log: Log
    private let descriptor: Int32

    /// The most bytes of lines that a test reads.
    private static let bytesMax = 1 << 16

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "ledgerd-log-\(UUID().uuidString)")
            .path(percentEncoded: false)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        unlink(path)
        log = Log(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// The lines so far.
    func lines() throws -> [JSONValue] {
        var bytes = [UInt8](repeating: 0, count: Self.bytesMax)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return try bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n"))
            .map { try JSONReader.value(of: Array($0)) }
    }
}
