internal import CPostgres

/// The answer to one query: rows and columns in binary, counted from 0, and the number of rows it affected.
///
/// It owns the `PGresult`. Asking for a row or column that is not there, for a value of a type the column does not
/// have, or for a value where there is NULL, is a mistake in our own SQL or in the code beside it, and traps with the
/// column's name; use the `optional…` forms where a column can be NULL.
@safe
package final class Rows: @unchecked Sendable {
    // Sendable, because a PGresult is not changed after it has been received, and libpq allows reading it from any
    // thread ("Behavior in Threaded Programs").
    private let result: OpaquePointer
    /// The number of rows returned.
    package let count: Int
    package let columnCount: Int

    /// Takes over a result of libpq.
    init(owning result: OpaquePointer) {
        unsafe self.result = unsafe result
        count = Int(unsafe PQntuples(result))
        columnCount = Int(unsafe PQnfields(result))
    }

    deinit { unsafe PQclear(result) }

    package var isEmpty: Bool { count == 0 }

    /// The numbers of the rows: `for row in rows.indices`.
    package var indices: Range<Int> { 0..<count }

    /// The rows inserted, updated, deleted, copied or selected; 0 for commands that count none.
    package var affectedRows: Int { Int(unsafe String(cString: PQcmdTuples(result))) ?? 0 }

    /// The command tag: `INSERT 0 1`, `COMMIT`.
    package var tag: String { unsafe String(cString: PQcmdStatus(result)) }

    /// The name of a column.
    package func name(ofColumn column: Int) -> String {
        precondition(column >= 0 && column < columnCount, "there is no column \(column) among \(columnCount)")
        return unsafe PQfname(result, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    /// The type of a column.
    package func type(ofColumn column: Int) -> PostgresType {
        PostgresType(rawValue: unsafe PQftype(result, Int32(column)))
    }

    package func isNull(_ row: Int, _ column: Int) -> Bool {
        check(row, column)
        return unsafe PQgetisnull(result, Int32(row), Int32(column)) == 1
    }

    /// Lends the bytes of a value of any type, as the server sent them, without copying; nil for NULL.
    package func withOptionalBytes<Value, Failure: Error>(
        _ row: Int,
        _ column: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let field = unsafe field(row, column) else { return nil }
        return try body(unsafe field.span)
    }

    /// Lends the bytes of a value of any type, as the server sent them, without copying.
    package func withBytes<Value, Failure: Error>(
        _ row: Int,
        _ column: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let field = unsafe presentField(row, column)
        return try body(unsafe field.span)
    }

    /// The value's memory, valid while this object lives; nil for NULL.
    func field(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
        check(row, column)
        let (row, column) = (Int32(row), Int32(column))
        guard let start = unsafe PQgetvalue(result, row, column) else { return nil }
        let length = Int(unsafe PQgetlength(result, row, column))
        // Only an empty value needs the question: libpq gives an empty text for NULL.
        if length == 0, unsafe PQgetisnull(result, row, column) == 1 { return nil }
        return unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
            count: length
        )
    }

    func presentField(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        guard let field = unsafe field(row, column) else {
            preconditionFailure("row \(row) has NULL in the column \(name(ofColumn: column))")
        }
        return unsafe field
    }

    private func check(_ row: Int, _ column: Int) {
        precondition(row >= 0 && row < count, "there is no row \(row) among \(count)")
        precondition(column >= 0 && column < columnCount, "there is no column \(column) among \(columnCount)")
    }

    /// What kind of answer libpq gave.
    var status: ExecStatusType { unsafe PQresultStatus(result) }

    /// A field of an error report; nil when the server did not send it.
    func errorField(_ field: Int32) -> String? {
        guard let text = unsafe PQresultErrorField(result, field) else { return nil }
        return unsafe String(cString: text)
    }

    /// libpq's own words about an error that did not come from the server, without the line break at its end.
    var errorMessage: String { unsafe String(cString: PQresultErrorMessage(result)).trimmingLineBreaks }
}

extension String {
    /// libpq ends its messages with a line break and puts several of them below each other, some after a tab.
    var trimmingLineBreaks: String {
        split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }
}
