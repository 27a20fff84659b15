internal import CPostgres

/// The owner of a `PGconn`, in non-blocking mode: none of its calls waits for the network.
///
/// libpq accepts a null pointer in every function used here (as a connection that is not there), so a closed handle
/// needs no special case.
@safe
struct ConnectionHandle: ~Copyable {
    private var pointer: OpaquePointer?
    let notices = NoticeLog()

    /// What the opening of a session waits for.
    enum Opening: Equatable {
        case wants(SocketWait.Interest)
        case open
        case failed(PostgresError)
    }

    /// Begins to open a session; ``advance()`` goes on with it.
    init(opening parameters: ConnectionParameters) {
        unsafe pointer = unsafe parameters.keywords.withCStrings { keywords in
            unsafe parameters.values.withCStrings { values in unsafe PQconnectStartParams(keywords, values, 0) }
        }
        // With the code in the message, a refused password can be told from a server that starts up.
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        unsafe PQsetNoticeReceiver(
            pointer,
            { log, notice in unsafe NoticeLog.receive(log, notice) },
            Unmanaged.passUnretained(notices).toOpaque()
        )
    }

    /// A handle without a connection.
    init() { unsafe pointer = nil }

    deinit { unsafe PQfinish(pointer) }

    mutating func close() {
        unsafe PQfinish(pointer)
        unsafe pointer = nil
    }

    /// Why the opening has failed already at its start, when there is no socket to wait for.
    var startFailure: PostgresError? {
        unsafe PQstatus(pointer) == CONNECTION_BAD ? connectFailure : nil
    }

    /// Takes the next step of opening; the socket can be another one after it.
    func advance() -> Opening {
        switch unsafe PQconnectPoll(pointer) {
        case PGRES_POLLING_READING: return .wants(.read)
        case PGRES_POLLING_WRITING: return .wants(.write)
        case PGRES_POLLING_OK:
            unsafe PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
            guard unsafe PQsetnonblocking(pointer, 1) == 0 else { return .failed(connectFailure) }
            return .open
        default: return .failed(connectFailure)
        }
    }

