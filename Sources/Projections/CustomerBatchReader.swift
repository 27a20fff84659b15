package import LedgerCore
package import Postgres

/// Reads the facts of many customers in one statement, on connections of its own in an event loop: a batch of 500 keys
/// keeps a connection busy for milliseconds, in which single reads must not wait behind it.
///
/// Confined to the loop's thread.
package final class CustomerBatchReader {
    /// What was found: still as rows, because turning them into facts takes longer than a loop may stand still.
    package struct Batch: Sendable {
        /// Where all answers stand.
        package let position: Position
        private let rows: Rows
        private let keyCount: Int

        fileprivate init(_ rows: Rows, keyCount: Int) {
            position = Position(rows.int64(0, 0))
            self.rows = rows
            self.keyCount = keyCount
        }

        /// The facts that belong to each key, in the order of the keys.
        ///
        /// On any thread.
        package func facts() -> [CustomerFacts] { CustomerRows.decode(rows, keys: keyCount).map(\.facts) }
    }

    /// Keys of one batch (API.md, "Asking").
    package static let keysMax = 500
    /// Batches that wait for one of the connections; past it ``PostgresError/limitExceeded(what:limit:)``.
    package static let waitingMax = 64
    /// Batches that go out together: their rows lie in memory together.
    package static let pipelineMax = 2

    private let connections: [NonBlockingConnection]
    private let catalogs: CatalogShelf

    /// A reader on sessions that nobody else submits to; see ``connection(_:)``.
    package init(_ connections: [NonBlockingConnection], catalogs: CatalogShelf) {
        precondition(!connections.isEmpty, "a batch reader needs a connection")
        self.connections = connections
        self.catalogs = catalogs
    }

    /// A connection with the limits of batches.
    package static func connection(_ configuration: PostgresConfiguration) -> NonBlockingConnection {
        NonBlockingConnection(configuration, queueMax: waitingMax, batchMax: pipelineMax)
    }

    /// Asks for the facts that belong to each of these keys.
    ///
    /// Fails with ``PostgresError/limitExceeded(what:limit:)``, from here, when too many batches wait.
    package func read(
        _ keys: [CustomerKey],
        in environment: StoreEnvironment,
        completion: @escaping (Result<Batch, PostgresError>) -> Void
    ) {
        precondition(keys.count <= Self.keysMax, "a batch has at most \(Self.keysMax) keys")
        var values = [[String]](repeating: [], count: CustomerKey.kinds)
        var numbers = [[Int64]](repeating: [], count: CustomerKey.kinds)
        for (index, key) in keys.enumerated() {
            values[key.kind].append(key.value)
            numbers[key.kind].append(Int64(index + 1))
        }
        var parameters = [Parameter.int2(environment.code)]
        for (values, numbers) in zip(values, numbers) { parameters += [.textArray(values), .int8Array(numbers)] }
        idlest.read(Query(Statements.readBatch, parameters), catalogs) { result in
            completion(result.map { Batch($0, keyCount: keys.count) })
        }
    }

    private var idlest: NonBlockingConnection {
        let rest = connections.dropFirst()
        return rest.reduce(connections[0]) { $1.loadCount < $0.loadCount ? $1 : $0 }
    }
}

extension NonBlockingConnection {
    /// What must be answered before something new is; without a session nothing is.
    fileprivate var loadCount: Int { isOpen ? inFlightCount + queuedCount : .max }
}
