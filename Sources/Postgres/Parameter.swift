/// A value for `$n`, sent in binary with its type.
///
/// An array holds optionals, because an element can be NULL; an array without elements is `'{}'`, not NULL.
package enum Parameter: Sendable, Hashable {
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case bool(Bool)
    case text(String)
    case bytea([UInt8])
    case uuid(PostgresUUID)
    case null(PostgresType)
    case int2Array([Int16?])
    case int4Array([Int32?])
    case int8Array([Int64?])
    case boolArray([Bool?])
    case textArray([String?])
    case byteaArray([[UInt8]?])
    case uuidArray([PostgresUUID?])

    package static func int2(orNull value: Int16?) -> Parameter { value.map { .int2($0) } ?? .null(.int2) }
    package static func int4(orNull value: Int32?) -> Parameter { value.map { .int4($0) } ?? .null(.int4) }
    package static func int8(orNull value: Int64?) -> Parameter { value.map { .int8($0) } ?? .null(.int8) }
    package static func bool(orNull value: Bool?) -> Parameter { value.map { .bool($0) } ?? .null(.bool) }
    package static func text(orNull value: String?) -> Parameter { value.map { .text($0) } ?? .null(.text) }
    package static func bytea(orNull value: [UInt8]?) -> Parameter { value.map { .bytea($0) } ?? .null(.bytea) }
    package static func uuid(orNull value: PostgresUUID?) -> Parameter { value.map { .uuid($0) } ?? .null(.uuid) }

    /// The type it is sent as.
    package var type: PostgresType {
        switch self {
        case .int2: .int2
        case .int4: .int4
        case .int8: .int8
        case .bool: .bool
        case .text: .text
        case .bytea: .bytea
        case .uuid: .uuid
        case .null(let type): type
        case .int2Array: .int2Array
        case .int4Array: .int4Array
        case .int8Array: .int8Array
        case .boolArray: .boolArray
        case .textArray: .textArray
        case .byteaArray: .byteaArray
        case .uuidArray: .uuidArray
        }
    }

    /// How many elements an array has; 0 for a value that is none.
    var elementCount: Int {
        switch self {
        case .int2Array(let values): values.count
        case .int4Array(let values): values.count
        case .int8Array(let values): values.count
        case .boolArray(let values): values.count
        case .textArray(let values): values.count
        case .byteaArray(let values): values.count
        case .uuidArray(let values): values.count
        case .int2, .int4, .int8, .bool, .text, .bytea, .uuid, .null: 0
        }
    }

    /// The most bytes its binary form takes.
    var sizeMax: Int {
        switch self {
        case .int2, .int4, .int8, .bool, .null: 8
        case .uuid: 16
        case .text(let value): value.utf8.count
        case .bytea(let value): value.count
        case .int2Array(let values): arraySize(values.count, of: 2)
        case .int4Array(let values): arraySize(values.count, of: 4)
        case .int8Array(let values): arraySize(values.count, of: 8)
        case .boolArray(let values): arraySize(values.count, of: 1)
        case .uuidArray(let values): arraySize(values.count, of: 16)
        case .textArray(let values): values.reduce(arraySize(values.count, of: 0)) { $0 + ($1?.utf8.count ?? 0) }
        case .byteaArray(let values): values.reduce(arraySize(values.count, of: 0)) { $0 + ($1?.count ?? 0) }
        }
    }

    /// 20 bytes of head, and 4 of length before each element.
    private func arraySize(_ count: Int, of elementSize: Int) -> Int { 20 + count * (4 + elementSize) }
}
