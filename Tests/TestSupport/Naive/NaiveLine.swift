import LedgerCore

/// One line (`originalTransactionId`): what its documents say of it as a whole (PROTOCOL.md 8.1, 8.2).
package struct NaiveLine: Sendable {
    let id: String
    /// Each transaction in its winning rendering.
    let purchases: [NaivePurchase]
    /// The winning renewal info.
    let renewal: NaiveDocument?
    /// The notification signed last that states a status.
    let status: (value: Int64, signed: Int64)?
    /// `appTransactionId` of the latest observation that has one.
    let customer: String?
    /// `appAccountToken` of the newest observation.
    let token: String?

    init(_ id: String, _ documents: [NaiveDocument]) {
        self.id = id
        let renderings = documents.filter { $0.kind == .transaction && $0.text("transactionId") != nil }
        purchases = Dictionary(grouping: renderings) { $0.text("transactionId") ?? "" }.values
            .compactMap { $0.max { Self.winner(of: $0, $1) == $1.digest } }
            .map(NaivePurchase.init)
        let renewals = documents.filter { $0.kind == .renewalInfo }
        renewal = renewals.max { ($0.signed, $0.digest) < ($1.signed, $1.digest) }
        status =
            documents.filter(\.isNotification)
            .compactMap { document in
                guard case .object(let data)? = document.payload["data"], let status = data.integer("status") else {
                    return nil
                }
                return (status, document.signed)
            }
            .max { ($0.1, $0.0) < ($1.1, $1.0) }
        customer =
            (renderings + renewals).compactMap { document in
                document.text("appTransactionId").map { (document.signed, $0) }
            }
            .max { $0 < $1 }?.1
        token = Self.token(renderings, renewals)
    }

    /// A notification about the line that states no status makes no line.
    var hasFacts: Bool { !purchases.isEmpty || renewal != nil || status != nil }

    /// Signed later; of two signed at once the revoked one; then any, but always the same.
    private static func winner(of left: NaiveDocument, _ right: NaiveDocument) -> DocumentDigest {
        if left.signed != right.signed { return (left.signed > right.signed ? left : right).digest }
        let isRevoked = (left.integer("revocationDate") != nil, right.integer("revocationDate") != nil)
        if isRevoked.0 != isRevoked.1 { return (isRevoked.0 ? left : right).digest }
        return max(left.digest, right.digest)
    }

    /// The purchase made last against the renewal info signed last, among those that have a token: one without does
    /// not erase a known one.
    private static func token(_ renderings: [NaiveDocument], _ renewals: [NaiveDocument]) -> String? {
        let purchase = renderings.filter { $0.token != nil }.max { left, right in
            (left.integer("purchaseDate") ?? left.signed, left.signed, left.token ?? "")
                < (right.integer("purchaseDate") ?? right.signed, right.signed, right.token ?? "")
        }
        let renewal = renewals.filter { $0.token != nil }.max {
            ($0.signed, $0.token ?? "") < ($1.signed, $1.token ?? "")
        }
        return [purchase, renewal].compactMap { $0 }
            .max { ($0.signed, $0.token ?? "") < ($1.signed, $1.token ?? "") }?.token
    }
}
