import FoundationEssentials
import JWS
import LedgerCore

/// Reads a configuration file and the environment variables over it.
struct ConfigurationReader {
    private let path: String
    private let environment: [String: String]

    /// The members, and the variables that override them.
    private static let members = [
        "listen": "LEDGERD_LISTEN", "database": "LEDGERD_DATABASE", "migrationDatabase": "LEDGERD_MIGRATION_DATABASE",
        "auth": "LEDGERD_AUTH", "apps": "LEDGERD_APPS", "trustedRoots": "LEDGERD_TRUSTED_ROOTS",
        "onlineChecks": "LEDGERD_ONLINE_CHECKS", "catalog": "LEDGERD_CATALOG",
        "checkpointKeyFile": "LEDGERD_CHECKPOINT_KEY_FILE", "development": "LEDGERD_DEVELOPMENT",
        "hotReadsBytes": "LEDGERD_HOT_READS_BYTES",
    ]

    /// A configuration file is never larger.
    private static let fileBytesMax = 1 << 20

    init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment
    }

    /// - Throws: ``ConfigurationError``, a sentence that names file and member.
    func read() throws(ConfigurationError) -> Configuration {
        var values = try readFile()
        for (name, variable) in Self.members {
            guard let text = environment[variable] else { continue }
            values[name] = Member(origin: "environment variable \(variable)", path: name, value: Self.value(of: text))
        }
        return try configuration(values)
    }

    private func readFile() throws(ConfigurationError) -> [String: Member] {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ConfigurationError(origin: path, problem: "the file cannot be read")
        }
        guard data.count <= Self.fileBytesMax else {
            throw ConfigurationError(origin: path, problem: "the file is larger than 1 MiB")
        }
        guard case .object(let object) = try? JSONReader.value(of: Array(data)) else {
            throw ConfigurationError(origin: path, problem: "the file is not a JSON object")
        }
        if let twice = object.repeatedNames.min() {
            throw ConfigurationError(origin: path, member: twice, problem: "stands there twice")
        }
        let file = object.members
        if let unknown = file.keys.filter({ Self.members[$0] == nil }).min() {
            throw ConfigurationError(origin: path, member: unknown, problem: "is not known; see the README's table")
        }
        return Dictionary(uniqueKeysWithValues: file.map { ($0, Member(origin: path, path: $0, value: $1)) })
    }

    /// A variable holds JSON, or a plain text.
    private static func value(of text: String) -> JSONValue {
        switch try? JSONReader.value(of: Array(text.utf8)) {
        case .array(let elements): .array(elements)
        case .object(let object): .object(object)
        case .boolean(let flag): .boolean(flag)
        case .null, .integer, .number, .string, .unreadableString, nil: .string(text)
        }
    }

    private func configuration(_ values: [String: Member]) throws(ConfigurationError) -> Configuration {
        func member(_ name: String) -> Member { values[name] ?? Member(origin: path, path: name, value: nil) }
        let listenMember = member("listen")
        guard let listen = Configuration.ListenAddress(try listenMember.text(default: "127.0.0.1:8080")) else {
            throw listenMember.error("must be a numeric address and a port, such as \"127.0.0.1:8080\"")
        }
        let authMember = member("auth")
        let auth = try authMember.text(default: "on")
        guard auth == "on" || auth == "off" else { throw authMember.error("must be \"on\" or \"off\"") }
        guard auth == "on" || listen.isLoopback else {
            throw authMember.error("can be \"off\" only with a loopback address in \"listen\"")
        }
        let onlineChecks = member("onlineChecks")
        guard try !onlineChecks.boolean(default: false) else {
            throw onlineChecks.error("cannot be true: this version judges certificates at the signing time only")
        }
        let database = try member("database").text()
        return Configuration(
            listen: listen,
            database: database,
            migrationDatabase: try member("migrationDatabase").text(default: database),
            requiresTokens: auth == "on",
            apps: try apps(member("apps")),
            trustedRoots: try roots(member("trustedRoots")),
            isDevelopment: try member("development").boolean(default: false),
            hotReadsBytes: try member("hotReadsBytes").bytes(
                default: Configuration.hotReadsBytesDefault,
                max: Configuration.hotReadsBytesMax
            ),
            catalog: try member("catalog").optionalText().map(resolve)
        )
    }

    private func roots(_ member: Member) throws(ConfigurationError) -> [String] {
        var roots: [String] = []
        for root in try member.list(default: [.string(TrustedRoots.appleRootG3Fingerprint)]) {
            let entry = try root.text()
            let isFingerprint =
                entry.filter { $0 != ":" }.count == 64 && entry.allSatisfy { $0.isHexDigit || $0 == ":" }
            roots.append(isFingerprint ? entry : resolve(entry))
        }
        return roots
    }

    private func apps(_ member: Member) throws(ConfigurationError) -> [ServedApp] {
        var apps: [ServedApp] = []
        for app in try member.list() {
            let members = try app.object(allowed: ["bundleId", "appAppleId", "environments", "api"])
            func inner(_ name: String) -> Member {
                members[name] ?? Member(origin: app.origin, path: "\(app.path).\(name)", value: nil)
            }
            var environments: Set<StoreEnvironment> = []
            for entry in try inner("environments").list(default: [.string("Production")]) {
                guard let environment = StoreEnvironment(rawValue: try entry.text()),
                    environment == .production || environment == .sandbox
                else { throw entry.error("must be \"Production\" or \"Sandbox\"") }
                environments.insert(environment)
            }
            guard !environments.isEmpty else { throw inner("environments").error("must name at least one environment") }
            let appAppleID = try inner("appAppleId").optionalInteger()
            guard !environments.contains(.production) || appAppleID != nil else {
                throw inner("appAppleId").error("is needed for an app that is served in Production")
            }
            let bundleID = BundleID(rawValue: try inner("bundleId").text())
            guard !apps.contains(where: { $0.bundleID == bundleID }) else {
                throw inner("bundleId").error("names an app twice; merge the two entries")
            }
            apps.append(ServedApp(bundleID: bundleID, appAppleID: appAppleID, environments: environments))
        }
        guard !apps.isEmpty else { throw member.error("must name at least one app") }
        return apps
    }

    /// Paths in the file are relative to the file.
    private func resolve(_ file: String) -> String {
        guard !file.hasPrefix("/") else { return file }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty && !path.hasPrefix("/") ? file : "\(folder)/\(file)"
    }
}