    var isOpen: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }
    var socket: Int32 { unsafe PQsocket(pointer) }
    var transactionStatus: PGTransactionStatusType { unsafe PQtransactionStatus(pointer) }
    var errorMessage: String { unsafe String(cString: PQerrorMessage(pointer)).trimmingLineBreaks }

    private var connectFailure: PostgresError {
        let message = unsafe String(cString: PQerrorMessage(pointer))
        return .cannotConnect(reason: message.trimmingLineBreaks, state: SQLState(inVerboseMessage: message))
    }

    // MARK: Sending. Each returns whether libpq took it.

    func enterPipeline() -> Bool { unsafe PQenterPipelineMode(pointer) == 1 }
    func exitPipeline() -> Bool { unsafe PQexitPipelineMode(pointer) == 1 }
    func sendSync() -> Bool { unsafe PQpipelineSync(pointer) == 1 }
    func sendScript(_ sql: String) -> Bool { unsafe PQsendQuery(pointer, sql) == 1 }

    func sendPrepare(_ statement: Statement, types: [PostgresType]) -> Bool {
        let types = types.map(\.rawValue)
        return unsafe PQsendPrepare(pointer, statement.name, statement.sql, Int32(types.count), types) == 1
    }

    func send(_ statement: Statement, _ parameters: borrowing ParameterBuffer) -> Bool {
        unsafe parameters.withPointers { count, values, lengths, formats in
            unsafe PQsendQueryPrepared(pointer, statement.name, count, values, lengths, formats, 1) == 1
        }
    }

    /// Sends what is buffered: true when all is on its way, false when the socket must become writable; nil on loss.
    func flush() -> Bool? {
        switch unsafe PQflush(pointer) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    // MARK: Receiving

    /// Reads what has arrived; false when the connection is lost.
    func consumeInput() -> Bool { unsafe PQconsumeInput(pointer) == 1 }
    /// Whether ``nextResult()`` would wait.
    var isBusy: Bool { unsafe PQisBusy(pointer) == 1 }

    /// The next result; nil at the end of one command's results.
    func nextResult() -> Rows? {
        guard let result = unsafe PQgetResult(pointer) else { return nil }
        return unsafe Rows(owning: result)
    }

    func nextNotification() -> Notification? {
        guard let notice = unsafe PQnotifies(pointer) else { return nil }
        defer { unsafe PQfreemem(notice) }
        return unsafe Notification(
            channel: String(cString: notice.pointee.relname),
            payload: String(cString: notice.pointee.extra),
            processID: notice.pointee.be_pid
        )
    }

    // MARK: COPY

    /// What became of bytes for COPY.
    enum CopyPut { case taken, full, failed }

    func putCopy(_ bytes: [UInt8]) -> CopyPut {
        let status = unsafe bytes.withUnsafeBytes {
            unsafe PQputCopyData(pointer, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count))
        }
        return Self.copyPut(status)
    }

    /// Ends a COPY; with a reason, the server gives up what came before.
    func putCopyEnd(failing reason: String?) -> CopyPut {
        guard let reason else { return Self.copyPut(unsafe PQputCopyEnd(pointer, nil)) }
        return Self.copyPut(unsafe PQputCopyEnd(pointer, reason))
    }

    private static func copyPut(_ status: Int32) -> CopyPut {
        switch status {
        case 1: .taken
        case 0: .full
        default: .failed
        }
    }

    /// What came from a COPY.
    enum CopyGet { case bytes, wait, end, failed }

    /// Lends the next message of a COPY to `body`, if a whole one has arrived.
    func getCopy<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) -> CopyGet {
        var buffer: UnsafeMutablePointer<CChar>?
        let length = unsafe PQgetCopyData(pointer, &buffer, 1)
        defer { unsafe PQfreemem(buffer) }
        switch length {
        case 0: return .wait
        case -1: return .end
        case 1...:
            let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: Int(length))
            try body(unsafe bytes.assumingMemoryBound(to: UInt8.self).span)
            return .bytes
        default: return .failed
        }
    }

    // MARK: Other

    /// Whether the running statement can be cancelled from another thread; nil when there is no session.
    func makeCanceller() -> Canceller? {
        guard let cancel = unsafe PQgetCancel(pointer) else { return nil }
        return unsafe Canceller(owning: cancel)
    }

    /// An identifier in quotation marks, for the few commands that take no parameters.
    func quoted(identifier: String) -> String? {
        guard let text = unsafe PQescapeIdentifier(pointer, identifier, identifier.utf8.count) else { return nil }
        defer { unsafe PQfreemem(text) }
        return unsafe String(cString: text)
    }
}

extension [String] {
    /// Lends a null-terminated array of C strings.
    func withCStrings<Value>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
        var bytes: [CChar] = []
        var offsets: [Int] = []
        for text in self {
            offsets.append(bytes.count)
            bytes.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
            bytes.append(0)
        }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            let pointers = unsafe offsets.map { unsafe buffer.baseAddress?.advanced(by: $0) } + [nil]
            // The array is never empty, so its buffer has an address.
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                guard let start = pointers.baseAddress else {
                    preconditionFailure("an array with elements has no address")
                }
                return unsafe body(start)
            }
        }
    }
}

extension SQLState {
    /// Finds the code in a message of libpq with verbose errors: `… FATAL:  28P01: password authentication failed`.
    ///
    /// libpq writes two spaces after the (translated) severity, the code, and a colon; for errors of connecting there
    /// is no other way to the code (`pqBuildErrorMessage3`).
    init?(inVerboseMessage message: String) {
        let bytes = Array(message.utf8)
        guard bytes.count >= 8 else { return nil }
        for start in 0...(bytes.count - 8)
        where bytes[start] == UInt8(ascii: " ") && bytes[start + 1] == UInt8(ascii: " ") {
            let code = bytes[(start + 2)..<(start + 7)]
            let isCode = code.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
            if isCode && bytes[start + 7] == UInt8(ascii: ":") {
                self.init(rawValue: String(decoding: code, as: UTF8.self))
                return
            }
        }
        return nil
    }
}
