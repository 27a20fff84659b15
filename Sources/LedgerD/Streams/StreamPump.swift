import HTTPServer
import Postgres
import Synchronization

/// One reader that is being served: looks at the database on the threads of a pool, a step at a time, and writes to the
/// reader's stream as fast as it is read.
///
/// Between steps a reader either waits for a thread, so that readers take turns, or rests without one: until its stream
/// has room, or until events have come.
final class StreamPump<Work: StreamWork>: Sendable {
    /// What a resting reader waits for.
    enum Reason: Sendable {
        /// The reader has taken some of what waits for it.
        case room
        /// Events have come.
        case events
    }

    private enum Phase: Sendable {
        case stepping
        /// With the responder while the answer was not begun.
        case resting(Work, Reason, Responder?)
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.stepping
        /// What would have ended a rest came during a step.
        var isWoken = false
    }

    private let state = Mutex(State())
    private let stream: ResponseStream
    private let pool: WorkPool
    /// Called when nothing more will be written and the answer was not begun: nobody else will tell.
    private let dropped: @Sendable () -> Void

    init(stream: ResponseStream, pool: WorkPool, dropped: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.pool = pool
        self.dropped = dropped
    }

    /// Begins: the answer comes with the first look at the database, or says why there is none.
    func start(_ work: Work, _ responder: Responder) { submit(work, responder) }

    /// Ends a rest for this reason; remembered when the reader is in a step.
    func wake(_ reason: Reason) {
        let woken = state.withLock { state -> (work: Work, responder: Responder?)? in
            switch state.phase {
            case .stepping: state.isWoken = true
            case .resting(let work, let awaited, let responder) where awaited == reason:
                state.phase = .stepping
                return (work, responder)
            case .resting, .ended: break
            }
            return nil
        }
        if let woken { submit(woken.work, woken.responder) }
    }

    /// Tells a reader that waits for events that its connection lives.
    func beat() {
        state.withLock { state in
            // Under the lock, so that no step writes between the parts of what it sends; a full buffer needs no sign.
            guard case .resting(let work, .events, nil) = state.phase else { return }
            _ = stream.write(work.signOfLife)
        }
    }

    /// Ends the stream: the reader gets what was written, and a proper end.
    func finish() { stream.finish() }

    private func submit(_ work: Work, _ responder: Responder? = nil) {
        let isTaken = pool.submit(size: 0) { [self] session in step(work, session, responder) }
        if !isTaken { fail(work, responder, .overloaded("Too many readers wait; try again.")) }
    }

    private func step(_ work: Work, _ session: WorkSession, _ responder: Responder?) {
        var work = work
        // What the step before had no room for.
        if responder == nil { guard deliver(&work) else { return } }
        do {
            let look = try work.look(try session.open())
            if look == .notYet { return rest(work, .events, responder) }
            responder?.respond(Response(status: 200, headers: work.headers, body: .stream(stream)))
            guard deliver(&work) else { return }
            if look == .atEnd { rest(work, .events) } else { submit(work) }
        } catch { fail(work, responder, Problem(reading: error)) }
    }

    /// Sends what is encoded; false when there is nothing to go on with in this step.
    private func deliver(_ work: inout Work) -> Bool {
        switch work.send(to: stream) {
        case .full: rest(work, .room)
        case .closed: end()
        case .all where work.isOver:
            stream.finish()
            end()
        case .all: return true
        }
        return false
    }

    private func rest(_ work: Work, _ reason: Reason, _ responder: Responder? = nil) {
        let goesOn = state.withLock { state in
            if state.isWoken {
                state.isWoken = false
                return true
            }
            state.phase = .resting(work, reason, responder)
            return false
        }
        if goesOn { submit(work, responder) }
    }

    /// Ends with a problem, if the answer was not begun.
    ///
    /// Otherwise a reader of a stream comes again and resumes, and one of a page must see that it is not whole.
    private func fail(_ work: Work, _ responder: Responder?, _ problem: Problem) {
        end()
        if let responder {
            responder.respond(problem.response)
            dropped()
        } else if work.isBounded {
            stream.abort()
        } else {
            stream.finish()
        }
    }

    private func end() { state.withLock { $0.phase = .ended } }
}
