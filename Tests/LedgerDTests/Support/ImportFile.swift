import Foundation
import LedgerCore

/// A file to import: signed documents of many purchases in all forms that a line may have.
struct ImportFile {
    /// The lines, and for each the documents on it as the HTTP routes would get them.
    private(set) var lines: [[UInt8]] = []
    private(set) var notifications: [[UInt8]] = []
    private(set) var transactions: [[UInt8]] = []
    private(set) var renewals: [[UInt8]] = []

    /// Renewal infos that stand before all transactions.
    static let earlyRenewals = 20
    static let purchased = Instant.testNow.adding(days: -1)

    init() {}

    /// So many lines, of which the first are renewal infos of the last transactions.
    init(lines count: Int, _ store: TestStore) throws {
        for number in count - Self.earlyRenewals..<count {
            let renewal = try store.document(Self.renewal(number))
            renewals.append(renewal)
            lines.append(Self.object(["signedRenewalInfo": renewal]))
        }
        for number in Self.earlyRenewals..<count {
            try append(number, store, withRenewal: number < count - Self.earlyRenewals)
        }
    }

    private mutating func append(_ number: Int, _ store: TestStore, withRenewal: Bool) throws {
        if number % 4 == 0 {
            let id = "9782c9c7-7e86-5239-bb46-" + String(1_000_000_000_00 + number)
            let notification = try store.notification(Sample.notification(Self.subscription(number), id: id))
            notifications.append(notification)
            return lines.append(Self.object(["signedPayload": notification]))
        }
        let transaction = try store.document(Self.subscription(number))
        transactions.append(transaction)
        switch number % 4 {
        case 1: lines.append(Self.object(["signedTransactionInfo": transaction]))
        case 2: lines.append(transaction)
        case 3 where !withRenewal: lines.append(Self.object(["signedTransactionInfo": transaction]))
        default:
            let renewal = try store.document(Self.renewal(number))
            renewals.append(renewal)
            lines.append(Self.object(["signedTransactionInfo": transaction, "signedRenewalInfo": renewal]))
        }
    }

    static func subscription(_ number: Int) -> JSONValue {
        Sample.subscription("560\(number)", customer: "7049\(number / 10)", purchased: purchased)
    }

    static func renewal(_ number: Int) -> JSONValue { Sample.renewal(subscription(number), signed: purchased) }

    static func object(_ members: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
        Array(
            ("{" + members.map { "\"\($0)\": \"\(String(decoding: $1, as: UTF8.self))\"" }.joined(separator: ", ") + "}")
                .utf8
        )
    }

    /// The events that the file makes: each early renewal info belongs to a transaction of the file.
    var eventCount: Int { 2 * notifications.count + transactions.count + renewals.count }
    /// The documents that the file holds, as the import counts them.
    var documentCount: Int { notifications.count + transactions.count + renewals.count }

    var bytes: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }
}
