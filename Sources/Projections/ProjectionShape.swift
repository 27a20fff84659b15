import LedgerCore
import Postgres

/// The shape of the projection's tables: which rows a program folds from events, and how facts lie in them packed.
///
/// Tables are of the shape of the program that began to fold them, and so is whatever is folded over them. A step of the
/// schema changes columns and not what is in them; another shape comes by a rebuild alone.
enum ProjectionShape {
    /// The shape that this program folds and reads; it has another number whenever the same events give other rows, or
    /// packed facts have another form.
    static let current: Int16 = 1
    /// What is said of tables that are about to be replaced: the shape of no program.
    static let withdrawn: Int16 = -1

    /// Looks whether tables can be read and folded over; those of an empty ledger can.
    /// - Parameters:
    ///   - shape: what the cursor says of them.
    ///   - position: where the cursor stands.
    /// - Throws: ``ShapeMismatch`` when they cannot.
    static func check(_ shape: Int16, at position: Position) throws(ShapeMismatch) {
        guard position == .start || shape == current else { throw ShapeMismatch(found: shape) }
    }
}

/// The projection's tables were folded by a program that means something else by them.
package struct ShapeMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The shape of the tables.
    package let found: Int16

    package var description: String {
        "The projection's tables have shape \(found), and this program folds and reads shape \(ProjectionShape.current): "
            + (found < ProjectionShape.current
                ? "run ledgerd rebuild." : "run a newer ledgerd, or ledgerd rebuild with this one.")
    }
}
