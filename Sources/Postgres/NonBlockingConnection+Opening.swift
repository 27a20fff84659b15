extension NonBlockingConnection {
    func open(now: ContinuousClock.Instant) {
        let connection: ConnectionParameters
        do throws(PostgresError) { connection = try ConnectionParameters(configuration) } catch {
            openingFailed(error, now: now)
            return
        }
        handle = ConnectionHandle(opening: connection)
        if let error = handle.startFailure {
            openingFailed(error, now: now)
            return
        }
        // libpq wants to be called first when the socket can be written, which says that it is connected.
        state = .opening(.write, deadline: now + configuration.connectTimeout)
        noteSocket()
    }

    func continueOpening() {
        guard case .opening(_, let deadline) = state else { return }
        switch handle.advance() {
        case .wants(let interest):
            state = .opening(interest, deadline: deadline)
            noteSocket()
        case .failed(let error): openingFailed(error, now: .now)
        case .open:
            guard handle.enterPipeline() else {
                openingFailed(.cannotConnect(reason: handle.errorMessage, state: nil), now: .now)
                return
            }
            state = .open
            openedAt = .now
            noteSocket()
            onEvent?(.opened)
            flush()
        }
    }

    func openingFailed(_ error: PostgresError, now: ContinuousClock.Instant) {
        end()
        let wait = backoff.next(using: &generator)
        state = .waiting(until: now + wait)
        onEvent?(.failed(error, retryAfter: wait))
    }

    /// Gives the session up: what is in flight fails, and the next session is opened after a wait.
    func lose(_ reason: String) {
        guard isOpen else { return }
        let reason = reason.split(separator: ";").first.map(String.init) ?? "it was closed"
        let unanswered = takeUnanswered()
        // A session that lasted was a success; one that ends at once must not be followed by another at once.
        if let openedAt, openedAt + backoff.cap < .now { backoff.reset() }
        end()
        state = .waiting(until: .now + backoff.next(using: &generator))
        onEvent?(.lost(.connectionLost(reason: reason)))
        for pending in unanswered {
            pending.completion(
                .failure(
                    pending.query.statement.isReadOnly
                        ? .connectionLost(reason: reason) : .commitOutcomeUnknown(reason: reason)
                )
            )
        }
    }

    /// Closes the session and forgets what belonged to it.
    func end() {
        handle.close()
        prepared.removeAll()
        batch = nil
        needsFlush = false
        openedAt = nil
        guard socketIdentity != nil else { return }
        socketIdentity = nil
        onDescriptorChange?(nil)
    }

    private func noteSocket() {
        let identity = SocketIdentity(handle.socket)
        guard identity != socketIdentity else { return }
        socketIdentity = identity
        onDescriptorChange?(identity?.descriptor)
    }
}
