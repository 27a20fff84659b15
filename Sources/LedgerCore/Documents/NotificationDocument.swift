/// A server notification, version 2 (`ResponseBodyV2DecodedPayload`, PROTOCOL.md section 2.3).
///
/// One of its four parts is present; which app it is about is in ``origin``.
package struct NotificationDocument: StoreDocument {
    /// What it tells.
    package var notificationType: Open<NotificationType>?
    /// The circumstances.
    package var subtype: Open<NotificationSubtype>?
    /// Its identity, equal in all retries and in the history.
    package var notificationUUID: NotificationID?
    /// `2.0`.
    package var version: String?
    /// When it was signed; `data.status` holds at this time.
    package var signedDate: Instant?
    /// The usual content: the documents of one transaction.
    package var data: NotificationData?
    /// The result of a mass extension.
    package var summary: NotificationSummary?
    /// A token of an external purchase.
    package var externalPurchaseToken: ExternalPurchaseToken?
    /// The customer's app transaction, when consent was withdrawn.
    package var appData: NotificationAppData?

    package var malformedMembers: [String] = []

    package init() {}
}

extension NotificationDocument {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case notificationType
        case subtype
        case notificationUUID
        case version
        case signedDate
        case data
        case summary
        case externalPurchaseToken
        case appData
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [
            (.data, NotificationData.self), (.summary, NotificationSummary.self),
            (.externalPurchaseToken, ExternalPurchaseToken.self), (.appData, NotificationAppData.self),
        ]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        notificationType = members.value(.notificationType)
        subtype = members.value(.subtype)
        notificationUUID = members.value(.notificationUUID)
        version = members.text(.version)
        signedDate = members.instant(.signedDate)
        data = members.part(.data)
        summary = members.part(.summary)
        externalPurchaseToken = members.part(.externalPurchaseToken)
        appData = members.part(.appData)
    }
}
