import LedgerCore
import Testing

@Suite struct TransactionJSONTests {
    @Test func `an answer has every member under its own name, times in RFC 3339`() throws {
        let complete = try DocumentSample.transaction.complete()
        #expect(try Self.answer(complete) == Self.withReadableTimes(complete))
    }

    @Test func `an empty transaction has no members`() throws {
        #expect(try Self.answer(.members([:])) == .members([:]))
    }

    @Test(arguments: try DocumentSample.transaction.paths().filter { if case .name = $0.last { true } else { false } })
    func `an absent member is left out`(path: [PathStep]) throws {
        let complete = try DocumentSample.transaction.complete()
        let without = try #require(complete.replacing(path, with: nil))
        #expect(try Self.answer(without) == Self.withReadableTimes(without))
    }

    @Test func `unknown values go out as they came`() throws {
        let payload =
            #"{"type":"Lease","revocationReason":2,"inAppOwnershipType":"LENT","price":-5,"environment":"Moon"}"#
        #expect(try Self.answer(JSONValue(payload)) == JSONValue(payload))
    }

    @Test(.enabled(if: SharedFiles.arePresentOrRequired, SharedFiles.comment))
    func `the model transaction is written like this`() throws {
        let payload = try SharedFiles.bytes("appstore/fixtures/models/signedTransactionWithRevocation.json")
        var writer = JSONWriter()
        writer.beginObject()
        try TransactionDocument(payload: payload).writeMembers(to: &writer)
        writer.endObject()
        let expected =
            #"{"transactionId":"23456","originalTransactionId":"12345","webOrderLineItemId":"34343","#
            + #""appTransactionId":"71134","appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","#
            + #""bundleId":"com.example","productId":"com.example.product","subscriptionGroupIdentifier":"55555","#
            + #""type":"Auto-Renewable Subscription","environment":"LocalTesting","#
            + #""signedDate":"2023-10-24T12:01:40.000Z","inAppOwnershipType":"PURCHASED","#
            + #""transactionReason":"PURCHASE","purchaseDate":"2023-10-24T12:01:40.000Z","#
            + #""originalPurchaseDate":"2023-10-24T12:00:00.000Z","expiresDate":"2023-10-24T12:03:20.000Z","#
            + #""isUpgraded":true,"quantity":1,"price":10990,"currency":"USD","storefront":"USA","#
            + #""storefrontId":"143441","revocationDate":"2023-10-24T12:02:30.000Z","revocationReason":1,"#
            + #""revocationType":"REFUND_PRORATED","revocationPercentage":50000,"offerType":1,"#
            + #""offerIdentifier":"abc.123","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1Y"}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    private static func answer(_ payload: JSONValue) throws -> JSONValue {
        var writer = JSONWriter()
        writer.beginObject()
        try TransactionDocument(payload: payload.bytes).writeMembers(to: &writer)
        writer.endObject()
        return try JSONReader.value(of: writer.bytes)
    }

    /// The value with each `…Date` as text.
    private static func withReadableTimes(_ value: JSONValue, name: String = "") -> JSONValue {
        switch value {
        case .integer(let milliseconds) where name.hasSuffix("Date"):
            .string(Instant(milliseconds: milliseconds).description)
        case .array(let elements): .array(elements.map { withReadableTimes($0) })
        case .object(let object):
            .members(Dictionary(uniqueKeysWithValues: object.members.map { ($0, withReadableTimes($1, name: $0)) }))
        default: value
        }
    }
}
