internal import Synchronization

/// What a writer has appended since its start; the writer's thread adds, any thread reads.
package final class WriterCounters: Sendable {
    /// The numbers of one reading, which may lie a batch apart.
    package struct Snapshot: Hashable, Sendable {
        /// Batches that were sent to the log, failed ones included.
        package var batches = 0
        /// Units that are durable, known ones included.
        package var units = 0
        /// Units that could not be stored.
        package var unitsFailed = 0
        /// Bytes of the units of all batches, as the limits of a batch count them.
        package var bytes = 0
    }

    private let batches = Atomic(0)
    private let units = Atomic(0)
    private let unitsFailed = Atomic(0)
    private let bytes = Atomic(0)

    init() {}

    /// The numbers now.
    package var snapshot: Snapshot {
        Snapshot(
            batches: batches.load(ordering: .relaxed),
            units: units.load(ordering: .relaxed),
            unitsFailed: unitsFailed.load(ordering: .relaxed),
            bytes: bytes.load(ordering: .relaxed)
        )
    }

    /// A batch was sent; so many of its units are durable now.
    func sent(_ batch: [AppendUnit], durable: Int) {
        batches.wrappingAdd(1, ordering: .relaxed)
        units.wrappingAdd(durable, ordering: .relaxed)
        unitsFailed.wrappingAdd(batch.count - durable, ordering: .relaxed)
        bytes.wrappingAdd(batch.reduce(0) { $0 + $1.size }, ordering: .relaxed)
    }
}