/// A member of the configuration with where it came from; it knows how to refuse itself.
private struct Member {
    var origin: String
    var path: String
    var value: JSONValue?

    func error(_ problem: String) -> ConfigurationError {
        ConfigurationError(origin: origin, member: path, problem: problem)
    }

    func optionalText() throws(ConfigurationError) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text) where !text.isEmpty: return text
        default: throw error("must be a text that is not empty")
        }
    }

    func text(default standard: String? = nil) throws(ConfigurationError) -> String {
        guard let text = try optionalText() ?? standard else { throw error("is missing; it must be a text") }
        return text
    }

    func optionalInteger() throws(ConfigurationError) -> Int64? {
        switch value {
        case nil, .null: return nil
        case .integer(let number): return number
        default: throw error("must be a whole number")
        }
    }

    /// A number of bytes; an environment variable brings it as a text.
    func bytes(default standard: Int, max: Int) throws(ConfigurationError) -> Int {
        let number: Int64? =
            switch value {
            case nil, .null: Int64(standard)
            case .integer(let number): number
            case .string(let text): Int64(text)
            default: nil
            }
        guard let number, 0...Int64(max) ~= number else { throw error("must be a number of bytes from 0 to \(max)") }
        return Int(number)
    }

    func boolean(default standard: Bool) throws(ConfigurationError) -> Bool {
        switch value {
        case nil, .null: return standard
        case .boolean(let flag): return flag
        default: throw error("must be true or false")
        }
    }

    func list(default standard: [JSONValue]? = nil) throws(ConfigurationError) -> [Member] {
        let elements: [JSONValue]
        switch value {
        case .array(let list): elements = list
        case nil, .null:
            guard let standard else { throw error("is missing; it must be a list") }
            elements = standard
        default: throw error("must be a list")
        }
        return elements.enumerated().map { Member(origin: origin, path: "\(path)[\($0)]", value: $1) }
    }

    func object(allowed: Set<String>) throws(ConfigurationError) -> [String: Member] {
        guard case .object(let object) = value else { throw error("must be an object") }
        let members = object.members
        if let twice = object.repeatedNames.min() {
            throw ConfigurationError(origin: origin, member: "\(path).\(twice)", problem: "stands there twice")
        }
        if let unknown = members.keys.filter({ !allowed.contains($0) }).min() {
            throw ConfigurationError(origin: origin, member: "\(path).\(unknown)", problem: "is not known")
        }
        return Dictionary(
            uniqueKeysWithValues: members.map { ($0, Member(origin: origin, path: "\(path).\($0)", value: $1)) }
        )
    }
}
