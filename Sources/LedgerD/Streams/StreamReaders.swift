import HTTPServer
import Synchronization

/// The readers of one thing that are being served, at most so many.
final class StreamReaders<Work: StreamWork>: Sendable {
    private struct State: Sendable {
        var pumps: [Int: StreamPump<Work>] = [:]
        var lastNumber = 0
        var isStopped = false
        var firstComes: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let pool: WorkPool
    /// The most readers at once; each costs the buffer of a stream, 256 KiB, when it reads slowly.
    let countMax: Int

    /// What they read, as a problem tells it.
    private let subject: String

    init(of subject: String, pool: WorkPool, countMax: Int) {
        self.subject = subject
        self.pool = pool
        self.countMax = countMax
    }

    /// Readers that are being served now.
    var count: Int { state.withLock { $0.pumps.count } }

    /// Whether nobody is being served now.
    var isEmpty: Bool { count == 0 }

    /// Calls whenever a reader comes while nobody is being served.
    func whenFirstComes(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.firstComes = call } }

    /// Serves a reader, or answers that there are too many, or that the daemon is stopping.
    func serve(_ work: Work, _ responder: Responder) {
        let begun = state.withLock { state -> (pump: StreamPump<Work>, firstComes: (@Sendable () -> Void)?)? in
            guard !state.isStopped, state.pumps.count < countMax else { return nil }
            state.lastNumber += 1
            let pump = makePump(state.lastNumber)
            state.pumps[state.lastNumber] = pump
            return (pump, state.pumps.count == 1 ? state.firstComes : nil)
        }
        guard let begun else {
            let sentence =
                "At most \(countMax) readers of \(subject) are served at once, and none by a daemon that is stopping; "
                + "try again later."
            return responder.respond(Problem.overloaded(sentence).response)
        }
        begun.pump.start(work, responder)
        begun.firstComes?()
    }

    /// Events have come.
    func wake() { for pump in all { pump.wake(.events) } }

    /// Tells readers that wait for events that their connections live.
    func beat() { for pump in all { pump.beat() } }

    /// Ends all streams properly, and serves no more; what was written is still sent.
    func stop() {
        state.withLock { $0.isStopped = true }
        for pump in all { pump.finish() }
    }

    private var all: [StreamPump<Work>] { state.withLock { Array($0.pumps.values) } }

    /// The callbacks name the reader by its number, so that a stream does not keep it.
    private func makePump(_ number: Int) -> StreamPump<Work> {
        let stream = ResponseStream(
            onDrain: { [weak self] _ in self?.state.withLock { $0.pumps[number] }?.wake(.room) },
            onClose: { [weak self] _ in self?.remove(number) }
        )
        return StreamPump<Work>(stream: stream, pool: pool) { [weak self] in self?.remove(number) }
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.pumps.removeValue(forKey: number) } }
}
