/// A customer's key that was once seen on a line, whatever the line's keys are now: how a question about the past finds
/// the lines it must look at.
package struct LineKey: Hashable, Sendable {
    /// Which kind of key it is; the numbers are kept in the tables.
    package enum Kind: Int16, Sendable, Hashable {
        case appTransactionID = 1
        case appAccountToken = 2
    }

    package var environment: StoreEnvironment
    package var kind: Kind
    package var value: String
    package var line: OriginalTransactionID

    package init(
        environment: StoreEnvironment,
        kind: Kind,
        value: String,
        line: OriginalTransactionID
    ) {
        self.environment = environment
        self.kind = kind
        self.value = value
        self.line = line
    }
}
