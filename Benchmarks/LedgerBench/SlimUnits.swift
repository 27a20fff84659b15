internal import EventStore
internal import LedgerCore
internal import Postgres

/// Units as verification hands them to the log, of the usual sizes, with random keys: nothing in them is signed, which
/// the log does not look at.
///
/// Digests are random bits, spread as those of real documents are; signing times advance as those of a running ledger
/// do, and come up to a minute late. The same seed and stream make the same units.
struct SlimUnits: Sendable {
    private var random: SplitMix64
    private(set) var customers: SlimCustomers
    private var unitsSoFar: Int64

    /// About as long as the header of a document with a chain of three certificates.
    private static let header = [UInt8](repeating: UInt8(ascii: "h"), count: 5_000)
    private static let bundleID = BundleID(rawValue: CustomerHistory.bundleID)
    /// When the first document could have been signed, in milliseconds, and how much later each further unit comes.
    private static let signedAt: Int64 = 1_790_000_000_000
    private static let unitEach: Int64 = 2
    /// How late a document may come after it was signed, in milliseconds.
    private static let lateMax: Int64 = 60_000
    /// In milliseconds.
    private static let year: Int64 = 365 * 86_400_000

    init(seed: UInt64, stream: UInt64 = 0, customers: SlimCustomers = .million) {
        random = SplitMix64(seed: seed, stream: stream)
        self.customers = customers
        // Each of them stands for a unit that came before.
        unitsSoFar = Int64(customers.count)
    }

    /// So many events: notifications with a transaction and a renewal info, and single transactions for the rest.
    mutating func batch(events count: Int) -> [AppendUnit] {
        (0..<count / 3).map { _ in notification() } + (0..<count % 3).map { _ in transaction() }
    }

    /// A transaction as a device brings it, 0.7 kB.
    mutating func transaction() -> AppendUnit {
        let line = line(events: 1)
        return AppendUnit(events: [event(.transaction, source: .device, payload: line.transaction(), of: line)])
    }

    /// Transactions that were refunded in part, on any day of the year before they were signed.
    mutating func refundedTransactions(_ count: Int) -> [AppendUnit] {
        (0..<count).map { _ in
            let line = line(events: 1)
            let refundedAt = line.signedAt - Int64(random.next() % UInt64(Self.year))
            let payload = line.transaction(refundedAt: refundedAt)
            return AppendUnit(events: [event(.transaction, source: .device, payload: payload, of: line)])
        }
    }

    /// A notification of 0.3 kB without its inner documents, and these.
    private mutating func notification() -> AppendUnit {
        let line = line(events: 3)
        let identifier = random.nextUUID()
        let head = Array(
            ("{\"notificationType\":\"DID_RENEW\",\"notificationUUID\":\"\(identifier)\",\"version\":\"2.0\","
                + "\"signedDate\":\(line.signedAt),\"data\":{\"appAppleId\":1234567890,\"bundleId\":"
                + "\"\(CustomerHistory.bundleID)\",\"bundleVersion\":\"1.2.3\",\"environment\":\"Production\","
                + "\"status\":1,\"signedTransactionInfo\":\"").utf8
        )
        let middle = Array("\",\"signedRenewalInfo\":\"".utf8)
        let payload = head + middle + Array("\"}}".utf8)
        var whole = event(.notification, source: .notification, payload: payload, of: line)
        whole.notificationID = PostgresUUID(text: identifier)
        whole.notificationType = "DID_RENEW"
        var transaction = event(.transaction, source: .notification, payload: line.transaction(), of: line)
        transaction.cutOffset = Int32(head.count)
        var renewal = event(.renewalInfo, source: .notification, payload: line.renewalInfo(), of: line)
        renewal.cutOffset = Int32(head.count + middle.count)
        renewal.transactionID = nil
        return AppendUnit(events: [whole, transaction, renewal])
    }

