import Postgres

/// `ledgerd token`: makes, lists and revokes callers' tokens, as the owner of the database.
struct TokenCommand {
    private enum Action {
        case create(name: String, scopes: [Scope])
        case list
        case revoke(id: String)
    }

    private let configuration: Configuration
    private let action: Action

    static let usage = """
        token --config FILE create --name NAME --scopes ingest,read,finance,audit,admin
        token --config FILE list
        token --config FILE revoke ID
        """

    init(_ configuration: Configuration, arguments: [String]) throws {
        self.configuration = configuration
        var rest = arguments[...]
        switch rest.popFirst() {
        case "create":
            action = try Self.create(rest)
            rest = []
        case "list": action = .list
        case "revoke":
            guard let id = rest.popFirst() else { throw UsageError("token revoke needs the token's id.") }
            action = .revoke(id: id)
        default: throw UsageError("token needs create, list or revoke:\n\n\(Self.usage)")
        }
        if let more = rest.first { throw UsageError("There is no option \"\(more)\" here.") }
    }

    private static func create(_ arguments: ArraySlice<String>) throws -> Action {
        var rest = arguments
        var name: String?
        var scopes: [Scope] = []
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value.") }
            switch option {
            case "--name": name = value
            case "--scopes":
                for text in value.split(separator: ",") {
                    guard let scope = Scope(rawValue: String(text)) else {
                        let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                        throw UsageError("There is no scope \"\(text)\"; there are \(known).")
                    }
                    scopes.append(scope)
                }
            default: throw UsageError("token create has no option \"\(option)\".")
            }
        }
        guard let name, !name.isEmpty, !scopes.isEmpty else {
            throw UsageError("token create needs --name and --scopes.")
        }
        return .create(name: name, scopes: scopes)
    }

    func run() throws -> Int32 {
        let connection = try Connection(
            PostgresConfiguration(configuration.migrationDatabase, applicationName: "ledgerd token")
        )
        defer { connection.close() }
        let store = TokenStore(connection)
        switch action {
        case .create(let name, let scopes):
            let token = AccessToken()
            let id = try store.add(token, name: name, scopes: scopes)
            Terminal.complain("Token \(id) for \(name). It is shown once and cannot be shown again:")
            Terminal.say(token.text)
        case .list:
            for entry in try store.all() {
                let scopes = entry.scopes.map(\.rawValue).sorted().joined(separator: ",")
                Terminal.say("\(entry.id)  \(entry.createdAt)  \(entry.isRevoked ? "revoked" : scopes)  \(entry.name)")
            }
        case .revoke(let id):
            guard try store.revoke(id) else {
                Terminal.complain("There is no active token \(id); ledgerd token list shows them.")
                return 1
            }
            Terminal.say("Token \(id) is revoked; running daemons refuse it within two seconds.")
        }
        return 0
    }
}
