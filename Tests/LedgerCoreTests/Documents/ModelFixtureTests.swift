import LedgerCore
import Testing

/// The model files of Apple's libraries: each member must come back unchanged.
@Suite(.enabled(if: SharedFiles.arePresentOrRequired, SharedFiles.comment))
struct ModelFixtureTests {
    /// The cases M01… of `cases.json`.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let input: String
        let sample: DocumentSample?
        let fields: [String: JSONValue]

        static let all: [Case] = {
            let file = try? JSONReader.value(of: SharedFiles.bytes("appstore/fixtures/cases.json"))
            return (file?.members?["decode"]?.members?["cases"]?.elements ?? []).map { entry in
                Case(
                    testDescription: entry.members?["id"]?.text ?? "",
                    input: entry.members?["input"]?.text ?? "",
                    sample: DocumentSample(rawValue: entry.members?["payloadOf"]?.text ?? ""),
                    fields: entry.members?["fields"]?.members ?? [:]
                )
            }
        }()
    }

    @Test func `all eleven cases are there`() { #expect(Case.all.count == 11) }

    @Test(arguments: Case.all)
    func `every member of a model comes back unchanged`(model: Case) throws {
        let payload = try SharedFiles.bytes("appstore/fixtures/" + model.input)
        let type = try #require(model.sample).type
        let document = try type.init(payload: payload)
        let wireForm = try document.wireForm()
        #expect(document.malformedMembers == [])
        #expect(try type.unknownMembers(in: payload) == [:])
        #expect(wireForm == (try JSONReader.value(of: payload)))
        for (name, value) in model.fields {
            #expect((wireForm.members?[name] ?? wireForm.members?["data"]?.members?[name]) == value)
        }
    }

    @Test func `a transaction has its typed values`() throws {
        let transaction = try TransactionDocument(payload: Self.model("signedTransaction"))
        #expect(transaction.transactionID == TransactionID(rawValue: "23456"))
        #expect(transaction.originalTransactionID == OriginalTransactionID(rawValue: "12345"))
        #expect(transaction.type == .known(.autoRenewableSubscription))
        #expect(transaction.ownershipType == .known(.purchased))
        #expect(transaction.expiresDate == Instant(milliseconds: 1_698_149_000_000))
        #expect(transaction.revocationReason == .known(.problemWithApp))
        #expect(transaction.isUpgraded == true)
        #expect(transaction.offerType == .known(.introductory))
        #expect(transaction.offerDiscountType == .known(.payAsYouGo))
        #expect(transaction.environment == .known(.localTesting))
        #expect(transaction.transactionReason == .known(.purchase))
        #expect(transaction.price == Milliunits(10_990))
        #expect(transaction.currency == CurrencyCode(rawValue: "USD"))
        #expect(transaction.billingPlanType == .known(.monthly))
        #expect(transaction.commitmentInfo?.commitmentPrice == Milliunits(119_880))
        #expect(transaction.commitmentInfo?.billingPeriodNumber == 3)
        let details = try #require(transaction.advancedCommerceInfo)
        #expect(details.taxRate == "0.15")
        #expect(details.descriptors?.itemDescription == "Premium Plan")
        let refund = try #require(details.items?.first?.refunds?.first)
        #expect(refund.refundAmount == Milliunits(5000))
        #expect(refund.refundDate == Instant(milliseconds: 1_698_149_100_000))
        #expect(refund.refundType == .known(.prorated))
        #expect(refund.refundReason == .known(.fulfillmentIssue))
    }

    @Test func `a revoked transaction tells the kind and the share`() throws {
        let transaction = try TransactionDocument(payload: Self.model("signedTransactionWithRevocation"))
        #expect(transaction.revocationType == .known(.refundProrated))
        #expect(transaction.revocationPercentage == Percentage(50_000))
        #expect(transaction.revocationDate == Instant(milliseconds: 1_698_148_950_000))
    }

    @Test func `a renewal info has its typed values`() throws {
        let renewal = try RenewalInfoDocument(payload: Self.model("signedRenewalInfo"))
        #expect(renewal.expirationIntent == .known(.cancelled))
        #expect(renewal.autoRenewStatus == .known(.on))
        #expect(renewal.priceIncreaseStatus == .known(.pending))
        #expect(renewal.offerType == .known(.promotional))
        #expect(renewal.renewalPrice == Milliunits(9990))
        #expect(renewal.eligibleWinBackOfferIDs == ["eligible1", "eligible2"])
        #expect(renewal.renewalBillingPlanType == .known(.monthly))
        #expect(renewal.commitmentInfo?.commitmentAutoRenewStatus == .known(.on))
        let increase = try #require(renewal.advancedCommerceInfo?.items?.first?.priceIncreaseInfo)
        #expect(increase.status == .known(.pending))
        #expect(increase.dependentSKUs == ["com.example.sku.1", "com.example.sku.2"])
    }

    @Test(
        arguments: [
            ("signedNotification", "com.example", 41_234, .localTesting),
            ("signedSummaryNotification", "com.example", 41_234, .localTesting),
            ("signedExternalPurchaseTokenNotification", "com.example", 55_555, .production),
            ("signedExternalPurchaseTokenSandboxNotification", "com.example", 55_555, .sandbox),
            ("signedRescindConsentNotification", "com.example", 41_234, .localTesting),
        ] as [(String, String, Int64, StoreEnvironment)]
    )
    func `a notification's origin is that of its part`(
        model: String,
        bundleID: String,
        appAppleID: Int64,
        environment: StoreEnvironment
    ) throws {
        let notification = try NotificationDocument(payload: Self.model(model))
        let expected = DocumentOrigin(
            bundleID: BundleID(rawValue: bundleID),
            appAppleID: appAppleID,
            environment: .known(environment)
        )
        #expect(notification.origin == expected)
    }

    private static func model(_ name: String) throws -> [UInt8] {
        try SharedFiles.bytes("appstore/fixtures/models/\(name).json")
    }
}
