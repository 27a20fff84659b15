/// An identifier with the environment it is valid in (DESIGN invariant 9).
package struct FactKey<ID: TextIdentifier>: Hashable, Comparable, Sendable {
    package var environment: StoreEnvironment
    package var id: ID

    package init(_ environment: StoreEnvironment, _ id: ID) {
        self.environment = environment
        self.id = id
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.environment.code, left.id) < (right.environment.code, right.id)
    }
}
