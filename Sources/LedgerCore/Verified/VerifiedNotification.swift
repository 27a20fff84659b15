/// A verified notification with the documents inside it, each verified on its own (PROTOCOL.md section 1.1).
package struct VerifiedNotification: Hashable, Sendable {
    package let notification: VerifiedDocument
    /// The documents inside that carry facts, in order of appearance.
    package let inner: [VerifiedDocument]
    /// The documents inside with a good chain and signature that carry no facts, because their payload is `null` or
    /// lacks its identity or signing time: kept with the notification, never events of their own (API.md).
    package let withoutFacts: [InnerDocument]

    package init(notification: VerifiedDocument, inner: [VerifiedDocument], withoutFacts: [InnerDocument]) {
        self.notification = notification
        self.inner = inner
        self.withoutFacts = withoutFacts
    }
}
