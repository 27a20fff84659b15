private import Synchronization

/// A body that is written piece by piece, from any thread, while the client reads it: exports, server-sent events.
///
/// What the client has not taken yet waits in a buffer of bounded size. A full buffer refuses the next piece; the
/// writer goes on when ``onDrain`` is called. Both callbacks run on the loop's thread and must not block.
package final class ResponseStream: Sendable {
    /// What became of a piece.
    package enum WriteResult: Sendable {
        /// It is in the buffer and will be sent in order.
        case accepted
        /// The buffer has no room for it, and nothing of it was taken; ``ResponseStream/onDrain`` follows.
        case full
        /// The stream is finished or the client is gone; nothing more can be written.
        case closed
    }

    /// How a stream ended.
    package enum Ending: Sendable {
        /// Everything that was written has been handed to the kernel for sending.
        case completed
        /// The client went away, read too slowly, or the stream was aborted.
        case brokenOff
    }

    /// The bytes that may wait for the client.
    package let bufferBytesMax: Int

    /// Called after a refused piece, once half of the buffer is free again.
    private let onDrain: @Sendable (ResponseStream) -> Void

    /// Called once, when nothing can be sent any more.
    private let onClose: @Sendable (Ending) -> Void

    private let state = Mutex(State())

    /// A stream whose buffer holds up to so many bytes (default 256 KiB).
    package init(
        bufferBytesMax: Int = 256 * 1024,
        onDrain: @escaping @Sendable (ResponseStream) -> Void = { _ in },
        onClose: @escaping @Sendable (Ending) -> Void = { _ in }
    ) {
        precondition(bufferBytesMax > 0, "a stream needs a buffer")
        self.bufferBytesMax = bufferBytesMax
        self.onDrain = onDrain
        self.onClose = onClose
    }

    /// The bytes that wait for the client now.
    package var waitingBytes: Int { state.withLock { $0.waitingBytes } }

    /// Appends a piece of at most ``bufferBytesMax`` bytes, as a whole or not at all.
    package func write(_ piece: [UInt8]) -> WriteResult {
        precondition(piece.count <= bufferBytesMax, "a piece must fit into the stream's buffer")
        let (result, reader) = state.withLock { state -> (WriteResult, Reader?) in
            guard state.progress == .open else { return (.closed, nil) }
            guard state.waitingBytes + piece.count <= bufferBytesMax else {
                state.wantsDrain = true
                return (.full, nil)
            }
            state.append(piece)
            return (.accepted, piece.isEmpty ? nil : state.takeWaitingReader())
        }
        reader?.wake()
        return result
    }

    /// Ends the body: the client gets what was written, and a proper end.
    ///
    /// Nothing happens on a stream that has ended.
    package func finish() { end(with: .finishing) }

    /// Breaks the connection off, so that the client sees that the body is not complete.
    package func abort() { end(with: .failed) }

    private func end(with progress: Progress) {
        let reader = state.withLock { state -> Reader? in
            guard state.progress == .open || (state.progress == .finishing && progress == .failed) else { return nil }
            state.progress = progress
            return state.takeWaitingReader()
        }
        reader?.wake()
    }
}

/// The server's side of a stream; all of it on the loop's thread.
extension ResponseStream {
    /// What the server got for a client that is ready to read.
    enum Taken: Equatable {
        /// So many bytes; `isDrained` says that the writer is to be told.
        case bytes(Int, isDrained: Bool)
        /// Nothing now: the reader is woken by the next piece.
        case nothing
        /// Everything was taken, and the stream is finished.
        case end
        /// The stream was aborted.
        case failed
    }

    /// Names the connection that takes the bytes.
    func attach(_ reader: Reader) {
        state.withLock { state in
            precondition(!state.isAttached, "a stream serves one response")
            state.isAttached = true
            state.reader = reader
        }
    }

    /// Copies what waits, as far as there is room for it.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Taken {
        state.withLock { state in
            if state.progress == .failed || state.progress == .closed { return .failed }
            guard state.waitingBytes > 0 else {
                if state.progress == .finishing { return .end }
                state.isReaderWaiting = true
                return .nothing
            }
            let count = unsafe state.take(into: buffer)
            let isDrained = state.wantsDrain && state.waitingBytes <= bufferBytesMax / 2
            if isDrained { state.wantsDrain = false }
            return .bytes(count, isDrained: isDrained)
        }
    }

    /// Tells the writer that there is room.
    func drained() { onDrain(self) }

    /// Ends the stream for good, and tells the writer once.
    func close(_ ending: Ending) {
        let isFirst = state.withLock { state -> Bool in
            defer { state = State(progress: .closed, isAttached: true) }
            return state.progress != .closed
        }
        if isFirst { onClose(ending) }
    }

    /// The connection that takes the bytes.
    struct Reader: Sendable {
        let server: HTTPServer
        let connection: Connection
        let ticket: UInt64

        func wake() { server.wakeStream(of: connection, ticket: ticket) }
    }

    private enum Progress { case open, finishing, failed, closed }

    private struct State {
        var progress = Progress.open
        var isAttached = false
        var reader: Reader?
        /// Whether the reader found nothing, and its connection is suspended until it is woken.
        var isReaderWaiting = false
        /// Whether a piece was refused since the writer was last told that there is room.
        var wantsDrain = false
        private var buffer: [UInt8] = []
        private var taken = 0

        init(progress: Progress = .open, isAttached: Bool = false) {
            self.progress = progress
            self.isAttached = isAttached
        }

        var waitingBytes: Int { buffer.count - taken }

        mutating func append(_ piece: [UInt8]) {
            // Moving the rest to the front costs less than it makes room for, so a byte is moved once on average.
            if taken > buffer.count / 2 {
                buffer.removeFirst(taken)
                taken = 0
            }
            buffer.append(contentsOf: piece)
        }

        mutating func take(into target: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(target.count, waitingBytes)
            unsafe buffer[taken..<(taken + count)].withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            taken += count
            if taken == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                taken = 0
            }
            return count
        }

        mutating func takeWaitingReader() -> Reader? {
            guard isReaderWaiting else { return nil }
            isReaderWaiting = false
            return reader
        }
    }
}
