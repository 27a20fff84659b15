import EventStore
import HTTPServer
import JWS
import LedgerCore

/// `POST /v1/notifications`: verify, append, answer when it is durable.
struct NotificationRoute: Sendable {
    let intake: Intake

    func handle(_ request: Request, _ responder: Responder) {
        intake.verify(request, responder) { _ in accept(request.body, responder) }
    }

    /// On a verification thread.
    private func accept(_ body: [UInt8], _ responder: Responder) {
        let signedPayload: [UInt8]
        do throws(RequestError) {
            signedPayload = try RequestBody.signedPayload(body)
        } catch {
            return responder.respond(error.problem.response)
        }
        switch intake.verifier.judgeNotification(signedPayload) {
        case .invalid(let rejection): refuse(rejection, responder)
        case .valid(let verified):
            let id = verified.notification.claims.notification?.id
            intake.writer.submit(AppendUnit(verified, source: .notification)) { result in
                answer(result, id, responder)
            }
        }
    }

    private func refuse(_ rejection: Rejection, _ responder: Responder) {
        intake.metrics.refused(rejection.code)
        responder.respond(Problem(rejection).response)
    }

    /// On the writer's thread, after the commit.
    private func answer(
        _ result: Result<[Appended], EventStoreError>,
        _ id: NotificationID?,
        _ responder: Responder
    ) {
        switch result {
        case .failure(let error):
            responder.respond(Problem(error).response)
        case .success(let appended):
            intake.metrics.appended(appended)
            intake.conflicts.note(appended, id)
            var json = JSONWriter(reservingCapacity: 128)
            json.beginObject()
            json.name("outcome")
            json.literal(appended.first?.outcome == .recorded ? "recorded" : "duplicate")
            json.member("position", appended.map(\.position).max() ?? .start)
            json.member("notificationUUID", id)
            json.endObject()
            responder.respond(.json(json))
        }
    }
}

extension Problem {
    init(_ error: EventStoreError) {
        switch error {
        case .unavailable, .refused, .stopping: self = .storeUnavailable(error.description)
        case .overloaded: self = .overloaded(error.description)
        }
    }
}
