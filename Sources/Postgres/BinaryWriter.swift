/// Writes values in PostgreSQL's binary form, integers in network order, to a buffer that is used again and again.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    /// Writes a value without its length; false for NULL, which is only a length.
    mutating func append(_ parameter: Parameter) -> Bool {
        switch parameter {
        case .int2(let value): append(value)
        case .int4(let value): append(value)
        case .int8(let value): append(value)
        case .bool(let value): append(value)
        case .text(let value): append(contentsOf: value.utf8)
        case .bytea(let value): append(contentsOf: value)
        case .uuid(let value): append(value)
        case .null: return false
        case .int2Array(let values): append(array: values, of: .int2) { $0.append($1) }
        case .int4Array(let values): append(array: values, of: .int4) { $0.append($1) }
        case .int8Array(let values): append(array: values, of: .int8) { $0.append($1) }
        case .boolArray(let values): append(array: values, of: .bool) { $0.append($1) }
        case .textArray(let values): append(array: values, of: .text) { $0.append(contentsOf: $1.utf8) }
        case .byteaArray(let values): append(array: values, of: .bytea) { $0.append(contentsOf: $1) }
        case .uuidArray(let values): append(array: values, of: .uuid) { $0.append($1) }
        }
        return true
    }

    /// Writes a value with its length before it, −1 for NULL: the form of COPY rows and of array elements.
    mutating func appendWithLength(_ parameter: Parameter) {
        let start = reserveLength()
        setLength(at: start, isNull: !append(parameter))
    }

    /// Writes one element of an array with its length before it, as a value of its own.
    mutating func appendWithLength(element index: Int, of array: Parameter) {
        switch array {
        case .int2Array(let values): append(element: values[index]) { $0.append($1) }
        case .int4Array(let values): append(element: values[index]) { $0.append($1) }
        case .int8Array(let values): append(element: values[index]) { $0.append($1) }
        case .boolArray(let values): append(element: values[index]) { $0.append($1) }
        case .textArray(let values): append(element: values[index]) { $0.append(contentsOf: $1.utf8) }
        case .byteaArray(let values): append(element: values[index]) { $0.append(contentsOf: $1) }
        case .uuidArray(let values): append(element: values[index]) { $0.append($1) }
        case .int2, .int4, .int8, .bool, .text, .bytea, .uuid, .null:
            preconditionFailure("a column of rows is an array")
        }
    }

    private mutating func append<Element>(element: Element?, _ write: (inout BinaryWriter, Element) -> Void) {
        let start = reserveLength()
        if let element { write(&self, element) }
        setLength(at: start, isNull: element == nil)
    }

    private mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

    private mutating func append(_ value: PostgresUUID) {
        append(value.high)
        append(value.low)
    }

    /// One dimension: number of dimensions, whether there are NULLs, element type, length, lower bound 1, elements
    /// (`array_recv` in PostgreSQL's arrayfuncs.c).
    ///
    /// An empty array has no dimension.
    private mutating func append<Element>(
        array: [Element?],
        of type: PostgresType,
        element: (inout BinaryWriter, Element) -> Void
    ) {
        append(Int32(array.isEmpty ? 0 : 1))
        append(Int32(array.contains { $0 == nil } ? 1 : 0))
        append(type.rawValue)
        guard !array.isEmpty else { return }
        append(Int32(array.count))
        append(Int32(1))
        for value in array { append(element: value, element) }
    }

    private mutating func reserveLength() -> Int {
        append(Int32(0))
        return bytes.count
    }

    private mutating func setLength(at start: Int, isNull: Bool) {
        let length: Int32 = isNull ? -1 : Int32(bytes.count - start)
        for index in 0..<4 { bytes[start - 4 + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }
}
