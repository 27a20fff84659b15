import Glibc
import JWS
import LedgerCore

/// What `ledgerd serve` and the other commands are told (API.md, "Running it"): one JSON file, any member overridden by
/// an environment variable.
struct Configuration: Sendable {
    /// Where the daemon listens.
    var listen: ListenAddress
    /// The daemon's connection: a connection string of libpq.
    var database: String
    /// The owner's connection, for `migrate`.
    var migrationDatabase: String
    /// Whether callers must show a token; `off` only on a loopback address.
    var requiresTokens: Bool
    var apps: [ServedApp]
    /// Paths of certificates or SHA-256 fingerprints.
    var trustedRoots: [String]
    /// Whether a database login with more rights than a daemon needs is warned about instead of refused.
    var isDevelopment = false
    /// The most bytes of answers that are kept for keys that are asked for again; 0: none are kept.
    var hotReadsBytes = Self.hotReadsBytesDefault
    /// Path of the catalog; nil: every product stands for itself.
    var catalog: String?

    /// Room for about 8,000 usual customers.
    static let hotReadsBytesDefault = 16 << 20
    /// More would not fit beside the rest of a daemon.
    static let hotReadsBytesMax = 1 << 30

    /// A numeric address and a port.
    struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
        var host: String
        var port: UInt16

        /// Reads `127.0.0.1:8080` or `[::1]:8080`.
        init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            guard Self.isNumeric(host) else { return nil }
            self.host = host
            self.port = port
        }

        /// A name is refused: what it stands for could change, and with it whether it is a loopback address.
        private static func isNumeric(_ host: String) -> Bool {
            var (ipv4, ipv6) = (in_addr(), in6_addr())
            return unsafe inet_pton(AF_INET, host, &ipv4) == 1 || inet_pton(AF_INET6, host, &ipv6) == 1
        }

        var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

        var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }
}

/// What is wrong with a configuration: the file or variable, the member, and what it should be.
///
/// Exit status 2.
struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The file, or the environment variable.
    var origin: String
    /// The path of the member: `apps[0].bundleId`; nil when the file as a whole is meant.
    var member: String?
    /// The rest of the sentence.
    var problem: String

    var description: String {
        member.map { "\(origin): the member \"\($0)\" \(problem)." } ?? "\(origin): \(problem)."
    }
}
