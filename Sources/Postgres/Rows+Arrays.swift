extension Rows {
    /// A `bigint[]`, whose elements can be NULL.
    package func optionalInt64s(_ row: Int, _ column: Int) -> [Int64?] {
        unsafe elements(row, column, .int8Array) { unsafe Int64(network: $0) }
    }

    /// A `bigint[]` without NULLs.
    package func int64s(_ row: Int, _ column: Int) -> [Int64] { present(optionalInt64s(row, column), column) }

    /// An `integer[]`, whose elements can be NULL.
    package func optionalInt32s(_ row: Int, _ column: Int) -> [Int32?] {
        unsafe elements(row, column, .int4Array) { unsafe Int32(network: $0) }
    }

    /// An `integer[]` without NULLs.
    package func int32s(_ row: Int, _ column: Int) -> [Int32] { present(optionalInt32s(row, column), column) }

    /// A `smallint[]`, whose elements can be NULL.
    package func optionalInt16s(_ row: Int, _ column: Int) -> [Int16?] {
        unsafe elements(row, column, .int2Array) { unsafe Int16(network: $0) }
    }

    /// A `smallint[]` without NULLs.
    package func int16s(_ row: Int, _ column: Int) -> [Int16] { present(optionalInt16s(row, column), column) }

    /// A `boolean[]`, whose elements can be NULL.
    package func optionalBools(_ row: Int, _ column: Int) -> [Bool?] {
        unsafe elements(row, column, .boolArray) { unsafe $0.first == 1 }
    }

    /// A `text[]`, whose elements can be NULL.
    package func optionalTexts(_ row: Int, _ column: Int) -> [String?] {
        unsafe elements(row, column, .textArray) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// A `text[]` without NULLs.
    package func texts(_ row: Int, _ column: Int) -> [String] { present(optionalTexts(row, column), column) }

    /// A `bytea[]`, whose elements can be NULL.
    package func optionalByteArrays(_ row: Int, _ column: Int) -> [[UInt8]?] {
        unsafe elements(row, column, .byteaArray) { unsafe Array($0) }
    }

    /// A `bytea[]` without NULLs.
    package func byteArrays(_ row: Int, _ column: Int) -> [[UInt8]] { present(optionalByteArrays(row, column), column) }

    /// A `uuid[]`, whose elements can be NULL.
    package func optionalUUIDs(_ row: Int, _ column: Int) -> [PostgresUUID?] {
        unsafe elements(row, column, .uuidArray) { unsafe PostgresUUID(bytes: $0) }
    }

    /// A `uuid[]` without NULLs.
    package func uuids(_ row: Int, _ column: Int) -> [PostgresUUID] { present(optionalUUIDs(row, column), column) }

    private func present<Element>(_ elements: [Element?], _ column: Int) -> [Element] {
        elements.map { element in
            guard let element else {
                preconditionFailure("an array in the column \(name(ofColumn: column)) has a NULL element")
            }
            return element
        }
    }

    /// Reads what ``BinaryWriter`` writes: at most one dimension, any lower bound.
    private func elements<Element>(
        _ row: Int,
        _ column: Int,
        _ type: PostgresType,
        _ decode: (UnsafeBufferPointer<UInt8>) -> Element?
    ) -> [Element?] {
        expect(column, [type])
        var rest = unsafe presentField(row, column)
        func next() -> Int {
            let value = unsafe Int32(network: UnsafeBufferPointer(rebasing: rest.prefix(4)))
            unsafe rest = unsafe UnsafeBufferPointer(rebasing: rest.dropFirst(4))
            return Int(value)
        }
        let dimensions = next()
        _ = (next(), next())
        if dimensions == 0 { return [] }
        precondition(dimensions == 1, "the column \(name(ofColumn: column)) has an array of \(dimensions) dimensions")
        let count = next()
        _ = next()
        var values: [Element?] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            let length = next()
            if length < 0 {
                values.append(nil)
                continue
            }
            unsafe values.append(decode(UnsafeBufferPointer(rebasing: rest.prefix(length))))
            unsafe rest = unsafe UnsafeBufferPointer(rebasing: rest.dropFirst(length))
        }
        return values
    }
}
