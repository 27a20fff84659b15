import EventStore
import HTTPServer
import JWS
import LedgerCore

/// `GET /v1/events`, `/v1/events:stream` and `/v1/events/{position}`: the log itself, for readers that follow it and for
/// auditors.
struct FeedRoutes: Sendable {
    /// Pages that are read at once.
    static let pagesMax = 64
    /// Streams that are open at once; past it 503.
    static let streamsMax = 64

    let pages: StreamReaders<FeedWork>
    let streams: StreamReaders<FeedWork>
    private let pool: WorkPool

    init(pool: WorkPool) {
        self.pool = pool
        pages = StreamReaders(of: "the feed", pool: pool, countMax: Self.pagesMax)
        streams = StreamReaders(of: "the feed", pool: pool, countMax: Self.streamsMax)
    }

    /// Answers with a page of events in order of position; an empty one is the end of the log.
    func page(_ request: Request, _ responder: Responder) {
        do throws(Problem) { pages.serve(FeedWork(try FeedQuery(page: request)), responder) } catch {
            responder.respond(error.response)
        }
    }

    /// Answers with server-sent events, as they are appended.
    func stream(_ request: Request, _ responder: Responder) {
        do throws(Problem) { streams.serve(FeedWork(try FeedQuery(stream: request)), responder) } catch {
            responder.respond(error.response)
        }
    }

    /// Answers with one event and everything that is recorded of it.
    func event(_ request: Request, _ responder: Responder) {
        guard let text = request.pathSegments.last, let number = Int64(text), number > 0 else {
            return responder.respond(Problem.malformed("A position is a whole number from 1.").response)
        }
        let position = Position(number)
        let isTaken = pool.submit(size: 0) { session in
            do {
                let reader = EventReader(try session.open())
                guard let stored = try reader.events(at: [position]).first else {
                    return responder.respond(Problem.eventNotFound(position).response)
                }
                responder.respond(.json(try EventDetail(stored, reader).json))
            } catch { responder.respond(Problem(reading: error).response) }
        }
        if !isTaken { responder.respond(Problem.overloaded("Too many readers wait; try again.").response) }
    }
}

extension Problem {
    /// There is no event at a position yet.
    static func eventNotFound(_ position: Position) -> Problem {
        Problem(
            status: 404,
            code: "eventNotFound",
            title: "No such event",
            detail: "The log has no event at position \(position) yet."
        )
    }

    /// Why a question cannot be answered from the database.
    init(reading error: any Error) {
        if let problem = error as? Problem {
            self = problem
        } else if let error = error as? EventStoreError {
            self.init(error)
        } else if let corruption = error as? LogCorruption {
            self.init(
                status: 500,
                code: "logCorrupted",
                title: "The log cannot be read here",
                detail: corruption.description
            )
        } else {
            self = .storeUnavailable("\(error)")
        }
    }
}
