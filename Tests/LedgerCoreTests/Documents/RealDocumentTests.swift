import LedgerCore
import Testing

/// Documents that the App Store, or Xcode, really signed; here only their payloads are read.
@Suite(.enabled(if: SharedFiles.arePresentOrRequired, SharedFiles.comment))
struct RealDocumentTests {
    /// One entry of `index.json`.
    struct Entry: CustomTestStringConvertible {
        let file: String
        let members: [String: JSONValue]
        var testDescription: String { file }

        func text(_ name: String) -> String? { members[name]?.text }

        static let all: [Entry] = {
            let file = try? JSONReader.value(of: SharedFiles.bytes("appstore/real/index.json"))
            return (file?.elements ?? []).compactMap { entry in
                entry.members?["file"]?.text.map { Entry(file: $0, members: entry.members ?? [:]) }
            }
        }()

        static func all(_ kind: String) -> [Entry] {
            all.filter { $0.text("kind") == kind && $0.text("expect") == "valid" }
        }
    }

    @Test func `documents of each kind are there`() {
        #expect(Entry.all("notification").count >= 15)
        #expect(Entry.all("transaction").count >= 13)
        #expect(Entry.all("renewal").count >= 9)
    }

    @Test(arguments: Entry.all("notification"))
    func `a notification and its inner documents come back unchanged`(entry: Entry) throws {
        let notification = try unchanged(
            NotificationDocument.self,
            SharedFiles.payload(ofJWS: "appstore/real/" + entry.file)
        )
        #expect(notification.notificationType?.rawValue == entry.text("notificationType"))
        #expect(notification.notificationType?.known != nil)
        #expect(notification.subtype?.rawValue == entry.text("subtype"))
        #expect(notification.notificationUUID?.rawValue == entry.text("notificationUUID"))
        #expect(notification.origin.bundleID?.rawValue == entry.text("bundleId"))
        #expect(notification.origin.environment?.rawValue == entry.text("environment"))
        if let jws = notification.data?.signedTransactionInfo {
            let transaction = try unchanged(TransactionDocument.self, payload(ofJWS: jws))
            #expect(transaction.transactionID?.rawValue == entry.text("transactionId"))
            #expect(transaction.type?.known != nil)
        }
        if let jws = notification.data?.signedRenewalInfo, try payload(ofJWS: jws) != Array("null".utf8) {
            let renewal = try unchanged(RenewalInfoDocument.self, payload(ofJWS: jws))
            #expect(renewal.originalTransactionID?.rawValue == entry.text("originalTransactionId"))
        }
    }

    @Test(arguments: Entry.all("transaction"))
    func `a transaction comes back unchanged`(entry: Entry) throws {
        let transaction = try unchanged(
            TransactionDocument.self,
            SharedFiles.payload(ofJWS: "appstore/real/" + entry.file)
        )
        #expect(transaction.transactionID?.rawValue == entry.text("transactionId"))
        #expect(transaction.originalTransactionID?.rawValue == entry.text("originalTransactionId"))
        #expect(transaction.appTransactionID?.rawValue == entry.text("appTransactionId"))
        #expect(transaction.productID?.rawValue == entry.text("productId"))
        #expect(transaction.type?.rawValue == entry.text("type"))
        #expect(transaction.ownershipType?.rawValue == entry.text("inAppOwnershipType"))
        #expect((transaction.signedDate?.milliseconds).map(JSONValue.integer) == entry.members["signedDate"])
    }

    @Test(arguments: Entry.all("renewal"))
    func `a renewal info comes back unchanged`(entry: Entry) throws {
        let renewal = try unchanged(RenewalInfoDocument.self, SharedFiles.payload(ofJWS: "appstore/real/" + entry.file))
        #expect(renewal.originalTransactionID?.rawValue == entry.text("originalTransactionId"))
        #expect(renewal.productID?.rawValue == entry.text("productId"))
        #expect((renewal.signedDate?.milliseconds).map(JSONValue.integer) == entry.members["signedDate"])
    }

    @Test func `the genuine renewal info whose payload is null carries no facts`() throws {
        let payload = try SharedFiles.payload(ofJWS: "appstore/real/56-renewal.jws")
        #expect(throws: DocumentDecodingError.null) { try RenewalInfoDocument(payload: payload) }
    }

    @Test func `the genuine transaction of 2021 has no environment`() throws {
        let transaction = try unchanged(
            TransactionDocument.self,
            SharedFiles.payload(ofJWS: "appstore/real/55-transaction.jws")
        )
        #expect(transaction.environment == nil)
        #expect(transaction.revocationDate != nil)
    }

    @Test func `times from Xcode lose their fraction`() throws {
        let transaction = try TransactionDocument(payload: Self.xcode("transaction"))
        #expect(transaction.malformedMembers == [])
        #expect(transaction.purchaseDate == Instant(milliseconds: 1_697_679_936_049))
        #expect(transaction.signedDate == Instant(milliseconds: 1_697_679_936_056))
        #expect(transaction.transactionID == TransactionID(rawValue: "0"))
        #expect(transaction.subscriptionGroupID == SubscriptionGroupID(rawValue: "6F3A93AB"))
        #expect(transaction.isUpgraded == false)
        let renewal = try RenewalInfoDocument(payload: Self.xcode("renewal-info"))
        #expect(renewal.malformedMembers == [])
        #expect(renewal.renewalDate == Instant(milliseconds: 1_700_358_336_049))
        let app = try AppTransactionDocument(payload: Self.xcode("app-transaction"))
        #expect(app.malformedMembers == [])
        #expect(app.environment == .known(.xcode))
        #expect(app.receiptCreationDate == Instant(milliseconds: 1_697_680_122_257))
        #expect(app.originalPurchaseDate == Instant(milliseconds: -62_135_769_600_000))
        let unknown = try AppTransactionDocument.unknownMembers(in: Self.xcode("app-transaction"))
        #expect(unknown == ["requestDate": .number("1697680122257.447")])
    }

    private static func xcode(_ kind: String) throws -> [UInt8] {
        try SharedFiles.payload(ofJWS: "appstore/fixtures/xcode/xcode-signed-" + kind)
    }

    /// The document, after checking that nothing of the payload was lost.
    private func unchanged<Document: StoreDocument>(_ type: Document.Type, _ payload: [UInt8]) throws -> Document {
        let document = try Document(payload: payload)
        #expect(document.malformedMembers == [])
        let unknown = try Document.unknownMembers(in: payload)
        #expect(unknown == [:])
        #expect(try document.wireForm() == JSONReader.value(of: payload))
        return document
    }
}
