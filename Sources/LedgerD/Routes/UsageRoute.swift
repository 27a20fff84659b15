import EventStore
import HTTPServer
import JWS
import LedgerCore
import Postgres

/// `POST /v1/usage`: a service reports that units of a consumable were used.
struct UsageRoute: Sendable {
    let pool: WorkPool
    /// Is told how far the log has come, so that the follower goes there.
    let progress: ProgressBoard
    let served: Set<StoreEnvironment>

    /// Answers once the report, or the one that it repeats, is durable.
    func handle(_ request: Request, _ responder: Responder) {
        let report: UsageReport
        do throws(Problem) { report = try UsageReport(request.body, served: served) } catch {
            return responder.respond(error.response)
        }
        let isTaken = pool.submit(size: request.body.count) { session in
            do throws(EventStoreError) {
                responder.respond(try record(report, UsageLog(session.open())))
            } catch { responder.respond(Problem(error).response) }
        }
        if !isTaken {
            responder.respond(Problem.overloaded("Too many reports wait to be recorded; try again.").response)
        }
    }

    private func record(_ report: UsageReport, _ log: UsageLog) throws(EventStoreError) -> Response {
        guard let digest = DocumentDigest(SHA256Digest.of(report.usage.json)) else {
            preconditionFailure("a SHA-256 digest has more than \(DocumentDigest.size) bytes")
        }
        let (position, outcome) = try log.record(report.usage, in: report.environment, digest: digest)
        progress.appended(upTo: position)
        if outcome == .conflict { return Problem.keyReused(position).response }
        var json = JSONWriter(reservingCapacity: 64)
        json.beginObject()
        json.member("outcome", outcome == .recorded ? "recorded" : "duplicate")
        json.member("position", position)
        json.endObject()
        return .json(json)
    }
}

extension Problem {
    fileprivate static func keyReused(_ position: Position) -> Problem {
        Problem(
            status: 409,
            code: "idempotencyKeyReused",
            title: "The key stands for another report",
            detail: "The event at position \(position) has this idempotencyKey and other content; nothing was recorded."
        )
    }
}

/// The body of `POST /v1/usage`.
struct UsageReport: Sendable {
    var environment: StoreEnvironment
    var usage: Usage

    private static let names: Set = ["environment", "idempotencyKey", "unit", "amount", "usedAt"]

    /// Reads `{"environment"?,"idempotencyKey","unit","amount","usedAt"?}` with one key of a customer; with a
    /// `transactionId` the unit may be left out.
    /// - Throws: the ``Problem`` that names the member.
    init(_ body: [UInt8], served: Set<StoreEnvironment>) throws(Problem) {
        let members = try BodyMembers(body)
        let keys = CustomerKey.names.map { "\($0)" }
        try members.refuse { !Self.names.contains($0) && !keys.contains($0) }
        environment = try StoreEnvironment(parameter: members.text("environment"), served: served)
        guard let key = try members.text("idempotencyKey") else {
            throw RequestError.missing("idempotencyKey").problem
        }
        guard let holder = try members.key() else {
            throw .malformed("A usage needs one of the members \(keys.joined(separator: ", ")).")
        }
        if case .appAccountToken(let token) = holder, PostgresUUID(text: token.rawValue) == nil {
            throw .malformed("The member \"appAccountToken\" must be a UUID.")
        }
        guard let amount = try members.integer("amount") else { throw RequestError.missing("amount").problem }
        let (unit, usedAt) = (try members.text("unit"), try members.instant("usedAt"))
        do throws(UsageReportError) {
            usage = try Usage(
                holder: holder,
                unit: unit,
                amount: amount,
                idempotencyKey: IdempotencyKey(rawValue: key),
                usedAt: usedAt
            )
        } catch { throw .malformed(error.description) }
    }
}
