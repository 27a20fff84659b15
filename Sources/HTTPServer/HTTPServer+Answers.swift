private import CHTTP

/// From a responder to the library.
extension HTTPServer {
    /// Takes an answer from whatever thread; the first one for a ticket counts.
    func accept(_ response: Response, for connection: Connection, ticket: UInt64) {
        guard connection.claim(ticket) else { return response.abandon() }
        guard isLoopThread else { return post(.answer(response, connection, ticket: ticket)) }
        if connection.isInHandler {
            connection.answerInHandler = response
        } else {
            finish(connection, ticket: ticket, with: response)
        }
    }

    /// Answers a suspended request, if it is still the one that the ticket was for.
    func finish(_ connection: Connection, ticket: UInt64, with response: Response) {
        guard connection.ticket == ticket, connection.isSuspended, case .handling = connection.phase else {
            return response.abandon()
        }
        if !send(response, on: connection) { connection.breakOff() }
        connection.resume()
    }

    /// Hands a response to the library; false when the connection is to be broken off.
    func send(_ response: Response, on connection: Connection) -> Bool {
        var sent = response
        var made = makeLibraryResponse(response, on: connection)
        if made == nil {
            response.abandon()
            metrics.refused(.invalidResponse)
            sent = configuration.refusalResponse(.invalidResponse)
            made = makeLibraryResponse(sent, on: connection)
        } else if case .stream(let stream) = response.body {
            connection.stream = stream
            stream.attach(ResponseStream.Reader(server: self, connection: connection, ticket: connection.ticket))
            metrics.streamOpened()
        }
        if let latency = connection.latency, case .handling(let since) = connection.phase {
            latency.observe(now - since)
        }
        // The phase comes first: the library may ask for the stream's first bytes at once.
        connection.phase = connection.stream == nil ? .sending(since: now) : .streaming(lastRead: now)
        guard let made = made.take(), connection.send(made, status: sent.status) else { return false }
        metrics.responded(sent)
        return true
    }

    /// The library's form of a response; nil when it has a wrong status or a header field that none can be.
    private func makeLibraryResponse(_ response: Response, on connection: Connection) -> LibraryResponse? {
        guard (200...599).contains(response.status) else { return nil }
        let made: LibraryResponse?
        switch response.body {
        case .bytes(let bytes): made = LibraryResponse(bytes: bytes)
        case .stream:
            made = LibraryResponse(streamOn: connection, of: self)
            // libmicrohttpd 0.9.75 ends chunks that it never began: the client would take the end for a response.
            if connection.head?.method == "HEAD" || response.status == 304 { made?.sendUnchunked() }
        }
        guard let made else { return nil }
        for field in response.headers {
            guard made.add(field.name, field.value) else { return nil }
        }
        if drainEnds != nil { _ = made.add("Connection", "close") }
        return made
    }
}

/// From a stream to the library.
extension HTTPServer {
    /// Gives the library the next bytes of a stream, or suspends the connection until there are some.
    func readStream(of connection: Connection, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let stream = connection.stream, connection.phase != .broken else { return Int(CHTTP_STREAM_FAILED) }
        switch unsafe stream.take(into: buffer) {
        case .bytes(let count, let isDrained):
            connection.phase = .streaming(lastRead: now)
            if isDrained { afterRound { stream.drained() } }
            return count
        case .nothing:
            connection.phase = .waitingForStream
            connection.suspend()
            return 0
        case .end: return Int(CHTTP_STREAM_END)
        case .failed: return Int(CHTTP_STREAM_FAILED)
        }
    }

    /// A stream that had run dry has something; from any thread.
    func wakeStream(of connection: Connection, ticket: UInt64) {
        if isLoopThread {
            resumeStream(of: connection, ticket: ticket)
        } else {
            post(.streamReady(connection, ticket: ticket))
        }
    }

    /// Lets the library read a stream again, if it is still the one that the ticket was for.
    func resumeStream(of connection: Connection, ticket: UInt64) {
        guard connection.ticket == ticket, connection.phase == .waitingForStream else { return }
        connection.phase = .streaming(lastRead: now)
        connection.resume()
    }
}

extension Response {
    /// Closes the stream of a response that nobody will get.
    func abandon() {
        if case .stream(let stream) = body { stream.close(.brokenOff) }
    }
}
