import JWS
import LedgerCore

extension Verifier {
    /// Judges a posted notification: verified, and with the identity and the signing time that an event needs.
    func judgeNotification(_ text: [UInt8]) -> Verdict<VerifiedNotification> {
        let verdict = verifyNotification(text)
        guard let claims = verdict.document?.notification.claims else { return verdict }
        guard claims.notification?.id?.isUUID == true, claims.missingMember == nil else {
            let member = claims.missingMember ?? "notificationUUID"
            return .invalid(Rejection(.malformed, "The notification has no usable \(member)."))
        }
        return verdict
    }

    /// Judges a posted document of another kind: verified, and with all that its facts need.
    func judgeDocument(_ text: [UInt8], as kind: DocumentKind) -> Verdict<VerifiedDocument> {
        let verdict = verify(text, as: kind)
        guard let member = verdict.document?.claims.missingMember else { return verdict }
        return .invalid(Rejection(.malformed, "The document has no \(member)."))
    }
}
