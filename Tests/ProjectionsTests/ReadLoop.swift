import Glibc
import LedgerCore
import Postgres
import Projections
import Testing

/// A key that is asked for.
struct Question {
    var key: CustomerKey
    var environment: StoreEnvironment
}

/// An event loop of poll(2) around a reader and its connections.
final class ReadLoop {
    private let connections: [NonBlockingConnection]
    private let reader: CustomerReader

    init(_ configuration: PostgresConfiguration, connections count: Int) throws {
        connections = (0..<count).map { _ in NonBlockingConnection(configuration) }
        reader = CustomerReader(connections, catalogs: CatalogShelf(initial: .empty))
        for connection in connections { connection.start() }
    }

    /// Asks and turns until all is answered; calls back once when the questions are on their way.
    func ask(
        _ questions: [Question],
        whenSent: () throws -> Void = {}
    ) throws -> [Result<CustomerReader.Answer, PostgresError>] {
        var answers = [Result<CustomerReader.Answer, PostgresError>?](repeating: nil, count: questions.count)
        for (index, question) in questions.enumerated() {
            try reader.read(question.key, in: question.environment) { answers[index] = $0 }
        }
        #expect(answers.allSatisfy { $0 == nil }, "an answer came before the loop turned")
        var isSent = false
        while answers.contains(where: { $0 == nil }) {
            reader.flush()
            if !isSent, connections.contains(where: { $0.inFlightCount > 0 }) {
                isSent = true
                try whenSent()
            }
            turn()
        }
        return answers.compactMap { $0 }
    }

    /// What the log touches after a position.
    func touches(after position: Position?) throws -> LogTouches {
        var found: Result<LogTouches, PostgresError>?
        try connections[0].readTouches(after: position) { found = $0 }
        while true {
            connections[0].flush()
            if let found { return try found.get() }
            turn()
        }
    }

    private func turn() {
        var sockets = connections.map { connection in
            pollfd(
                fd: connection.descriptor ?? -1,
                events: Int16((connection.wantsRead ? POLLIN : 0) | (connection.wantsWrite ? POLLOUT : 0)),
                revents: 0
            )
        }
        poll(&sockets, nfds_t(sockets.count), 20)
        for (connection, socket) in zip(connections, sockets) {
            let failed = socket.revents & Int16(POLLERR | POLLHUP) != 0
            connection.ready(
                readable: failed || socket.revents & Int16(POLLIN) != 0,
                writable: socket.revents & Int16(POLLOUT) != 0
            )
            connection.tick(.now)
        }
    }

    func close() { for connection in connections { connection.close() } }
}
