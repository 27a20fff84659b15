package import LedgerCore

/// An app whose documents are accepted.
package struct ServedApp: Hashable, Sendable {
    package let bundleID: BundleID
    /// Its App Store number: needed for Production, because only there documents carry it.
    package let appAppleID: Int64?
    /// The environments that are accepted for it: Production, Sandbox, or both.
    package let environments: Set<StoreEnvironment>

    package init(bundleID: BundleID, appAppleID: Int64?, environments: Set<StoreEnvironment>) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environments = environments
    }
}

/// The apps and environments that are accepted, and the payload checks against them (PROTOCOL.md section 1.7).
///
/// The environment that a document claims only selects among the configured ones.
struct AppPolicy: Sendable {
    private let apps: [BundleID: ServedApp]
    private let environments: Set<StoreEnvironment>

    /// Checks the list; `allowed` are the environments that may be configured at all.
    init(_ list: [ServedApp], allowed: Set<StoreEnvironment>) throws(VerifierConfigurationError) {
        var apps: [BundleID: ServedApp] = [:]
        for app in list {
            guard !app.environments.isEmpty, app.environments.isSubset(of: allowed) else {
                throw .environmentNotAllowed(app.bundleID)
            }
            guard !app.environments.contains(.production) || app.appAppleID != nil else {
                throw .appAppleIDMissing(app.bundleID)
            }
            guard apps.updateValue(app, forKey: app.bundleID) == nil else { throw .appNamedTwice(app.bundleID) }
        }
        guard !apps.isEmpty else { throw .noApp }
        self.apps = apps
        environments = list.reduce(into: []) { $0.formUnion($1.environments) }
    }

    /// Bundle, then app number, then environment.
    ///
    /// - Returns: the environment of the document.
    func check(_ claims: DocumentClaims) throws(Rejection) -> StoreEnvironment {
        guard claims.kind != .renewalInfo else { return try served(claims.environment, among: environments) }
        guard let bundleID = claims.bundleID, let app = apps[bundleID] else {
            throw Rejection(
                .bundleMismatch,
                claims.bundleID == nil
                    ? "The document names no app (bundleId)."
                    : "The document belongs to an app that is not served here."
            )
        }
        if claims.kind != .transaction { try checkAppAppleID(of: claims, for: app) }
        return try served(claims.environment, among: app.environments)
    }

    /// A Production document must carry the app's number.
    ///
    /// One of another environment has none; where one stands all the same and only Production is served, it is compared
    /// as Apple's libraries do (fixture A03).
    private func checkAppAppleID(of claims: DocumentClaims, for app: ServedApp) throws(Rejection) {
        let environment = claims.environment.flatMap { app.environments.contains($0) ? $0 : nil }
        switch environment ?? (app.environments.contains(.production) ? .production : .sandbox) {
        case .production:
            if claims.appAppleID == nil, claims.environment != .production { return }
            guard claims.appAppleID == app.appAppleID else {
                throw Rejection(
                    .appIdMismatch,
                    claims.appAppleID == nil
                        ? "A Production document has no appAppleId." : "The appAppleId is not the configured one."
                )
            }
        case .sandbox, .xcode, .localTesting: return
        }
    }

    private func served(
        _ environment: StoreEnvironment?,
        among served: Set<StoreEnvironment>
    ) throws(Rejection) -> StoreEnvironment {
        guard let environment else {
            throw Rejection(.environmentMismatch, "The document names no environment, or an unknown one.")
        }
        guard served.contains(environment) else {
            throw Rejection(
                .environmentMismatch,
                "The document was made in \(environment.rawValue), which is not served for its app."
            )
        }
        return environment
    }
}

/// Why a verifier can't be made of a configuration; the daemon does not start.
package enum VerifierConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    case noApp
    case appNamedTwice(BundleID)
    case environmentNotAllowed(BundleID)
    case appAppleIDMissing(BundleID)

    package var description: String {
        switch self {
        case .noApp: "No app is configured; name at least one with its bundleId."
        case .appNamedTwice(let app): "The app \(app) is configured twice; merge its environments into one entry."
        case .environmentNotAllowed(let app):
            "The environments of the app \(app) must be Production, Sandbox, or both, and nothing else."
        case .appAppleIDMissing(let app): "The app \(app) is served in Production; configure its appAppleId."
        }
    }
}
