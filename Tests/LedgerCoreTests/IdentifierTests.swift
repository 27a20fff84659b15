import Foundation
import LedgerCore
import Testing

@Suite struct IdentifierTests {
    /// Two identifiers that are the same number in floating point, and texts that are no numbers.
    @Test(arguments: ["704998812345670101", "704998812345670102", "0", "6F3A93AB", "", "é\u{0}\"", "00"])
    func `an identifier is its text, unchanged`(text: String) throws {
        let json = try JSONEncoder().encode([TransactionID(rawValue: text)])
        #expect(try JSONDecoder().decode([String].self, from: json) == [text])
        #expect(try JSONDecoder().decode([TransactionID].self, from: json).first?.rawValue == text)
        #expect(TransactionID(rawValue: text).description == text)
    }

    @Test func `identifiers that are equal as floating-point numbers differ`() {
        #expect(TransactionID(rawValue: "704998812345670101") != TransactionID(rawValue: "704998812345670102"))
        #expect(Set([AppTransactionID(rawValue: "1"), AppTransactionID(rawValue: "01")]).count == 2)
        #expect(ProductID(rawValue: "a") < ProductID(rawValue: "b"))
    }

    @Test func `an identifier is a JSON object's name when it is a dictionary's key`() throws {
        let json = try JSONEncoder().encode([ProductID(rawValue: "com.example.pro"): 1])
        #expect(String(decoding: json, as: UTF8.self) == #"{"com.example.pro":1}"#)
        #expect(
            try JSONDecoder().decode([ProductID: Int].self, from: json) == [ProductID(rawValue: "com.example.pro"): 1]
        )
    }

    @Test func `account tokens and notification identities are compared in lower case`() throws {
        let upper = "7E3FB20B-4CDB-47CC-936D-99D65F608138"
        #expect(AppAccountToken(rawValue: upper).rawValue == upper.lowercased())
        #expect(NotificationID(rawValue: upper) == NotificationID(rawValue: upper.lowercased()))
        let json = try JSONEncoder().encode([upper])
        #expect(try JSONDecoder().decode([AppAccountToken].self, from: json) == [AppAccountToken(rawValue: upper)])
    }

    @Test func `a number is not an identifier`() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([TransactionID].self, from: Data("[1]".utf8)) }
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `an environment survives its number in the tables`(environment: StoreEnvironment) {
        #expect(StoreEnvironment(code: environment.code) == environment)
    }

    @Test(arguments: [0, 5, -1, .max] as [Int16])
    func `a number that no version wrote is no environment`(code: Int16) {
        #expect(StoreEnvironment(code: code) == nil)
    }

    @Test func `positions are bare integers in order`() throws {
        #expect(Position.start < Position(1))
        #expect(try JSONEncoder().encode([Position(42)]) == Data("[42]".utf8))
        #expect(try JSONDecoder().decode([Position].self, from: Data("[42]".utf8)) == [Position(42)])
    }
}
