package import Testing

/// Gives each test case a database of its own, ``TestDatabase/current``.
package struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    /// One scope per test case, none around whole suites.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await DatabaseGate.shared.enter()
        do {
            let database = try await TestDatabase.create()
            do {
                try await TestDatabase.$scoped.withValue(database) { try await function() }
            } catch {
                try await database.drop()
                throw error
            }
            try await database.drop()
        } catch {
            await DatabaseGate.shared.leave()
            throw error
        }
        await DatabaseGate.shared.leave()
    }
}

/// Lets a limited number of databases exist at once: the cluster has 200 connections, and a test may use a dozen.
private actor DatabaseGate {
    static let shared = DatabaseGate()
    static let databasesMax = 16

    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if inside < Self.databasesMax {
            inside += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Hands the place to the one that has waited longest.
    func leave() {
        if waiting.isEmpty { inside -= 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == DatabaseTrait {
    /// A database of its own for each test case: ``TestDatabase/current``.
    package static var database: Self { Self() }
}
