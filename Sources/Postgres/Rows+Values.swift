extension Rows {
    /// A `smallint`.
    package func int16(_ row: Int, _ column: Int) -> Int16 { integer(row, column) }
    package func optionalInt16(_ row: Int, _ column: Int) -> Int16? { optionalInteger(row, column) }

    /// A `smallint` or `integer`.
    package func int32(_ row: Int, _ column: Int) -> Int32 { integer(row, column) }
    package func optionalInt32(_ row: Int, _ column: Int) -> Int32? { optionalInteger(row, column) }

    /// A `smallint`, `integer` or `bigint`.
    package func int64(_ row: Int, _ column: Int) -> Int64 { integer(row, column) }
    package func optionalInt64(_ row: Int, _ column: Int) -> Int64? { optionalInteger(row, column) }

    /// A `boolean`.
    package func bool(_ row: Int, _ column: Int) -> Bool {
        expect(column, [.bool])
        return unsafe presentField(row, column).first == 1
    }

    package func optionalBool(_ row: Int, _ column: Int) -> Bool? {
        isNull(row, column) ? nil : bool(row, column)
    }

    /// A `text`, `varchar`, `name`, `json` or `jsonb`.
    package func text(_ row: Int, _ column: Int) -> String {
        unsafe decodeText(presentField(row, column), column)
    }

    package func optionalText(_ row: Int, _ column: Int) -> String? {
        guard let field = unsafe field(row, column) else { return nil }
        return unsafe decodeText(field, column)
    }

    /// A copy of a `bytea`, or of the UTF-8 of a text.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8] {
        unsafe decodeBytes(presentField(row, column), column)
    }

    package func optionalBytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard let field = unsafe field(row, column) else { return nil }
        return unsafe decodeBytes(field, column)
    }

    /// A `uuid`.
    package func uuid(_ row: Int, _ column: Int) -> PostgresUUID {
        expect(column, [.uuid])
        guard let uuid = unsafe PostgresUUID(bytes: presentField(row, column)) else {
            preconditionFailure("a uuid does not have 16 bytes")
        }
        return uuid
    }

    package func optionalUUID(_ row: Int, _ column: Int) -> PostgresUUID? {
        isNull(row, column) ? nil : uuid(row, column)
    }

    func expect(_ column: Int, _ types: [PostgresType]) {
        let type = type(ofColumn: column)
        precondition(
            types.contains(type),
            "the column \(name(ofColumn: column)) has the type \(type.rawValue), not \(types.map(\.rawValue))"
        )
    }

    private func integer<Value: FixedWidthInteger>(_ row: Int, _ column: Int) -> Value {
        unsafe decodeInteger(presentField(row, column), column)
    }

    private func optionalInteger<Value: FixedWidthInteger>(_ row: Int, _ column: Int) -> Value? {
        guard let field = unsafe field(row, column) else { return nil }
        return unsafe decodeInteger(field, column)
    }

    /// An integer of the column's width, if it always fits the width asked for.
    private func decodeInteger<Value: FixedWidthInteger>(
        _ field: UnsafeBufferPointer<UInt8>,
        _ column: Int
    ) -> Value {
        let type = type(ofColumn: column)
        switch type {
        case .int8 where Value.bitWidth >= 64: return Value(unsafe Int64(network: field))
        case .int4 where Value.bitWidth >= 32: return Value(unsafe Int32(network: field))
        case .int2: return Value(unsafe Int16(network: field))
        default:
            preconditionFailure(
                "the column \(name(ofColumn: column)) of type \(type.rawValue) is no integer of \(Value.bitWidth) bits"
            )
        }
    }

    private func decodeText(_ field: UnsafeBufferPointer<UInt8>, _ column: Int) -> String {
        let type = type(ofColumn: column)
        if type == .jsonb { return unsafe String(decoding: field.dropFirst(), as: UTF8.self) }
        precondition(type.isTextual, "the column \(name(ofColumn: column)) of type \(type.rawValue) is no text")
        return unsafe String(decoding: field, as: UTF8.self)
    }

    private func decodeBytes(_ field: UnsafeBufferPointer<UInt8>, _ column: Int) -> [UInt8] {
        let type = type(ofColumn: column)
        if type == .jsonb { return unsafe Array(field.dropFirst()) }
        precondition(
            type == .bytea || type.isTextual,
            "the column \(name(ofColumn: column)) of type \(type.rawValue) is neither bytea nor text"
        )
        return unsafe Array(field)
    }
}

extension FixedWidthInteger {
    /// The integer that PostgreSQL sent, in network order; the number of bytes must be right.
    init(network bytes: UnsafeBufferPointer<UInt8>) {
        precondition(
            bytes.count == Self.bitWidth / 8,
            "an integer of \(Self.bitWidth) bits came as \(bytes.count) bytes"
        )
        self = Self(bigEndian: unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(as: Self.self))
    }
}
