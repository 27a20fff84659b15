/// A row of a register as it is shown: what was believed, and what follows from it under a catalog and a calendar.
package struct RegisterRow: Hashable, Sendable {
    /// The entry, and the positions between which it was believed.
    package var believed: BelievedEntry
    /// How long it stayed unnoticed.
    package var detection: RevocationDetection
    /// Apple's fiscal month in which it happened; nil outside the years that periods have.
    package var fiscalPeriod: FiscalPeriod?

    /// A row.
    package init(_ believed: BelievedEntry, catalog: Catalog, calendar: FiscalCalendar = .standard) {
        self.believed = believed
        detection = RevocationDetection(believed.entry, catalog: catalog)
        fiscalPeriod = calendar.period(of: believed.entry.happenedAt)
    }

    /// What is shown.
    package var entry: RegisterEntry { believed.entry }
}
