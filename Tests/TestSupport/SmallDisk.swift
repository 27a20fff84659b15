import Foundation
import Glibc

/// A file system of a few megabytes, for tests that fill it.
///
/// It lies in memory (tmpfs), so that it costs nothing and cannot fill a disk that others use.
package struct SmallDisk: Sendable {
    private let folder: URL

    /// Whether this process may mount one: as root, and not in a container that keeps root from it.
    package static let isPossible: Bool = {
        guard getuid() == 0, let disk = try? SmallDisk(bytes: 1 << 20, account: 0) else { return false }
        disk.remove()
        return true
    }()

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Mounts a disk of this size for an account.
    package init(bytes: Int, account: UInt32) throws {
        folder = URL(filePath: "/tmp/ledgerd-disk-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = "size=\(bytes),uid=\(account),mode=0700"
        guard try Self.run("mount", ["-t", "tmpfs", "-o", options, "ledgerd-test", path]) == 0 else {
            rmdir(path)
            throw Failure(description: "A disk for the test cannot be mounted at \(path).")
        }
    }

    /// Where it is mounted; only the account that was named may enter.
    package var path: String { folder.path(percentEncoded: false) }
    private var filler: URL { folder.appending(path: "filler") }

    /// Takes all bytes that are left.
    package func fill() throws {
        let descriptor = open(filler.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Failure(description: "The disk at \(path) cannot be filled.") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw Failure(description: "The disk at \(path) failed otherwise: \(errno).") }
    }

    /// Gives back what ``fill()`` took.
    package func free() throws { try FileManager.default.removeItem(at: filler) }

    /// Unmounts the disk; what is still open on it lives until it is closed.
    package func remove() {
        _ = try? Self.run("umount", ["--lazy", path])
        rmdir(path)
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
