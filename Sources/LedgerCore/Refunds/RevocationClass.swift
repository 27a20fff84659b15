/// Which kind of revocation it was when no money went back to this customer (DESIGN section 5, "Not a refund").
package enum RevocationClass: String, Hashable, Sendable, CaseIterable {
    /// Family sharing ended, or the family member who bought it was refunded.
    case family
    /// An organisation or a group took the seat away.
    case assignment
    /// The subscription moved into a bundle.
    ///
    /// Its number is not published, so every unknown reason without a percentage and without a type that says refund
    /// is read so (PROTOCOL.md 9-7).
    case upgradeToBundle
    /// The ownership is missing or unknown: access yes, revenue no (PROTOCOL.md section 8.9).
    case notPurchased
    /// An Advanced Commerce item was revoked, and no refund is listed.
    case item
}
