import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct RowsTests {
    @Test func `rows tell their columns, their number and how many rows were affected`() async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute("CREATE TABLE item (id bigint, note text)")
            let inserted = try connection.query(
                Statement(name: "add", sql: "INSERT INTO item SELECT n, 'note ' || n FROM unnest($1) AS n"),
                [.int8Array([1, 2, 3])]
            )
            #expect(inserted.affectedRows == 3)
            #expect(inserted.isEmpty)
            #expect(inserted.tag == "INSERT 0 3")
            let rows = try connection.query(Statement(name: "list", sql: "SELECT id, note FROM item ORDER BY id"))
            #expect(rows.indices.map { rows.int64($0, 0) } == [1, 2, 3])
            #expect(rows.name(ofColumn: 1) == "note")
            #expect(rows.columnCount == 2)
        }
    }

    @Test func `a narrow integer can be read as a wider one`() async throws {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(Statement(name: "narrow", sql: "SELECT -2::int2, -70000::int4"))
            #expect(rows.int64(0, 0) == -2)
            #expect(rows.int32(0, 0) == -2)
            #expect(rows.int64(0, 1) == -70_000)
        }
    }

    @Test func `text comes from every textual type`() async throws {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(
                Statement(
                    name: "textual",
                    sql: """
                        SELECT 'a'::varchar(5), 'b'::name, '{"c": 1}'::json, '{"c": 1}'::jsonb, 'd'::char(3), NULL::text
                        """
                )
            )
            #expect((0..<5).map { rows.text(0, $0) } == ["a", "b", #"{"c": 1}"#, #"{"c": 1}"#, "d  "])
            #expect(rows.bytes(0, 3) == Array(#"{"c": 1}"#.utf8))
            #expect(rows.optionalText(0, 5) == nil)
            #expect(rows.isNull(0, 5))
        }
    }

    @Test func `optional accessors give nil for NULL and the value otherwise`() async throws {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(
                Statement(
                    name: "optional",
                    sql: """
                        SELECT NULL::int2, NULL::int4, NULL::int8, NULL::bool, NULL::bytea, NULL::uuid
                        UNION ALL SELECT 1::int2, 2, 3, true, '\\x04', '00000000-0000-0000-0000-000000000005'
                        """
                )
            )
            #expect(rows.optionalInt16(0, 0) == nil && rows.optionalInt16(1, 0) == 1)
            #expect(rows.optionalInt32(0, 1) == nil && rows.optionalInt32(1, 1) == 2)
            #expect(rows.optionalInt64(0, 2) == nil && rows.optionalInt64(1, 2) == 3)
            #expect(rows.optionalBool(0, 3) == nil && rows.optionalBool(1, 3) == true)
            #expect(rows.optionalBytes(0, 4) == nil && rows.optionalBytes(1, 4) == [4])
            #expect(rows.optionalUUID(0, 5) == nil && rows.optionalUUID(1, 5) == PostgresUUID(high: 0, low: 5))
        }
    }

    @Test func `bytes are lent without a copy`() async throws {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(Statement(name: "lend", sql: #"SELECT '\x010203'::bytea, NULL::bytea"#))
            let sum = rows.withBytes(0, 0) { span in span.indices.reduce(0) { $0 + Int(span[$1]) } }
            #expect(sum == 6)
            #expect(rows.withOptionalBytes(0, 1) { $0.count } == nil)
        }
    }

    @Test func `a value read as another type stops the program`() async throws {
        await #expect(processExitsWith: .failure) {
            let connection = try Connection(TestDatabase.cluster())
            _ = try connection.query(Statement(name: "wide", sql: "SELECT 1::int8")).int32(0, 0)
        }
        await #expect(processExitsWith: .failure) {
            let connection = try Connection(TestDatabase.cluster())
            _ = try connection.query(Statement(name: "null", sql: "SELECT NULL::text")).text(0, 0)
        }
        await #expect(processExitsWith: .failure) {
            let connection = try Connection(TestDatabase.cluster())
            _ = try connection.query(Statement(name: "row", sql: "SELECT 'x'")).text(1, 0)
        }
    }

    @Test func `rows outlive their connection`() async throws {
        try await TestDatabase.current.run { connection throws in
            let rows = try connection.query(Statement(name: "outlive", sql: "SELECT 'still here'"))
            connection.close()
            #expect(rows.text(0, 0) == "still here")
        }
    }
}
