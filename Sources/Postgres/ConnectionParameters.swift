internal import CPostgres

/// The keywords and values of a connection, from the connection string and the limits of a configuration.
struct ConnectionParameters {
    let keywords: [String]
    let values: [String]

    /// - Throws: ``PostgresError/cannotConnect(reason:state:)`` for a connection string that libpq cannot read.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        var options: [String: String] = [
            // A dead peer is noticed within a minute also where a query is awaited and nothing is being sent.
            "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
            "tcp_user_timeout": "60000",
        ]
        options.merge(try Self.parse(configuration.conninfo)) { _, given in given }
        options["dbname"] = configuration.database ?? options["dbname"]
        options["user"] = configuration.user ?? options["user"]
        options["application_name"] = configuration.applicationName
        options["client_encoding"] = "UTF8"
        options["options"] = [options["options"], configuration.sessionOptions]
            .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        let sorted = options.sorted { $0.key < $1.key }
        keywords = sorted.map(\.key)
        values = sorted.map(\.value)
    }

    private static func parse(_ conninfo: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let list = unsafe PQconninfoParse(conninfo, &message) else {
            // The message quotes the string, which can contain a password; it does not leave this function.
            unsafe PQfreemem(message)
            throw .cannotConnect(reason: "the connection string is not one that libpq understands", state: nil)
        }
        defer { unsafe PQconninfoFree(list) }
        var options: [String: String] = [:]
        var index = 0
        while let keyword = unsafe list[index].keyword {
            if let value = unsafe list[index].val {
                options[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            index += 1
        }
        return options
    }
}
