package import LedgerCore

/// Which date of a row a window is about (`basis`, API.md "Finance").
package enum RegisterBasis: String, Hashable, Sendable, CaseIterable {
    /// When it happened: the date of the revocation, or of what takes it back.
    case revocationDate
    /// When the account was charged.
    case purchaseDate
    /// When the customer asked for a refund.
    case requestedAt
    /// When the ledger first recorded it.
    case recordedAt
}

/// Which entries of the registers are asked for.
package struct RegisterSelection: Hashable, Sendable {
    /// The environment.
    package var environment: StoreEnvironment
    /// What kinds of entries.
    package var kinds: Set<RegisterEntry.Kind>
    /// Those about these lines; nil: all.
    package var lines: [OriginalTransactionID]?
    /// Those of this transaction, which must be in one of the lines; nil: all.
    package var transactionID: TransactionID?
    /// Which date ``from`` and ``to`` are about.
    package var basis = RegisterBasis.revocationDate
    /// From this date on.
    package var from = Instant(milliseconds: .min)
    /// Up to this date, which is not included.
    package var to = Instant(milliseconds: .max)
    /// Those in this currency.
    package var currency: CurrencyCode?
    /// Those of this product.
    package var productID: ProductID?
    /// Those of this app.
    package var bundleID: BundleID?
    /// Those that were signed by this instant.
    package var at = Instant(milliseconds: .max)

    /// All entries of these kinds in an environment.
    package init(environment: StoreEnvironment, kinds: Set<RegisterEntry.Kind>) {
        self.environment = environment
        self.kinds = kinds
    }
}

/// Where a page of a register ends: the next one begins after it.
package struct RegisterPlace: Hashable, Sendable {
    /// The date that the entries are ordered by.
    package var date: Instant
    /// The entry.
    package var id: RegisterEntry.ID
    /// From where it is believed.
    package var knownFrom: Position

    /// The place of an entry.
    package init(date: Instant, id: RegisterEntry.ID, knownFrom: Position) {
        self.date = date
        self.id = id
        self.knownFrom = knownFrom
    }
}
