package import Threads

extension Connection {
    /// The most notifications returned at once; others wait for the next call.
    package static let notificationsMax = 1_024

    /// Asks for the notifications of a channel, until the session ends.
    package func listen(_ channel: String) throws(PostgresError) {
        guard let name = handle.quoted(identifier: channel) else { throw .misuse("a channel's name is no identifier") }
        try execute("LISTEN \(name)")
    }

    /// Waits until a notification has come, the time is over, or the signal is given.
    /// - Returns: what has come, in order; empty when the time is over or the signal was given.
    /// - Throws: ``PostgresError/connectionLost(reason:)``; ``PostgresError/stopped`` after ``WaitSignal/stop()``.
    package func waitForNotifications(
        timeout: Duration,
        signal: WaitSignal? = nil
    ) throws(PostgresError) -> [Notification] {
        guard transactionState == .none else { throw .misuse("notifications come only outside a transaction") }
        let deadline = ContinuousClock.now + timeout
        while true {
            if signal?.isStopped == true { throw .stopped }
            try checkUsable()
            let notifications = pendingNotifications()
            if !notifications.isEmpty { return notifications }
            switch SocketWait.wait(socket: handle.socket, for: .read, signal: signal, until: deadline) {
            case .ready: continue
            case .timedOut: return []
            case .woken:
                if signal?.isStopped == true { throw .stopped }
                return []
            }
        }
    }

    private func pendingNotifications() -> [Notification] {
        var notifications: [Notification] = []
        while notifications.count < Self.notificationsMax, let next = handle.nextNotification() {
            notifications.append(next)
        }
        return notifications
    }
}