    /// The purchase that the next unit, of so many events, is about.
    private mutating func line(events: Int) -> Line {
        let late = Int64(random.next(upperBound: UInt64(Self.lateMax)))
        defer { unitsSoFar += 1 }
        return Line(
            customer: customers.next(events: events, using: &random),
            signedAt: Self.signedAt + unitsSoFar * Self.unitEach - late,
            &random
        )
    }

    private mutating func event(
        _ kind: EventKind,
        source: EventSource,
        payload: [UInt8],
        of line: Line
    ) -> NewEvent {
        guard let digest = DocumentDigest(bytes(DocumentDigest.size)) else { preconditionFailure("16 bytes are one") }
        var event = NewEvent(kind: kind, environment: .production, source: source, digest: digest, payload: payload)
        event.signedAt = Instant(milliseconds: line.signedAt)
        event.headerSegment = Self.header
        event.signature = bytes(64)
        event.bundleID = Self.bundleID
        event.transactionID = TransactionID(rawValue: line.transactionID)
        event.originalTransactionID = OriginalTransactionID(rawValue: line.originalTransactionID)
        event.appTransactionID = AppTransactionID(rawValue: line.appTransactionID)
        return event
    }

    /// A multiple of eight random bytes.
    private mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = random.next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return bytes
    }

    /// One purchase of one customer.
    private struct Line {
        let transactionID: String
        let originalTransactionID: String
        let appTransactionID: String
        let signedAt: Int64
        let webOrderLineItemID: UInt64

        init(customer: Int, signedAt: Int64, _ random: inout SplitMix64) {
            self.signedAt = signedAt
            transactionID = String(560_000_000_000_000 + random.next() % 100_000_000_000_000)
            originalTransactionID = String(560_000_000_000_000 + customer)
            appTransactionID = SlimCustomers.appTransactionID(customer)
            webOrderLineItemID = 200_000_000_000_000 + random.next() % 100_000_000_000_000
        }

        func transaction() -> [UInt8] {
            Array(
                ("{\"transactionId\":\"\(transactionID)\",\"originalTransactionId\":\"\(originalTransactionID)\","
                    + "\"webOrderLineItemId\":\"\(webOrderLineItemID)\",\"bundleId\":\"\(CustomerHistory.bundleID)\","
                    + "\"productId\":\"com.example.pro.monthly\",\"subscriptionGroupIdentifier\":\"20990001\","
                    + "\"purchaseDate\":\(signedAt),\"originalPurchaseDate\":\(signedAt),"
                    + "\"expiresDate\":\(signedAt + 2_592_000_000),\"quantity\":1,"
                    + "\"type\":\"Auto-Renewable Subscription\",\"inAppOwnershipType\":\"PURCHASED\","
                    + "\"signedDate\":\(signedAt),\"environment\":\"Production\",\"transactionReason\":\"RENEWAL\","
                    + "\"storefront\":\"USA\",\"storefrontId\":\"143441\",\"price\":9990,\"currency\":\"USD\","
                    + "\"appTransactionId\":\"\(appTransactionID)\"}").utf8
            )
        }

        /// The transaction when 40 percent of it were refunded.
        func transaction(refundedAt: Int64) -> [UInt8] {
            let members =
                ",\"revocationDate\":\(refundedAt),\"revocationReason\":0,\"revocationType\":\"REFUND_PRORATED\","
                + "\"revocationPercentage\":40000}"
            return transaction().dropLast() + Array(members.utf8)
        }

        func renewalInfo() -> [UInt8] {
            Array(
                ("{\"originalTransactionId\":\"\(originalTransactionID)\",\"autoRenewProductId\":"
                    + "\"com.example.pro.monthly\",\"productId\":\"com.example.pro.monthly\",\"autoRenewStatus\":1,"
                    + "\"renewalPrice\":9990,\"currency\":\"USD\",\"signedDate\":\(signedAt),"
                    + "\"environment\":\"Production\",\"recentSubscriptionStartDate\":\(signedAt),"
                    + "\"renewalDate\":\(signedAt + 2_592_000_000),\"appTransactionId\":\"\(appTransactionID)\"}").utf8
            )
        }
    }
}
