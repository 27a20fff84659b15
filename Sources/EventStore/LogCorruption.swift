package import LedgerCore

/// A row of the log that no version of ours wrote, or that lost what it refers to.
package struct LogCorruption: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Finding: Sendable, Hashable {
        /// A kind, source or digest that this version does not know.
        case unknownCode
        /// There are later events, and this one is not there.
        case missingEvent
        /// A notification refers to an inner document that is not there, or is not a signed document.
        case missingDocument(at: Position)
        /// A signed document's header segment is not there.
        case missingHeader(id: Int32)
    }

    /// The event that cannot be read.
    package let position: Position
    package let finding: Finding

    package init(position: Position, finding: Finding) {
        self.position = position
        self.finding = finding
    }

    package var description: String {
        switch finding {
        case .unknownCode:
            "The event at position \(position) has a kind, source or digest that this version does not know: "
                + "run a newer ledgerd, or check the log with ledgerd verify."
        case .missingEvent:
            "The event at position \(position) is not there, and later ones are: "
                + "the log was changed from outside; check it with ledgerd verify."
        case .missingDocument(let inner):
            "The event at position \(position) refers to a signed document at position \(inner), which is not there: "
                + "the log was changed from outside; check it with ledgerd verify."
        case .missingHeader(let id):
            "The event at position \(position) refers to the header segment \(id), which is not there: "
                + "the log was changed from outside; check it with ledgerd verify."
        }
    }
}
