import Postgres

/// One statement of a file for each basis, because each is in order of an index of its own.
struct StatementsByBasis {
    private let statements: [RegisterBasis: Statement]

    /// The statements of a file.
    /// - Parameters:
    ///   - name: the name that those of the statements begin with.
    ///   - bytes: the text, which names the column of the first basis.
    ///   - bases: the bases, and the column `e.…` of each; at least one.
    init(_ name: String, _ bytes: [UInt8], _ bases: [(basis: RegisterBasis, column: String)]) {
        guard let first = bases.first?.column else { preconditionFailure("a statement has a basis") }
        let pieces = String(decoding: bytes, as: UTF8.self)
            .split(separator: "e.\(first)", omittingEmptySubsequences: false)
        statements = Dictionary(
            uniqueKeysWithValues: bases.map { basis, column in
                let text = pieces.joined(separator: "e.\(column)")
                return (basis, Statement(name: "\(name)_\(column)", sql: text, isReadOnly: true))
            }
        )
    }

    subscript(basis: RegisterBasis) -> Statement {
        guard let statement = statements[basis] else { preconditionFailure("a register has no basis \(basis)") }
        return statement
    }
}
