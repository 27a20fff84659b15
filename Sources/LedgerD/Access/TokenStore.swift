import Postgres

/// The tokens in the database.
struct TokenStore {
    /// One token, without its secret.
    struct Entry {
        var id: String
        var name: String
        var scopes: Set<Scope>
        var digest: [UInt8]
        var isRevoked: Bool
        var createdAt: String
    }

    private let connection: Connection

    /// The most tokens a daemon works with.
    static let tokensMax = 10_000

    init(_ connection: Connection) { self.connection = connection }

    /// All tokens, the oldest first.
    func all() throws(PostgresError) -> [Entry] {
        let rows = try connection.query(Self.list, [.int8(Int64(Self.tokensMax))])
        return rows.indices.map { row in
            Entry(
                id: rows.text(row, 0),
                name: rows.text(row, 1),
                scopes: Set(rows.texts(row, 2).compactMap(Scope.init(rawValue:))),
                digest: rows.bytes(row, 3),
                isRevoked: rows.bool(row, 4),
                createdAt: rows.text(row, 5)
            )
        }
    }

    /// Keeps a new token.
    /// - Returns: its id.
    func add(_ token: AccessToken, name: String, scopes: [Scope]) throws(PostgresError) -> String {
        let rows = try connection.query(
            Self.insert,
            [.text(name), .textArray(scopes.map(\.rawValue)), .bytea(AccessToken.digest(of: token.text))]
        )
        return rows.text(0, 0)
    }

    /// Revokes a token; false when there is none with this id, or it was revoked before.
    func revoke(_ id: String) throws(PostgresError) -> Bool {
        try connection.query(Self.update, [.text(id)]).affectedRows == 1
    }

    private static let list = Statement(
        name: "tokens_list",
        sql: """
            SELECT token_id, name, scopes, digest, revoked_at IS NOT NULL,
              to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM access.tokens ORDER BY created_at, token_id LIMIT $1
            """,
        isReadOnly: true
    )

    private static let insert = Statement(
        name: "tokens_insert",
        sql: """
            INSERT INTO access.tokens (token_id, name, scopes, digest)
            VALUES (left(encode(sha256($3), 'hex'), 12), $1, $2, $3) RETURNING token_id
            """
    )

    private static let update = Statement(
        name: "tokens_revoke",
        sql: "UPDATE access.tokens SET revoked_at = clock_timestamp() WHERE token_id = $1 AND revoked_at IS NULL"
    )
}
