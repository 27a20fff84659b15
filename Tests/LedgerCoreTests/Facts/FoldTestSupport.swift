import LedgerCore
import TestSupport

/// An event of one document, at a position.
func event(
    _ kind: EventKind,
    _ payload: Payload,
    at position: Int64 = 1,
    in environment: StoreEnvironment? = .production
) -> LedgerEvent {
    let bytes = payload.bytes
    var event = LedgerEvent(
        position: Position(position),
        kind: kind,
        environment: environment,
        source: .device,
        recordedAt: Instant(milliseconds: position),
        digest: DocumentDigest(testPayload: bytes),
        payload: bytes
    )
    if case .integer(let signedAt) = payload["signedDate"] { event.signedAt = Instant(milliseconds: signedAt) }
    if case .text(let type) = payload["notificationType"] { event.notificationType = type }
    return event
}
