import LedgerCore
import Postgres

/// How one kind of fact lies in its table: the columns in the table's order, out and in.
protocol FactTable {
    associatedtype Key: TextIdentifier
    associatedtype Fact: Sendable

    /// Reads facts by environment and identifier; see `load_….sql`.
    static var load: Statement { get }
    /// Writes facts over what is held; see `write_….sql`.
    static var write: Statement { get }

    static func decode(_ row: RowReader) -> Fact
    /// One array a column, the environment and the identifier first.
    static func columns(_ facts: [(key: FactKey<Key>, fact: Fact)]) -> [Parameter]
}

extension FactTable {
    static func loadQuery(_ keys: [FactKey<Key>], _ schema: ProjectionSchema = .live) -> Query {
        Query(load.on(schema), [.int2Array(keys.map(\.environment.code)), .textArray(keys.map(\.id.rawValue))])
    }

    static func writeQuery(_ facts: [FactKey<Key>: Fact], _ schema: ProjectionSchema = .live) -> Query {
        // In no order: the cursor's lock keeps any other writer out.
        Query(write.on(schema), columns(facts))
    }

    static func columns(_ facts: [FactKey<Key>: Fact]) -> [Parameter] {
        columns(facts.map { (key: $0.key, fact: $0.value) })
    }

    static func decodeAll(_ rows: Rows) -> [(environment: StoreEnvironment, fact: Fact)] {
        rows.indices.compactMap { row in
            StoreEnvironment(code: rows.int16(row, 0)).map { ($0, decode(RowReader(rows, row: row, first: 1))) }
        }
    }
}

/// Reads the columns of a row from a certain one on.
struct RowReader {
    private let rows: Rows
    private let row: Int
    private let first: Int

    init(_ rows: Rows, row: Int, first: Int) {
        self.rows = rows
        self.row = row
        self.first = first
    }

    func text<ID: TextIdentifier>(_ column: Int) -> ID { ID(rawValue: rows.text(row, first + column)) }
    func optionalText<ID: TextIdentifier>(_ column: Int) -> ID? {
        rows.optionalText(row, first + column).map(ID.init(rawValue:))
    }
    func optionalString(_ column: Int) -> String? { rows.optionalText(row, first + column) }
    func integer(_ column: Int) -> Int64 { rows.int64(row, first + column) }
    func optionalInteger(_ column: Int) -> Int64? { rows.optionalInt64(row, first + column) }
    func instant(_ column: Int) -> Instant { Instant(milliseconds: integer(column)) }
    func optionalInstant(_ column: Int) -> Instant? { optionalInteger(column).map(Instant.init(milliseconds:)) }
    func boolean(_ column: Int) -> Bool { rows.bool(row, first + column) }

    func open<Known>(_ column: Int) -> Open<Known>? where Known.RawValue == String {
        optionalString(column).map(Open.init(rawValue:))
    }

    /// The facts of a line, packed.
    func packedLine(_ column: Int) -> LineFacts {
        rows.withBytes(row, first + column) { span in
            unsafe span.withUnsafeBufferPointer { unsafe LineFacts(packed: $0) }
        }
    }

    /// position, signed_at, digest at these columns; is_tied at `tied`.
    func rendering(from column: Int, tied: Int) -> Rendering {
        guard let digest = rows.withBytes(row, first + column + 2, { DocumentDigest(span: $0) }) else {
            preconditionFailure("a digest in a fact table has \(DocumentDigest.size) bytes")
        }
        var rendering = Rendering(
            signedAt: instant(column + 1),
            digest: digest,
            position: Position(integer(column))
        )
        rendering.isTied = boolean(tied)
        return rendering
    }
}
