import Postgres
import TestSupport
import Testing

struct PostgresUUIDTests {
    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123-456789abcde",
        "01234567-89ab-cdef-0123-456789abcdeg",
        "01234567+89ab-cdef-0123-456789abcdef", "", "01234567-89ab-cdef-0123-456789abcdeé",
    ])
    func `text in another form is no UUID`(text: String) {
        #expect(PostgresUUID(text: text) == nil)
    }

    @Test func `a UUID keeps its text in lower case, and its bytes`() throws {
        let uuid = try #require(PostgresUUID(text: "01234567-89AB-cdef-0123-456789ABCDEF"))
        #expect(uuid.description == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(
            uuid.bytes == [1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
        )
        #expect(PostgresUUID(bytes: uuid.bytes) == uuid)
        #expect(PostgresUUID(bytes: uuid.bytes.dropLast()) == nil)
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func `text and bytes of any UUID lead back to it`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let uuid = PostgresUUID(high: generator.next(), low: generator.next())
            #expect(PostgresUUID(text: uuid.description) == uuid, "seed \(seed)")
            #expect(PostgresUUID(bytes: uuid.bytes) == uuid, "seed \(seed)")
        }
    }
}
