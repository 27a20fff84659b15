import EventStore
import HTTPServer
import JWS
import LedgerCore

/// What the routes that take documents in share.
struct Intake: Sendable {
    let verifier: Verifier
    let pool: WorkPool
    let writer: LedgerWriter
    let metrics: IntakeMetrics
    let conflicts: ConflictLog

    /// Runs work on a verification thread, or answers that too much waits.
    func verify(_ request: Request, _ responder: Responder, _ work: @escaping WorkPool.Job) {
        let isTaken = pool.submit(size: request.body.count, work)
        if !isTaken {
            responder.respond(Problem.overloaded("Too many documents wait to be verified; try again.").response)
        }
    }
}
