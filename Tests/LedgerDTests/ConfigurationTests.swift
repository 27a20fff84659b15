import Foundation
import JWS
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// What is wrong with a configuration is said in one sentence that names the file, or the variable, and the member.
struct ConfigurationTests {
    static let good: JSONValue = [
        "listen": "127.0.0.1:0", "database": "postgresql:///ledger", "auth": "off",
        "apps": [["bundleId": "com.example.app", "appAppleId": 1_234_567_890]],
    ]

    /// Reads a configuration file with this content.
    private static func read(_ content: [UInt8], environment: [String: String] = [:]) throws -> Configuration {
        try withFolder { folder in
            let path = folder + "/ledgerd.json"
            try Data(content).write(to: URL(filePath: path))
            do throws(ConfigurationError) {
                return try ConfigurationReader(path: path, environment: environment).read()
            } catch {
                throw Sentence(text: error.description.replacing(path, with: "FILE").replacing(folder, with: "FOLDER"))
            }
        }
    }

    private struct Sentence: Error, Equatable { let text: String }

    private static func withFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let url = FileManager.default.temporaryDirectory.appending(path: "ledgerd-config-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path(percentEncoded: false))
    }

    @Test(
        arguments: [
            ("listen", "8080", "must be a numeric address and a port, such as \"127.0.0.1:8080\""),
            ("listen", "127.0.0.1:65536", "must be a numeric address and a port, such as \"127.0.0.1:8080\""),
            ("listen", "localhost:8080", "must be a numeric address and a port, such as \"127.0.0.1:8080\""),
            ("listen", "127.0.0.1.example.com:80", "must be a numeric address and a port, such as \"127.0.0.1:8080\""),
            ("listen", 8080, "must be a text that is not empty"),
            ("database", .null, "is missing; it must be a text"), ("database", "", "must be a text that is not empty"),
            ("database", 5, "must be a text that is not empty"),
            ("migrationDatabase", ["a"], "must be a text that is not empty"),
            ("auth", "maybe", "must be \"on\" or \"off\""), ("auth", false, "must be a text that is not empty"),
            ("apps", .null, "is missing; it must be a list"), ("apps", [], "must name at least one app"),
            ("apps", "com.example.app", "must be a list"), ("trustedRoots", "AppleRootCA-G3.cer", "must be a list"),
            ("onlineChecks", true, "cannot be true: this version judges certificates at the signing time only"),
            ("onlineChecks", "no", "must be true or false"), ("development", 1, "must be true or false"),
            ("hotReadsBytes", -1, "must be a number of bytes from 0 to 1073741824"),
            ("hotReadsBytes", 1_073_741_825, "must be a number of bytes from 0 to 1073741824"),
            ("hotReadsBytes", "16M", "must be a number of bytes from 0 to 1073741824"),
            ("catalog", 1, "must be a text that is not empty"),
            ("catalogue", "catalog.json", "is not known; see the README's table"),
        ] as [(String, JSONValue, String)]
    )
    func `a wrong member is named`(_ member: String, _ value: JSONValue, _ problem: String) {
        let content = value.isNull ? Self.good.without(member) : Self.good.replacing(member, value)
        #expect(throws: Sentence(text: "FILE: the member \"\(member)\" \(problem).")) {
            _ = try Self.read(content.bytes)
        }
    }

    @Test(
        arguments: [
            ([["bundleId": "a"]], "apps[0].appAppleId", "is needed for an app that is served in Production"),
            ([["appAppleId": 1]], "apps[0].bundleId", "is missing; it must be a text"),
            ([["bundleId": "a", "appAppleId": "1"]], "apps[0].appAppleId", "must be a whole number"),
            (
                [["bundleId": "a", "appAppleId": 1], ["bundleId": "a", "appAppleId": 1]], "apps[1].bundleId",
                "names an app twice; merge the two entries"
            ),
            (
                [["bundleId": "a", "appAppleId": 1, "environments": ["Production", "Xcode"]]],
                "apps[0].environments[1]",
                "must be \"Production\" or \"Sandbox\""
            ),
            ([["bundleId": "a", "environments": "Sandbox"]], "apps[0].environments", "must be a list"),
            ([["bundleId": "a", "environments": ["Sandbox"], "name": "A"]], "apps[0].name", "is not known"),
            (["com.example.app"], "apps[0]", "must be an object"),
            ([["bundleId": "a", "environments": []]], "apps[0].environments", "must name at least one environment"),
        ] as [(JSONValue, String, String)]
    )
    func `a wrong member of an app is named with its place`(_ apps: JSONValue, _ member: String, _ problem: String) {
        #expect(throws: Sentence(text: "FILE: the member \"\(member)\" \(problem).")) {
            _ = try Self.read(Self.good.replacing("apps", apps).bytes)
        }
    }

    @Test(arguments: ["", "nothing", "[]", "{", "{\"listen\":\"127.0.0.1:0\",}", "\u{FEFF}{}"])
    func `a file that is no JSON object is refused as a whole`(_ content: String) {
        #expect(throws: Sentence(text: "FILE: the file is not a JSON object.")) {
            _ = try Self.read(Array(content.utf8))
        }
    }

    @Test(arguments: [
        (#"{"auth":"on","auth":"off"}"#, "auth"), (#"{"apps":[{"bundleId":"a","bundleId":"b"}]}"#, "apps[0].bundleId"),
    ])
    func `a member that stands there twice is named`(_ content: String, _ member: String) {
        #expect(throws: Sentence(text: "FILE: the member \"\(member)\" stands there twice.")) {
            _ = try Self.read(Array(content.utf8), environment: ["LEDGERD_DATABASE": "dbname=ledger"])
        }
    }

    @Test func `a file that is not there, or too large, is named`() throws {
        let missing = #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationReader(path: "/nowhere/ledgerd.json", environment: [:]).read()
        }
        #expect(missing?.description == "/nowhere/ledgerd.json: the file cannot be read.")
        #expect(throws: Sentence(text: "FILE: the file is larger than 1 MiB.")) {
            _ = try Self.read(Array(repeating: 0x20, count: 1 << 20) + Self.good.bytes)
        }
    }

    @Test(arguments: ["0.0.0.0:8080", "192.168.1.2:8080", "[::]:8080", "[fe80::1]:8080"])
    func `auth can be off only on a loopback address`(_ listen: String) throws {
        let content = Self.good.replacing("listen", .string(listen))
        let sentence = "FILE: the member \"auth\" can be \"off\" only with a loopback address in \"listen\"."
        #expect(throws: Sentence(text: sentence)) { _ = try Self.read(content.bytes) }
        #expect(try Self.read(content.replacing("auth", "on").bytes).requiresTokens)
        #expect(try Self.read(content.without("auth").bytes).requiresTokens, "on is the default")
    }

    @Test(arguments: ["127.0.0.1:8080", "127.8.9.10:8080", "[::1]:8080"])
    func `auth can be off on a loopback address`(_ listen: String) throws {
        #expect(try !Self.read(Self.good.replacing("listen", .string(listen)).bytes).requiresTokens)
    }

    @Test func `members that are left out have their defaults`() throws {
        let configuration = try Self.read(Self.good.without("listen").bytes)
        #expect(configuration.listen.description == "127.0.0.1:8080")
        #expect(configuration.migrationDatabase == configuration.database)
        #expect(configuration.trustedRoots == [TrustedRoots.appleRootG3Fingerprint])
        #expect(configuration.catalog == nil)
        #expect(configuration.apps.map(\.environments) == [[.production]])
    }

    @Test func `files are looked for beside the configuration`() throws {
        let content = Self.good.with([
            "trustedRoots": ["root.cer", "/etc/root.cer", .string(TrustedRoots.appleRootG3Fingerprint)],
            "catalog": "../catalog.json",
        ])
        try Self.withFolder { folder in
            let path = folder + "/ledgerd.json"
            try Data(content.bytes).write(to: URL(filePath: path))
            let configuration = try ConfigurationReader(path: path, environment: [:]).read()
            #expect(
                configuration.trustedRoots == [
                    folder + "/root.cer", "/etc/root.cer", TrustedRoots.appleRootG3Fingerprint,
                ]
            )
            #expect(configuration.catalog == folder + "/../catalog.json")
        }
    }

    @Test func `a variable stands above the file`() throws {
        let environment = [
            "LEDGERD_LISTEN": "127.0.0.2:81", "LEDGERD_DATABASE": "dbname=other", "LEDGERD_AUTH": "on",
            "LEDGERD_MIGRATION_DATABASE": "dbname=owner", "LEDGERD_CATALOG": "/etc/catalog.json",
            "LEDGERD_TRUSTED_ROOTS": #"["/etc/root.cer"]"#,
            "LEDGERD_APPS": #"[{"bundleId":"b","environments":["Sandbox"]}]"#, "LEDGERD_OTHER": "ignored",
            "LEDGERD_HOT_READS_BYTES": "0",
        ]
        let configuration = try Self.read(Self.good.bytes, environment: environment)
        #expect(configuration.listen.description == "127.0.0.2:81")
        #expect(configuration.database == "dbname=other")
        #expect(configuration.migrationDatabase == "dbname=owner")
        #expect(configuration.requiresTokens)
        #expect(configuration.catalog == "/etc/catalog.json")
        #expect(configuration.hotReadsBytes == 0)
        #expect(configuration.trustedRoots == ["/etc/root.cer"])
        #expect(configuration.apps.map(\.bundleID.rawValue) == ["b"])
        // A variable alone is enough.
        #expect(try Self.read(Self.good.without("database").bytes, environment: environment).database == "dbname=other")
    }

    @Test(arguments: [
        ("LEDGERD_LISTEN", "here", "\"listen\" must be a numeric address"),
        ("LEDGERD_AUTH", "", "\"auth\" must be a text"), ("LEDGERD_APPS", "com.example.app", "\"apps\" must be a list"),
        ("LEDGERD_APPS", #"[{"bundleId":"b"}]"#, "\"apps[0].appAppleId\" is needed"),
        ("LEDGERD_ONLINE_CHECKS", "true", "\"onlineChecks\" cannot be true"),
    ])
    func `a wrong variable is named`(_ variable: String, _ value: String, _ part: String) throws {
        let error = try #require(throws: Sentence.self) {
            _ = try Self.read(Self.good.bytes, environment: [variable: value])
        }
        #expect(error.text.hasPrefix("environment variable \(variable): the member \(part)"), "\(error.text)")
    }

    @Test(
        arguments: [
            ("trustedRoots", ["FOLDER/missing.cer"], "missing.cer"), ("trustedRoots", ["FOLDER/text"], "text"),
            ("trustedRoots", [], "trustedRoots"), ("catalog", "FOLDER/missing.json", "missing.json"),
            ("catalog", "FOLDER/text", "text"),
        ] as [(String, JSONValue, String)]
    )
    func `a file that cannot be used keeps the daemon from starting, and is named`(
        _ member: String,
        _ value: JSONValue,
        _ part: String
    ) throws {
        try Self.withFolder { folder in
            let path = folder + "/ledgerd.json"
            try Data("no certificate and no catalog".utf8).write(to: URL(filePath: folder + "/text"))
            let content = String(decoding: Self.good.replacing(member, value).bytes, as: UTF8.self)
                .replacing("FOLDER\\/", with: "").replacing("FOLDER/", with: "")
            try Data(content.utf8).write(to: URL(filePath: path))
            let configuration = try ConfigurationReader(path: path, environment: [:]).read()
            let error = #expect(throws: InputError.self) {
                _ = try Daemon(configuration, log: Log())
            }
            #expect(error?.description.contains(part) == true, "\(String(describing: error))")
            #expect(error?.description.hasSuffix(".") == true, "\(String(describing: error))")
        }
    }
}
