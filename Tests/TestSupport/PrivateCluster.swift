import Foundation
package import Postgres

/// A PostgreSQL of its own for a test that stops or restarts it, started and removed by `scripts/with-postgres`.
package final class PrivateCluster: Sendable {
    package let configuration: PostgresConfiguration
    private let control: String
    private let process: Process
    private let hold: Pipe

    /// Blocks until the cluster accepts connections.
    package init() throws {
        let process = Process()
        process.executableURL = SharedFolder.packageRoot.appending(path: "scripts/with-postgres")
        // The cluster lives until standard input ends, also when this process dies.
        process.arguments = [
            "sh", "-c", #"printf '%s\n%s\n' "$LEDGERD_TEST_POSTGRES" "$LEDGERD_TEST_POSTGRES_CTL"; exec cat"#,
        ]
        let (hold, output) = (Pipe(), Pipe())
        process.standardInput = hold
        process.standardOutput = output
        try process.run()
        var text = ""
        while text.split(separator: "\n", omittingEmptySubsequences: false).count < 3 {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { throw Failure(description: "scripts/with-postgres did not start a cluster") }
            text += String(decoding: bytes, as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        configuration = PostgresConfiguration(String(lines[0]), applicationName: "ledgerd tests")
        control = String(lines[1])
        self.process = process
        self.hold = hold
    }

    /// The account that the server runs as.
    package var account: UInt32 {
        get throws {
            let folder = URL(filePath: control).deletingLastPathComponent().path(percentEncoded: false)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder)
            guard let number = attributes[.ownerAccountID] as? NSNumber else {
                throw Failure(description: "the folder of the test cluster has no owner")
            }
            return number.uint32Value
        }
    }

    /// Stops the cluster at once, as a crash of the server would.
    package func crash() throws { try run("crash") }

    /// Starts the cluster, and blocks until it accepts connections.
    package func start() throws { try run("start") }

    /// Stops the cluster and starts it again.
    package func restart() throws { try run("restart") }

    /// Removes the cluster; blocks until it is gone.
    package func remove() throws {
        try hold.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a command of the cluster's control program.
    /// - Returns: what it printed, when an output is asked for.
    @discardableResult
    func run(_ command: String, _ arguments: [String] = [], capturesOutput: Bool = false) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: control)
        process.arguments = [command] + arguments
        process.standardInput = FileHandle.nullDevice
        let output = capturesOutput ? Pipe() : nil
        if let output { process.standardOutput = output }
        try process.run()
        let printed = output?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "the test cluster did not obey \"\(command)\"")
        }
        return printed
    }
}
