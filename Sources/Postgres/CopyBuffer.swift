/// Gathers bytes for COPY and hands them to libpq in pieces, waiting for each piece to be sent: libpq would keep any
/// amount in memory otherwise.
struct CopyBuffer: ~Copyable {
    /// When a piece is sent.
    static let pieceBytes = 64 << 10

    let connection: Connection
    var writer = BinaryWriter()

    init(_ connection: Connection) { self.connection = connection }

    mutating func sendIfLarge() throws(PostgresError) {
        if writer.bytes.count >= Self.pieceBytes { try send() }
    }

    mutating func send() throws(PostgresError) {
        guard !writer.bytes.isEmpty else { return }
        try connection.put(writer.bytes)
        writer.removeAll()
    }
}

/// Takes rows for `COPY … FROM STDIN (FORMAT binary)`.
package struct CopyRows: ~Copyable {
    /// `PGCOPY`, a mark of damaged line ends, no flags, no extension (PostgreSQL manual, COPY, "Binary Format").
    private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    var buffer: CopyBuffer

    init(_ connection: Connection) {
        buffer = CopyBuffer(connection)
        buffer.writer.append(contentsOf: Self.header)
    }

    /// Adds a row: one value per column, each of exactly the column's type, which the server does not convert.
    package mutating func append(_ values: [Parameter]) throws(PostgresError) {
        try ParameterBuffer.check(values)
        // The row's number of values has 16 bits, and −1 means the end.
        guard let count = Int16(exactly: values.count) else {
            throw .limitExceeded(what: "columns in a row", limit: Int(Int16.max))
        }
        buffer.writer.append(count)
        for value in values { buffer.writer.appendWithLength(value) }
        try buffer.sendIfLarge()
    }

    /// Adds rows that are given as one array for each column, as statements take them by `unnest`: all equally long, of
    /// exactly the columns' types.
    package mutating func append(columns: [Parameter]) throws(PostgresError) {
        guard let count = Int16(exactly: columns.count) else {
            throw .limitExceeded(what: "columns in a row", limit: Int(Int16.max))
        }
        for row in 0..<(columns.first?.elementCount ?? 0) {
            buffer.writer.append(count)
            for column in columns { buffer.writer.appendWithLength(element: row, of: column) }
            try buffer.sendIfLarge()
        }
    }

    mutating func finish() throws(PostgresError) {
        buffer.writer.append(Int16(-1))
        try buffer.send()
    }
}

/// Takes lines for `COPY … FROM STDIN` in text format, or bytes for any format.
package struct CopyText: ~Copyable {
    var buffer: CopyBuffer

    init(_ connection: Connection) { buffer = CopyBuffer(connection) }

    /// Adds a row of the text format: nil is NULL; tabs, line breaks and backslashes are escaped.
    package mutating func append(_ fields: [String?]) throws(PostgresError) {
        for (index, field) in fields.enumerated() {
            if index > 0 { buffer.writer.append(UInt8(ascii: "\t")) }
            append(field: field)
        }
        buffer.writer.append(UInt8(ascii: "\n"))
        try buffer.sendIfLarge()
    }

    /// Adds bytes as they are, such as a part of a CSV file.
    package mutating func append(raw bytes: some Sequence<UInt8>) throws(PostgresError) {
        buffer.writer.append(contentsOf: bytes)
        try buffer.sendIfLarge()
    }

    private mutating func append(field: String?) {
        guard let field else { return buffer.writer.append(contentsOf: "\\N".utf8) }
        for byte in field.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): buffer.writer.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\t"): buffer.writer.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): buffer.writer.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): buffer.writer.append(contentsOf: "\\r".utf8)
            default: buffer.writer.append(byte)
            }
        }
    }

    mutating func finish() throws(PostgresError) { try buffer.send() }
}
