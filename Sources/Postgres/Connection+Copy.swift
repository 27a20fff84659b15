internal import CPostgres

extension Connection {
    /// Copies rows in by `COPY … FROM STDIN (FORMAT binary)`, in a transaction of its own.
    ///
    /// When the body throws, nothing is copied.
    /// - Returns: the number of rows.
    package func copyIn(
        rows sql: String,
        _ body: (inout CopyRows) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        guard transactionState == .none else { throw .misuse("inside a transaction, ask the transaction") }
        return try copyIn(rows: sql, commits: true, body)
    }

    /// Copies lines in by `COPY … FROM STDIN` in text format, in a transaction of its own.
    ///
    /// When the body throws, nothing is copied.
    /// - Returns: the number of rows.
    package func copyIn(
        text sql: String,
        _ body: (inout CopyText) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        guard transactionState == .none else { throw .misuse("inside a transaction, ask the transaction") }
        return try copyIn(text: sql, commits: true, body)
    }

    /// Copies out by `COPY … TO STDOUT` in any format: lends each message as it comes, one row of the text format; in
    /// the binary format their concatenation is the stream.
    ///
    /// When the body throws, the server is asked to stop, and the connection stays usable.
    /// - Returns: the number of rows.
    package func copyOut(
        _ sql: String,
        _ body: (Span<UInt8>) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        guard transactionState == .none else { throw .misuse("inside a transaction, ask the transaction") }
        return try receiveCopy(sql, body)
    }
}

extension Transaction {
    /// Copies rows in by `COPY … FROM STDIN (FORMAT binary)`, and returns their number.
    package func copyIn(
        rows sql: String,
        _ body: (inout CopyRows) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try connection.beginIfDeferred()
        return try connection.copyIn(rows: sql, commits: false, body)
    }

    /// Copies lines in by `COPY … FROM STDIN` in text format, and returns their number.
    package func copyIn(
        text sql: String,
        _ body: (inout CopyText) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try connection.beginIfDeferred()
        return try connection.copyIn(text: sql, commits: false, body)
    }

    /// Copies out by `COPY … TO STDOUT`, as ``Connection/copyOut(_:_:)``.
    package func copyOut(
        _ sql: String,
        _ body: (Span<UInt8>) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try connection.beginIfDeferred()
        return try connection.receiveCopy(sql, body)
    }
}

// MARK: In

extension Connection {
    func copyIn(
        rows sql: String,
        commits: Bool,
        _ body: (inout CopyRows) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try copyIn(sql, commits: commits) { connection throws(PostgresError) in
            var rows = CopyRows(connection)
            try body(&rows)
            try rows.finish()
        }
    }

    func copyIn(
        text sql: String,
        commits: Bool,
        _ body: (inout CopyText) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try copyIn(sql, commits: commits) { connection throws(PostgresError) in
            var text = CopyText(connection)
            try body(&text)
            try text.finish()
        }
    }

    private func copyIn(
        _ sql: String,
        commits: Bool,
        _ send: (Connection) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try startCopy(sql, PGRES_COPY_IN)
        do throws(PostgresError) { try send(self) } catch {
            // Without the end of the data nothing is committed, so whatever happens now, `error` is the one to report.
            do throws(PostgresError) {
                try endCopy(failing: "the sender gave up")
                _ = try copyAnswer()
            } catch {}
            throw error
        }
        do throws(PostgresError) {
            try endCopy(failing: nil)
            return try copyAnswer()
        } catch {
            guard case .connectionLost(let reason) = error, commits else { throw error }
            throw .commitOutcomeUnknown(reason: reason)
        }
    }

    /// Sends bytes for a COPY that runs, and waits until they are on their way.
    func put(_ bytes: [UInt8]) throws(PostgresError) {
        while true {
            switch handle.putCopy(bytes) {
            case .taken: return try flush()
            case .full: try flush()
            case .failed: throw lose(handle.errorMessage)
            }
        }
    }

    private func endCopy(failing reason: String?) throws(PostgresError) {
        while true {
            switch handle.putCopyEnd(failing: reason) {
            case .taken: return try flush()
            case .full: try flush()
            case .failed: throw lose(handle.errorMessage)
            }
        }
    }
}

// MARK: Out

extension Connection {
    func receiveCopy(
        _ sql: String,
        _ body: (Span<UInt8>) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        try startCopy(sql, PGRES_COPY_OUT)
        do throws(PostgresError) { try receiveCopyData(body) } catch {
            if failure == nil {
                canceller.cancelRunningStatement()
                do throws(PostgresError) {
                    try receiveCopyData { _ in }
                    _ = try copyAnswer()
                } catch {}
            }
            throw error
        }
        return try copyAnswer()
    }

    private func receiveCopyData(_ body: (Span<UInt8>) throws(PostgresError) -> Void) throws(PostgresError) {
        while true {
            switch try handle.getCopy(body) {
            case .bytes: continue
            case .end: return
            case .failed: throw lose(handle.errorMessage)
            case .wait:
                _ = try wait(for: .read)
                guard handle.consumeInput() else { throw lose(handle.errorMessage) }
            }
        }
    }
}

// MARK: Both

extension Connection {
    private func startCopy(_ sql: String, _ expected: ExecStatusType) throws(PostgresError) {
        try checkUsable()
        handle.notices.reset()
        guard handle.sendScript(sql) else { throw lose(handle.errorMessage) }
        try flush()
        guard let result = try receive() else { throw lose("COPY got no answer") }
        if result.status == expected { return }
        guard result.status == PGRES_FATAL_ERROR else {
            throw lose("the statement is no COPY in the direction asked for")
        }
        let error = PostgresError.server(try serverError(result, nil))
        while try receive() != nil {}
        throw error
    }

    /// The number of rows, when the COPY has ended.
    private func copyAnswer() throws(PostgresError) -> Int {
        var rows = 0
        var failed: PostgresError?
        while let result = try receive() {
            switch result.status {
            case PGRES_COMMAND_OK: rows = result.affectedRows
            case PGRES_FATAL_ERROR:
                let error = PostgresError.server(try serverError(result, nil))
                failed = failed ?? error
            default: throw lose("COPY got an answer that belongs to something else")
            }
        }
        if let failed { throw failed }
        return rows
    }
}
