/// What the HTTP library calls, in the order of a request's life; all of it on the loop's thread.
extension HTTPServer {
    /// A client has connected.
    func opened(_ connection: Connection) {
        connection.index = connections.count
        connections.append(connection)
        if connections.count == 1 { nextSweep = now + configuration.sweepInterval }
        metrics.connectionOpened()
    }

    /// The connection is gone; its descriptor is closed right after this.
    func closed(_ connection: Connection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        connection.phase = .broken
        metrics.connectionClosed()
    }

    /// The request line has come.
    func began(_ connection: Connection, target: [UInt8]) {
        connection.rawTarget = target
        connection.phase = .receiving(since: now)
        metrics.requestBegan()
    }

    /// The library has the header (`piece` nil, the first time), a piece of the body, or the end of the request
    /// (`piece` nil again).
    ///
    /// Each piece is taken in full.
    ///
    /// - Returns: false to break the connection off.
    func received(
        _ connection: Connection,
        method: @autoclosure () -> String,
        isHTTP10: @autoclosure () -> Bool,
        piece: UnsafeBufferPointer<UInt8>?
    ) -> Bool {
        switch connection.phase {
        case .receiving:
            if let piece = unsafe piece { return unsafe append(piece, to: connection) }
            return connection.head == nil
                ? accept(connection, method: method(), isHTTP10: isHTTP10()) : handle(connection)
        case .discarding:
            return discard(unsafe piece?.count, on: connection)
        case .idle, .handling, .sending, .streaming, .waitingForStream, .broken:
            // Resumed without an answer: the server is stopping, or the connection was broken off.
            return false
        }
    }

    /// The request is over, well or not.
    func completed(_ connection: Connection, isComplete: Bool) {
        let (stream, bodyBytes) = connection.endRequest(now: now)
        bodiesBytes -= bodyBytes
        if let stream {
            metrics.streamClosed()
            afterRound { stream.close(isComplete ? .completed : .brokenOff) }
        }
        if !isComplete { metrics.requestBrokenOff() }
        // An answer that began before the server was to stop, such as a stream, did not say that it is the last one.
        if drainEnds != nil { connection.breakOff() }
    }

    /// Judges the header.
    ///
    /// The request is not handled before its end, even if it has no body: the library closes the connection after an
    /// answer that is given now.
    private func accept(_ connection: Connection, method: String, isHTTP10: Bool) -> Bool {
        do throws(Refusal) {
            guard let target = RequestTarget(connection.rawTarget) else { throw .malformed }
            let fields = try connection.copyFields(headerBytesMax: configuration.headerBytesMax)
            if case .length(let length) = try RequestFraming(method: method, isHTTP10: isHTTP10, fields: fields) {
                if length > configuration.bodyBytesMax {
                    // A client that asks before it sends (100-continue) has nothing on its way to throw away.
                    guard fields.value(of: "Expect") == nil else { throw .bodyTooLarge }
                    return refuseAndDiscard(connection, .bodyTooLarge)
                }
                if length > 0 { connection.body.reserveCapacity(length) }
            }
            connection.head = (method, target, fields)
            return true
        } catch {
            return refuse(connection, error)
        }
    }

    private func append(_ piece: UnsafeBufferPointer<UInt8>, to connection: Connection) -> Bool {
        guard connection.body.count + piece.count <= configuration.bodyBytesMax else {
            return refuseAndDiscard(connection, .bodyTooLarge)
        }
        guard bodiesBytes + piece.count <= configuration.bodiesBytesMax else {
            return refuseAndDiscard(connection, .overloaded)
        }
        unsafe connection.body.append(contentsOf: piece)
        connection.bodyBytes += piece.count
        bodiesBytes += piece.count
        return true
    }

    private func handle(_ connection: Connection) -> Bool {
        lastTicket += 1
        guard let request = connection.beginHandling(ticket: lastTicket, now: now) else { return false }
        connection.isInHandler = true
        handler(request, Responder(server: self, connection: connection, ticket: lastTicket))
        connection.isInHandler = false
        guard let response = connection.answerInHandler.take() else {
            connection.suspend()
            suspensions += 1
            return true
        }
        return send(response, on: connection)
    }

    /// Answers a request whose header is not acceptable; the library closes the connection after it.
    private func refuse(_ connection: Connection, _ refusal: Refusal) -> Bool {
        metrics.refused(refusal)
        return send(configuration.refusalResponse(refusal), on: connection)
    }

    /// Answers a request in the middle of its body, where the library takes no answer: past it.
    ///
    /// To close now would send a reset after the answer, and many clients would never see it, so what still comes in
    /// is thrown away, up to a limit in bytes and to the request's deadline.
    private func refuseAndDiscard(_ connection: Connection, _ refusal: Refusal) -> Bool {
        guard case .receiving(let since) = connection.phase else { return false }
        metrics.refused(refusal)
        let response = configuration.refusalResponse(refusal)
        metrics.responded(response)
        connection.sendLast(response.closingBytes())
        connection.body = []
        connection.phase = .discarding(since: since)
        return true
    }

    private func discard(_ count: Int?, on connection: Connection) -> Bool {
        guard let count else { return false }
        connection.discardedBytes += count
        return connection.discardedBytes <= HTTPServerConfiguration.discardedBytesMax
    }
}
