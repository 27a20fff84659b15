import LedgerCore
import Testing

@Suite struct HostileDocumentTests {
    @Test(arguments: ["", " ", "[]", "1", "true", #""text""#, "[{}]"])
    func `a payload that is no object is no document`(payload: String) {
        for sample in DocumentSample.allCases {
            let error = #expect(throws: DocumentDecodingError.self) {
                try sample.type.init(payload: Array(payload.utf8))
            }
            #expect(error != .null)
            #expect(throws: error ?? .null) { try sample.type.unknownMembers(in: Array(payload.utf8)) }
        }
    }

    @Test(arguments: ["null", " null\n", "\tnull\r"])
    func `a payload that is null is told apart`(payload: String) {
        for sample in DocumentSample.allCases {
            #expect(throws: DocumentDecodingError.null) { try sample.type.init(payload: Array(payload.utf8)) }
        }
    }

    @Test(
        arguments: [
            (.null, "The payload is the JSON value null: it carries no facts."),
            (.notAnObject, "The payload is a JSON value, but not an object: refuse it as malformed."),
            (
                .notJSON(JSONSyntaxError(.unexpectedByte, at: 0)),
                "The payload is not JSON: a character that JSON does not allow here (byte 0)."
            ),
        ] as [(DocumentDecodingError, String)]
    )
    func `a refusal is a sentence`(error: DocumentDecodingError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test func `a member that comes twice counts as it came last, and is named`() throws {
        let payload =
            #"{"price":1,"transactionId":"a","price":2,"commitmentInfo":{"commitmentPrice":3,"commitmentPrice":4}}"#
        let document = try TransactionDocument(payload: Array(payload.utf8))
        #expect(document.price == Milliunits(2))
        #expect(document.commitmentInfo?.commitmentPrice == Milliunits(4))
        #expect(document.transactionID == TransactionID(rawValue: "a"))
        #expect(document.malformedMembers == ["price", "commitmentInfo.commitmentPrice"])
    }

    @Test func `escaped names and values are read`() throws {
        let payload = #"{"\u0074ransactionId":"\u0031\/\"\\","productId":"\u00e9\ud83d\ude00"}"#
        let document = try TransactionDocument(payload: Array(payload.utf8))
        #expect(document.transactionID == TransactionID(rawValue: #"1/"\"#))
        #expect(document.productID == ProductID(rawValue: "é😀"))
        #expect(document.malformedMembers == [])
    }

    @Test(arguments: [Int64.min, -1, 0, 75, 2_147_483_648, .max])
    func `integers of any size and sign are kept`(value: Int64) throws {
        let payload = """
            {"quantity":\(value),"price":\(value),"revocationPercentage":\(value),"revocationReason":\(value),\
            "purchaseDate":\(value),"offerType":\(value)}
            """
        let document = try TransactionDocument(payload: Array(payload.utf8))
        #expect(document.malformedMembers == [])
        #expect(document.quantity == value)
        #expect(document.price == Milliunits(value))
        #expect(document.revocationPercentage == Percentage(value))
        #expect(document.revocationReason?.rawValue == value)
        #expect(document.purchaseDate == Instant(milliseconds: value))
        #expect(document.offerType?.rawValue == value)
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `a time with a fraction is a time only in Xcode`(environment: StoreEnvironment) throws {
        let payload = #"{"purchaseDate":1.9,"signedDate":-1.9,"environment":"\#(environment.rawValue)","price":1.5}"#
        let document = try TransactionDocument(payload: Array(payload.utf8))
        let isXcode = environment == .xcode
        #expect(document.purchaseDate == (isXcode ? Instant(milliseconds: 1) : nil))
        #expect(document.signedDate == (isXcode ? Instant(milliseconds: -1) : nil))
        #expect(document.price == nil)
        #expect(document.malformedMembers == (isXcode ? ["price"] : ["purchaseDate", "signedDate", "price"]))
    }

    @Test(arguments: ["9223372036854775808", "-1e300", "1e400", "-9223372036854775809.5"])
    func `a time past 64 bits is no time, in Xcode neither`(number: String) throws {
        let payload = #"{"environment":"Xcode","purchaseDate":\#(number)}"#
        let document = try TransactionDocument(payload: Array(payload.utf8))
        #expect(document.purchaseDate == nil)
        #expect(document.malformedMembers == ["purchaseDate"])
    }

    @Test func `an element that is no object is left out and named`() throws {
        let payload =
            #"{"advancedCommerceInfo":{"items":[1,{"SKU":"a","refunds":[{"refundAmount":5},null]},"x",{"SKU":7}]}}"#
        let document = try TransactionDocument(payload: Array(payload.utf8))
        let items = try #require(document.advancedCommerceInfo?.items)
        #expect(items.map(\.sku) == ["a", nil])
        #expect(items.first?.refunds?.map(\.refundAmount) == [Milliunits(5)])
        let path = "advancedCommerceInfo.items"
        #expect(document.malformedMembers == [path + "[0]", path + "[1].refunds[1]", path + "[2]", path + "[3].SKU"])
    }

    @Test func `nesting past the limit is refused, below it ignored`() throws {
        func payload(_ depth: Int) -> [UInt8] {
            Array(
                #"{"x":\#(String(repeating: "[", count: depth))\#(String(repeating: "]", count: depth)),"price":1}"#
                    .utf8
            )
        }
        #expect(try TransactionDocument(payload: payload(JSONScanner.depthMax - 1)).price == Milliunits(1))
        #expect(throws: DocumentDecodingError.notJSON(JSONSyntaxError(.tooDeep, at: 5 + JSONScanner.depthMax - 1))) {
            try TransactionDocument(payload: payload(JSONScanner.depthMax))
        }
    }

    @Test func `a notification takes the first part present, else nothing`() throws {
        let payload =
            #"{"appData":{"bundleId":"d"},"summary":{"bundleId":"b"},"externalPurchaseToken":{"bundleId":"c"}}"#
        #expect(
            try NotificationDocument(payload: Array(payload.utf8)).origin
                == DocumentOrigin(bundleID: BundleID(rawValue: "b"))
        )
        #expect(try NotificationDocument(payload: Array("{}".utf8)).origin == DocumentOrigin())
        let empty = #"{"data":{},"appData":{"bundleId":"d"}}"#
        #expect(try NotificationDocument(payload: Array(empty.utf8)).origin == DocumentOrigin())
    }

    /// No input may stop the process, and what is refused once is refused for every kind.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `damaged bytes never do more than refuse`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = DocumentSample.allCases[Int(seed) % DocumentSample.allCases.count]
        let complete = try sample.complete().bytes
        for _ in 0..<200 {
            var payload = complete
            for _ in 0...Int.random(in: 0...3, using: &random) {
                payload[Int.random(in: payload.indices, using: &random)] = UInt8.random(
                    in: .min ... .max,
                    using: &random
                )
            }
            if Bool.random(using: &random) { payload.removeLast(Int.random(in: 0...payload.count, using: &random)) }
            let isObject = (try? JSONReader.value(of: payload))?.members != nil
            for other in DocumentSample.allCases {
                #expect(((try? other.type.init(payload: payload)) != nil) == isObject, "seed \(seed)")
            }
        }
    }
}
