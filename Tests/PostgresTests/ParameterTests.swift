import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct ParameterTests {
    static let uuid = PostgresUUID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    /// A value, and how PostgreSQL writes it as text.
    static let values: [(Parameter, String?)] = [
        (.int2(.min), "-32768"), (.int2(.max), "32767"),
        (.int4(.min), "-2147483648"), (.int4(258), "258"),
        (.int8(.min), "-9223372036854775808"), (.int8(.max), "9223372036854775807"), (.int8(0), "0"),
        (.bool(true), "true"), (.bool(false), "false"),
        (.text(""), ""), (.text("Ünïcode 🧾 '; DROP TABLE item; --"), "Ünïcode 🧾 '; DROP TABLE item; --"),
        (.bytea([]), #"\x"#), (.bytea([0, 1, 255, 0]), #"\x0001ff00"#),
        (.uuid(uuid), "01234567-89ab-cdef-fedc-ba9876543210"),
        (.null(.int2), nil), (.null(.int4), nil), (.null(.int8), nil), (.null(.bool), nil), (.null(.text), nil),
        (.null(.bytea), nil), (.null(.uuid), nil), (.null(.int8Array), nil), (.null(.textArray), nil),
        (.int2Array([]), "{}"), (.int2Array([1, nil, -3]), "{1,NULL,-3}"),
        (.int4Array([]), "{}"), (.int4Array([70_000, nil]), "{70000,NULL}"),
        (.int8Array([]), "{}"), (.int8Array([.min, nil, .max]), "{-9223372036854775808,NULL,9223372036854775807}"),
        (.boolArray([]), "{}"), (.boolArray([true, nil, false]), "{t,NULL,f}"),
        (.textArray([]), "{}"), (.textArray(["", nil, "NULL", "a,b\"c"]), #"{"",NULL,"NULL","a,b\"c"}"#),
        (.byteaArray([]), "{}"), (.byteaArray([[], nil, [222, 173]]), #"{"\\x",NULL,"\\xdead"}"#),
        (.uuidArray([]), "{}"), (.uuidArray([uuid, nil]), "{01234567-89ab-cdef-fedc-ba9876543210,NULL}"),
    ]

    @Test(arguments: values)
    func `the server reads a parameter as what it is, and gives it back`(_ value: Parameter, _ text: String?)
        async throws
    {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(
                Statement(name: "echo", sql: "SELECT $1, $1::text", isReadOnly: true),
                [value]
            )
            #expect(rows.optionalText(0, 1) == text)
            #expect(Parameter(rows, 0, 0, as: value.type) == value)
            #expect(rows.type(ofColumn: 0) == value.type)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `arrays of any content come back as they went`(seed: UInt64) async throws {
        try await TestDatabase.current.run { connection throws in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<50 {
                let arrays = Self.randomArrays(&generator)
                let rows = try connection.query(
                    Statement(name: "echo_arrays", sql: "SELECT $1, $2, $3, $4, $5, $6, $7"),
                    arrays
                )
                for (column, array) in arrays.enumerated() {
                    #expect(Parameter(rows, 0, column, as: array.type) == array, "seed \(seed)")
                }
            }
        }
    }

    @Test func `a statement refuses parameters of other types than at its first use`() async throws {
        try await TestDatabase.current.run { connection throws in
            let statement = Statement(name: "typed", sql: "SELECT $1")
            try connection.query(statement, [.text("x")])
            let error = #expect(throws: PostgresError.self) { try connection.query(statement, [.bytea([120])]) }
            #expect(error?.description.contains("other types than at its first use") == true)
            #expect(try connection.query(statement, [.text("y")]).text(0, 0) == "y")
        }
    }

    @Test func `a name cannot stand for two statements`() async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.query(Statement(name: "twice", sql: "SELECT 1"))
            #expect(throws: PostgresError.self) { try connection.query(Statement(name: "twice", sql: "SELECT 2")) }
        }
    }

    @Test func `more parameters than the protocol can count are refused before anything is sent`() async throws {
        try await TestDatabase.current.run { connection throws in
            let many = Array(repeating: Parameter.bool(true), count: 65_536)
            #expect(throws: PostgresError.limitExceeded(what: "parameters of a statement", limit: 65_535)) {
                try connection.query(Statement(name: "many", sql: "SELECT 1"), many)
            }
            #expect(connection.isHealthy)
        }
    }

    private static func randomArrays(_ generator: inout SeededGenerator) -> [Parameter] {
        func array<Element>(_ element: (inout SeededGenerator) -> Element) -> [Element?] {
            (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                Int.random(in: 0..<4, using: &generator) == 0 ? nil : element(&generator)
            }
        }
        func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
            (0..<Int.random(in: 0...40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        }
        return [
            .int2Array(array { .random(in: .min ... .max, using: &$0) }),
            .int4Array(array { .random(in: .min ... .max, using: &$0) }),
            .int8Array(array { .random(in: .min ... .max, using: &$0) }),
            .boolArray(array { .random(using: &$0) }),
            // Every scalar but NUL, which PostgreSQL's text cannot hold.
            .textArray(array { String(decoding: bytes(&$0).filter { $0 != 0 }, as: UTF8.self) }),
            .byteaArray(array { bytes(&$0) }),
            .uuidArray(array { PostgresUUID(high: $0.next(), low: $0.next()) }),
        ]
    }
}

extension Parameter {
    /// Reads a value back by the accessors of its type.
    init(_ rows: Rows, _ row: Int, _ column: Int, as type: PostgresType) {
        if rows.isNull(row, column) {
            self = .null(type)
            return
        }
        switch type {
        case .int2: self = .int2(rows.int16(row, column))
        case .int4: self = .int4(rows.int32(row, column))
        case .int8: self = .int8(rows.int64(row, column))
        case .bool: self = .bool(rows.bool(row, column))
        case .text: self = .text(rows.text(row, column))
        case .bytea: self = .bytea(rows.bytes(row, column))
        case .uuid: self = .uuid(rows.uuid(row, column))
        case .int2Array: self = .int2Array(rows.optionalInt16s(row, column))
        case .int4Array: self = .int4Array(rows.optionalInt32s(row, column))
        case .int8Array: self = .int8Array(rows.optionalInt64s(row, column))
        case .boolArray: self = .boolArray(rows.optionalBools(row, column))
        case .textArray: self = .textArray(rows.optionalTexts(row, column))
        case .byteaArray: self = .byteaArray(rows.optionalByteArrays(row, column))
        case .uuidArray: self = .uuidArray(rows.optionalUUIDs(row, column))
        default: preconditionFailure("no accessor for type \(type.rawValue)")
        }
    }
}
