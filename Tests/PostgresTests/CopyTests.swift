import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct CopyTests {
    static let binaryIn = "COPY item FROM STDIN (FORMAT binary)"
    static let count = Statement(name: "count", sql: "SELECT count(*), sum(id) FROM item")

    private func run(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute("CREATE TABLE item (id int CHECK (id > 0), note text, proof bytea)")
            try body(connection)
        }
    }

    @Test func `binary rows go in, with values and NULLs`() async throws {
        try await run { connection throws in
            let copied = try connection.copyIn(rows: Self.binaryIn) { rows throws(PostgresError) in
                for id in 1...50_000 { try rows.append([.int4(Int32(id)), .text("note"), .bytea([1, 2, 3])]) }
                try rows.append([.int4(50_001), .null(.text), .bytea([])])
            }
            #expect(copied == 50_001)
            let rows = try connection.query(
                Statement(name: "odd", sql: "SELECT count(*) FROM item WHERE note IS NULL AND proof = ''")
            )
            #expect(rows.int64(0, 0) == 1)
            #expect(try connection.query(Self.count).int64(0, 1) == 50_001 * 50_002 / 2)
        }
    }

    @Test func `rows go in by columns as by rows`() async throws {
        try await run { connection throws in
            let copied = try connection.copyIn(rows: Self.binaryIn) { rows throws(PostgresError) in
                try rows.append(columns: [
                    .int4Array([1, 2, 3]), .textArray(["a", nil, "c"]), .byteaArray([[1], [], nil]),
                ])
                try rows.append(columns: [.int4Array([]), .textArray([]), .byteaArray([])])
                try rows.append([.int4(4), .text("a"), .bytea([1])])
            }
            #expect(copied == 4)
            let rows = try connection.query(Statement(name: "items", sql: "SELECT note, proof FROM item ORDER BY id"))
            #expect(rows.indices.map { rows.optionalText($0, 0) } == ["a", nil, "c", "a"])
            #expect(rows.indices.map { rows.optionalBytes($0, 1) } == [[1], [], nil, [1]])
        }
    }

    @Test func `text rows go in and come out, whatever characters they contain`() async throws {
        let fields: [[String?]] = [
            ["1", "tab\there", nil], ["2", "line\nbreak\r", nil], ["3", #"back\slash \N"#, nil], ["4", "", nil],
        ]
        try await run { connection throws in
            let copied = try connection.copyIn(text: "COPY item FROM STDIN") { text throws(PostgresError) in
                for row in fields { try text.append(row) }
                try text.append(raw: Array("5\traw\t\\N\n".utf8))
            }
            #expect(copied == 5)
            let notes = try connection.query(Statement(name: "notes", sql: "SELECT note FROM item ORDER BY id"))
            #expect(notes.indices.map { notes.text($0, 0) } == fields.map { $0[1] } + ["raw"])
            var out: [UInt8] = []
            let rows = try connection.copyOut("COPY (SELECT * FROM item ORDER BY id) TO STDOUT") { span in
                for index in span.indices { out.append(span[index]) }
            }
            #expect(rows == 5)
            #expect(
                String(decoding: out, as: UTF8.self)
                    == "1\ttab\\there\t\\N\n2\tline\\nbreak\\r\t\\N\n3\tback\\\\slash \\\\N\t\\N\n4\t\t\\N\n5\traw\t\\N\n"
            )
        }
    }

    @Test func `a sender that gives up has copied nothing`() async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.misuse("enough")) {
                try connection.copyIn(rows: Self.binaryIn) { rows throws(PostgresError) in
                    for id in 1...20_000 { try rows.append([.int4(Int32(id)), .text("note"), .null(.bytea)]) }
                    throw .misuse("enough")
                }
            }
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test func `a row that the table refuses fails the copy with its code`() async throws {
        try await run { connection throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.copyIn(rows: Self.binaryIn) { rows throws(PostgresError) in
                    for id in (-10_000...20_000).reversed() {
                        try rows.append([.int4(Int32(id)), .text("note"), .null(.bytea)])
                    }
                }
            }
            #expect(error?.state == .checkViolation)
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test func `a copy belongs to its transaction`() async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.misuse("enough")) {
                try connection.transaction { tx throws(PostgresError) in
                    _ = try tx.copyIn(rows: Self.binaryIn) { rows throws(PostgresError) in
                        try rows.append([.int4(1), .null(.text), .null(.bytea)])
                    }
                    let seen = try tx.query(Self.count).int64(0, 0)
                    #expect(seen == 1)
                    throw .misuse("enough")
                }
            }
            try connection.transaction { tx throws(PostgresError) in
                _ = try tx.copyIn(text: "COPY item (id) FROM STDIN") { text throws(PostgresError) in
                    try text.append(["9"])
                }
                var bytes = 0
                _ = try tx.copyOut("COPY item TO STDOUT (FORMAT binary)") { bytes += $0.count }
                #expect(bytes > 19)
            }
            #expect(try connection.query(Self.count).int64(0, 1) == 9)
        }
    }

    @Test func `a receiver that gives up leaves the connection usable`() async throws {
        try await run { connection throws in
            var messages = 0
            #expect(throws: PostgresError.misuse("enough")) {
                try connection.copyOut("COPY (SELECT generate_series(1, 3000000)) TO STDOUT") {
                    _ throws(PostgresError) in
                    messages += 1
                    if messages == 10 { throw .misuse("enough") }
                }
            }
            #expect(messages == 10)
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test(arguments: ["COPY nowhere FROM STDIN (FORMAT binary)", "COPY item (nothing) FROM STDIN (FORMAT binary)"])
    func `a copy that cannot start leaves the connection usable`(sql: String) async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.self) { try connection.copyIn(rows: sql) { _ in } }
            #expect(throws: PostgresError.self) { try connection.copyOut("COPY nowhere TO STDOUT") { _ in } }
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }
}
