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
        let database = try await TestDatabase.create()
        do {
            try await TestDatabase.$scoped.withValue(database) { try await function() }
        } catch {
            try await database.drop()
            throw error
        }
        try await database.drop()
    }
}

extension Trait where Self == DatabaseTrait {
    /// A database of its own for each test case: ``TestDatabase/current``.
    package static var database: Self { Self() }
}
