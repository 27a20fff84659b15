import LedgerCore
import Postgres

/// `projection.revocation_counts`: how a batch changes the numbers of revoked transactions.
///
/// An environment has a row when any transaction of it has a register, whatever its numbers are, so any batches give the
/// same rows.
struct RevocationCounts {
    private var changes: [StoreEnvironment: RevocationBalance] = [:]

    /// Takes a transaction in as its register stands after the batch.
    mutating func add(_ register: TransactionRegister, in environment: StoreEnvironment) {
        changes[environment, default: RevocationBalance()].add(RevocationPartition([register]), 1)
    }

    /// Takes it out as its register stood before.
    mutating func remove(_ register: TransactionRegister, in environment: StoreEnvironment) {
        changes[environment, default: RevocationBalance()].add(RevocationPartition([register]), -1)
    }

    /// The write.
    func query(_ schema: ProjectionSchema) -> Query {
        let rows = Array(changes)
        return Query(
            Statements.writeRevocationCounts.on(schema),
            [
                .int2Array(rows.map(\.key.code)), .int8Array(rows.map { Int64($0.value.revoked) }),
                .int8Array(rows.map { Int64($0.value.refunded) }),
                .int8Array(rows.map { Int64($0.value.withoutRefund) }),
            ]
        )
    }
}
