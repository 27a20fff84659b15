import Dispatch
import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Tables that another version folded in another shape are left alone until they are rebuilt.
@Suite("Projection: shape", .database, .timeLimit(.minutes(10)))
struct ProjectionShapeTests {
    private static let older = ProjectionShape.current - 1
    private static let newer = ProjectionShape.current + 1

    /// Folds a story, and says then that another version did it.
    private static func fold(as shape: Int16, _ database: TestDatabase) async throws {
        let units = try Story(seed: 12, count: 30).units(.shared())
        try await database.project { harness in
            try harness.append(units)
            try harness.catchUp()
        }
        try await database.run { owner in try owner.execute("UPDATE projection.cursors SET shape = \(shape)") }
    }

    @Test func `a shape stands for the bytes that events fold to`() throws {
        let story = Story(seed: 15, count: 400, lines: 9).events
        var facts = FactSet()
        var renderings: [FactKey<TransactionID>: [RegisterRendering]] = [:]
        for event in try story + UsageStory(seed: 15, count: 20, lines: 9).events(after: story) {
            guard let rendering = facts.fold(event), let environment = event.environment else { continue }
            renderings[FactKey(environment, rendering.fact.transactionID), default: []].append(rendering)
        }
        facts.markUsed()
        var bytes = facts.packedLines.sorted { $0.key < $1.key }.flatMap(\.value)
        for register in renderings.sorted(by: { $0.key < $1.key }).map({ TransactionRegister($0.value) }) {
            bytes += register.packed + register.entries.flatMap(\.packed)
        }
        // Other bytes are another shape: raise ProjectionShape.current, and let the digest stand beside it.
        let digest = DocumentDigest(testPayload: bytes).bytes.hexadecimal
        #expect(ProjectionShape.current == 1)
        #expect(digest == "a76510fca1e77dde9c0134155cc2d221")
    }

    @Test func `a ledger gets its shape with the first event that is folded`() async throws {
        let units = try Story(seed: 13, count: 4).units(.shared())
        try await TestDatabase.current.project { harness in
            #expect(try harness.projection.position() == .start)
            #expect(try harness.shape() == 0)
            try harness.append(units)
            try harness.catchUp()
            #expect(try harness.shape() == ProjectionShape.current)
            #expect(try harness.projection.position() == harness.head)
        }
    }

    @Test(arguments: [
        (older, "run ledgerd rebuild."), (newer, "run a newer ledgerd, or ledgerd rebuild with this one."),
    ])
    func `tables of another shape are neither folded over nor looked at`(
        _ shape: Int16,
        _ advice: String
    ) async throws {
        let database = TestDatabase.current
        try await Self.fold(as: shape, database)
        let more = try Story(seed: 14, count: 4).units(.shared())
        try await database.project { harness in
            try harness.append(more)
            let mismatch = ShapeMismatch(found: shape)
            #expect(throws: mismatch) { try harness.projection.step() }
            #expect(throws: mismatch) { try harness.projection.position() }
            #expect(throws: mismatch) { try harness.fold(to: harness.head) }
            let catalogs = CatalogShelf(initial: .empty)
            #expect(throws: mismatch) { try HistoryReader(harness.connection, catalogs: catalogs).horizon(nil) }
            #expect(throws: mismatch) { try RegisterReader(harness.connection, catalogs: catalogs).position() }
            #expect(
                mismatch.description
                    == "The projection's tables have shape \(shape), and this program folds and reads shape "
                    + "\(ProjectionShape.current): \(advice)"
            )
            #expect(try harness.shape() == shape)
        }
    }

    @Test(arguments: [older, newer])
    func `a rebuild compares nothing with tables of another shape, and puts its own in their place`(
        _ shape: Int16
    ) async throws {
        let database = TestDatabase.current
        try await Self.fold(as: shape, database)
        for replaces in [false, true] {
            let comparison = try await database.run { owner in
                let rebuild = Rebuild(owner)
                try rebuild.fold { _ in }
                return try rebuild.compare(replaces: replaces)
            }
            // Before they were replaced they were nobody's.
            #expect(comparison.mismatch == ShapeMismatch(found: replaces ? ProjectionShape.withdrawn : shape))
            #expect(comparison.differing == [])
            let kept = try await database.project { harness in try harness.shape() }
            #expect(kept == (replaces ? ProjectionShape.current : shape))
        }
        try await database.project { harness in try harness.expectTablesEqualLog("rebuilt") }
    }

    @Test func `a follower tells it, and goes on once the tables are rebuilt, though nothing new came`() async throws {
        let database = TestDatabase.current
        try await Self.fold(as: Self.older, database)
        try await database.run { owner in
            let (misshapen, advanced) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let follower = try Follower(
                database.daemon("follower"),
                log: ProgressBoard(),
                projected: ProgressBoard(),
                catalogs: CatalogShelf(initial: .empty)
            ) { report in
                switch report {
                case .misshapen: misshapen.signal()
                case .advanced: advanced.signal()
                case .discovered, .unavailable, .stopped: break
                }
            }
            misshapen.wait()
            let rebuild = Rebuild(owner)
            try rebuild.fold { _ in }
            #expect(try rebuild.withdraw())
            #expect(throws: ShapeMismatch(found: ProjectionShape.withdrawn)) {
                try FactProjection(owner).position()
            }
            #expect(try !rebuild.withdraw())
            #expect(try rebuild.compare(replaces: true).mismatch != nil)
            advanced.wait()
            follower.stop()
        }
    }
}

extension ProjectionHarness {
    /// The shape that the live tables are said to have.
    fileprivate func shape() throws -> Int16 {
        let statement = Statement(name: "test_shape", sql: "SELECT shape FROM projection.cursors", isReadOnly: true)
        return try connection.query(statement).int16(0, 0)
    }
}
