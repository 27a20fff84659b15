/// An identifier that travels as text and is compared byte for byte: one type per kind of identifier, so that a
/// `transactionId` cannot stand where an `originalTransactionId` is meant.
///
/// The App Store's identifiers are decimal digits, but the text is never converted to a number: test documents use
/// `"0"` and `"6F3A93AB"`, and two long identifiers can be equal as floating-point numbers (PROTOCOL.md, conventions).
package protocol TextIdentifier: RawRepresentable<String>, Hashable, Sendable, Codable, CodingKeyRepresentable,
    Comparable, CustomStringConvertible
{
    init(rawValue: String)
}

extension TextIdentifier {
    /// The most bytes of an identifier that anything is found by; the App Store's have up to 36, bundle and product
    /// identifiers up to 155.
    package static var bytesMax: Int { 512 }

    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One purchase, renewal or restore (`transactionId`): the same through re-signing, refund and reversal.
package struct TransactionID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The first transaction of the line that a transaction belongs to (`originalTransactionId`); it names the line.
package struct OriginalTransactionID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// One Apple Account in one app (`appTransactionId`): the customer, as the App Store knows them.
package struct AppTransactionID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// One payment for a subscription period (`webOrderLineItemId`), the same on all devices.
package struct WebOrderLineItemID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A product as App Store Connect names it (`productId`).
package struct ProductID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A group of subscriptions of which a customer holds one at a time (`subscriptionGroupIdentifier`).
package struct SubscriptionGroupID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// An app (`bundleId`).
///
/// A bundle id may have no dot.
package struct BundleID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The account link that a developer attached to a purchase (`appAccountToken`, a UUID): kept and compared in lower
/// case, because apps register it in capitals and the App Store signs it in small letters.
package struct AppAccountToken: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue.inLowerCase }
}

/// The identity of a notification (`notificationUUID`), equal in all retries and in the history; lower case.
package struct NotificationID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue.inLowerCase }
}

extension NotificationID {
    /// Whether it has the form of a UUID, 8-4-4-4-12 hexadecimal digits, which every one of the App Store's has.
    package var isUUID: Bool {
        let bytes = Array(rawValue.utf8)
        return bytes.count == 36
            && bytes.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index)
                    ? bytes[index] == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(bytes[index])
            }
    }
}

extension String {
    /// The text in lower case, without a copy where it is so already.
    fileprivate var inLowerCase: String {
        let isSo = utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        return isSo ? self : lowercased()
    }
}
