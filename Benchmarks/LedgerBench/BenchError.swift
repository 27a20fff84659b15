internal import Glibc

/// Why a command could not do its work.
enum BenchError: Error, Hashable, Sendable, CustomStringConvertible {
    case usage(String)
    /// A file could not be read or written.
    case file(path: String, errno: Int32)
    case badFile(path: String, problem: String)
    case signing(String)
    /// A document that we signed ourselves was refused by our own verifier.
    case refusedByVerifier(String)
    case connect(port: UInt16, errno: Int32)
    /// A connection broke more often than a server may restart.
    case tooManyReconnects(Int)
    /// The server sent something that is not HTTP as we read it.
    case badResponse(String)
    case noProgress(seconds: Int)
    /// The ledger's database did not do what it was asked to.
    case database(String)
    case system(doing: String, errno: Int32)

    var description: String {
        switch self {
        case .usage(let problem): "\(problem)."
        case .file(let path, let number): "\(path): \(Self.text(of: number))."
        case .badFile(let path, let problem): "\(path): \(problem)."
        case .signing(let problem): "Signing failed: \(problem)"
        case .refusedByVerifier(let reason): "A document signed here is refused by the verifier: \(reason)."
        case .connect(let port, let number): "No connection to 127.0.0.1:\(port): \(Self.text(of: number))."
        case .tooManyReconnects(let count): "Connections broke \(count) times; the server does not stay up."
        case .badResponse(let problem): "The answer is not what this client reads: \(problem)."
        case .noProgress(let seconds): "A request has waited \(seconds) s for its answer."
        case .database(let reason): reason
        case .system(let doing, let number): "Could not \(doing): \(Self.text(of: number))."
        }
    }

    var exitStatus: Int32 {
        if case .usage = self { return 2 }
        return 1
    }

    private static func text(of number: Int32) -> String { unsafe String(cString: strerror(number)) }
}

/// Writes a line of text to a descriptor; a reader that has gone away is not our concern.
func writeLine(_ text: String, to descriptor: Int32) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
