import Synchronization

/// The sweep: the library's own timer restarts with every byte, so a client that sends or reads one byte a second
/// would hold its connection for ever.
extension HTTPServer {
    /// Ends what has used up its time.
    ///
    /// Looking at every connection a few times a second costs less than a timer for each: one comparison per
    /// connection.
    func sweep() {
        nextSweep = now + configuration.sweepInterval
        let isDrainOver = drainEnds.map { now >= $0 } ?? false
        for connection in connections {
            if isDrainOver {
                breakOff(connection)
            } else if let overdue = connection.phase.overdue(at: now, limits: configuration) {
                end(connection, overdue)
            }
        }
    }

    private func end(_ connection: Connection, _ overdue: ConnectionPhase.Overdue) {
        switch overdue {
        case .breakOff:
            metrics.timedOut()
            breakOff(connection)
        case .refuseRequest:
            metrics.refused(.requestTimedOut)
            let response = configuration.refusalResponse(.requestTimedOut)
            metrics.responded(response)
            connection.sendLast(response.closingBytes())
            breakOff(connection)
        case .answer:
            // Whoever has the ticket answers: an answer that is on its way through the inbox comes before ours.
            guard connection.claim(connection.ticket) else { return }
            metrics.refused(.responseTimedOut)
            finish(connection, ticket: connection.ticket, with: configuration.refusalResponse(.responseTimedOut))
        case .checkPeer:
            if connection.isClosedByPeer { breakOff(connection) }
        }
    }

    /// Breaks a connection off in whatever phase it is; the library closes it in its next run.
    private func breakOff(_ connection: Connection) {
        connection.pending.store(0, ordering: .relaxed)
        connection.breakOff()
        connection.resume()
    }
}
