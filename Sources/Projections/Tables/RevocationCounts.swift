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
        // In one order, because the threads of a rebuild add to the same rows.
        let rows = changes.sorted { $0.key.code < $1.key.code }
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
