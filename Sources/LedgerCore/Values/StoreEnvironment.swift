/// The App Store environment that a document was made in.
///
/// Identifiers of different environments are separate name spaces, so it is part of every key (PROTOCOL.md,
/// conventions; DESIGN invariant 9).
package enum StoreEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    /// StoreKit Testing in Xcode: not signed by the App Store. Never served.
    case xcode = "Xcode"
    /// Unit tests of Apple's own libraries. Never served.
    case localTesting = "LocalTesting"

    /// The number under which the ledger's tables hold this environment; it never changes.
    package var code: Int16 {
        switch self {
        case .production: 1
        case .sandbox: 2
        case .xcode: 3
        case .localTesting: 4
        }
    }

    /// The environment with this number in the ledger's tables, or nil for a number that no version wrote.
    package init?(code: Int16) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }
}
