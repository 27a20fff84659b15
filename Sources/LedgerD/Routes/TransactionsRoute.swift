import EventStore
import HTTPServer
import JWS
import LedgerCore
import Synchronization

/// `POST /v1/transactions`: documents that a device handed to the app's own backend.
struct TransactionsRoute: Sendable {
    let intake: Intake
    /// Answers what the customer may use once the projection has come this far; nil when it does not in time.
    let entitlements:
        @Sendable (CustomerKey, StoreEnvironment, Position, @escaping @Sendable ([UInt8]?) -> Void) -> Void

    /// Documents of one request.
    static let documentsMax = 100
    /// How long the answer waits for the projection, to show the entitlements.
    static let entitlementsWait: Duration = .seconds(2)

    func handle(_ request: Request, _ responder: Responder) {
        intake.verify(request, responder) { session in accept(request.body, on: session, responder) }
    }

    /// On a verification thread.
    private func accept(_ body: [UInt8], on session: WorkSession, _ responder: Responder) {
        let documents: PostedDocuments
        do throws(RequestError) {
            documents = try PostedDocuments(body)
        } catch {
            return responder.respond(error.problem.response)
        }
        let verdicts = PostedVerification(verifier: intake.verifier, deviceID: documents.deviceVerificationID)
            .judge(documents) { line, environment throws(EventStoreError) in
                try EventReader(try session.open()).knowsLine(line, in: environment)
            }
        for case .invalid(let rejection) in verdicts.map(\.verdict) { intake.metrics.refused(rejection.code) }
        append(verdicts, responder)
    }

    /// Each document is a unit of its own; the answer goes out when the last one is durable or has failed.
    private func append(_ documents: [JudgedDocument], _ responder: Responder) {
        let results = TransactionResults(documents) { results in answer(results, responder) }
        for (index, document) in documents.enumerated() {
            switch document.verdict {
            case .invalid(let rejection): results.set(index, .refused(Problem(rejection)))
            case .valid(let verified):
                intake.writer.submit(AppendUnit(verified, source: .device)) { result in
                    switch result {
                    case .success(let appended):
                        intake.metrics.appended(appended)
                        results.set(index, .appended(appended[0]))
                    case .failure(let error): results.set(index, .refused(Problem(error)))
                    }
                }
            }
        }
    }

    private func answer(_ results: TransactionResults.Finished, _ responder: Responder) {
        guard let position = results.position else {
            return responder.respond(results.refusal)
        }
        guard let (key, environment) = results.customer else {
            return responder.respond(results.response(entitlements: nil))
        }
        entitlements(key, environment, position) { set in
            responder.respond(results.response(entitlements: set))
        }
    }
}

/// The body of `POST /v1/transactions`.
struct PostedDocuments: Sendable {
    var transactions: [[UInt8]] = []
    var renewalInfos: [[UInt8]] = []
    var appTransaction: [UInt8]?
    var deviceVerificationID: String?

    init(_ body: [UInt8]) throws(RequestError) {
        var posted = (transactions: [[UInt8]](), renewals: [[UInt8]](), app: [UInt8]?.none, device: String?.none)
        try RequestBody.members(body) { name, scanner throws(RequestError) in
            let countMax = TransactionsRoute.documentsMax
            switch name {
            case "signedTransactions":
                posted.transactions = try RequestBody.texts(&scanner, member: name, countMax: countMax)
            case "signedRenewalInfos":
                posted.renewals = try RequestBody.texts(&scanner, member: name, countMax: countMax)
            case "signedAppTransaction": posted.app = try RequestBody.text(&scanner, member: name)
            case "deviceVerificationId":
                posted.device = String(decoding: try RequestBody.text(&scanner, member: name), as: UTF8.self)
            default: try RequestBody.skip(&scanner)
            }
        }
        guard !posted.transactions.isEmpty || !posted.renewals.isEmpty || posted.app != nil else {
            throw .missing("signedTransactions")
        }
        (transactions, renewalInfos, appTransaction, deviceVerificationID) = posted
    }
}

/// A posted document and what was found.
struct JudgedDocument: Sendable {
    var kind: DocumentKind
    var verdict: Verdict<VerifiedDocument>
}

/// Judges what was posted: each document on its own, then what only the request as a whole tells.
struct PostedVerification {
    let verifier: Verifier
    let deviceID: String?

    /// What was found in each document; `knowsLine` tells whether the ledger has a transaction of a line.
    func judge(
        _ documents: PostedDocuments,
        knowsLine: (OriginalTransactionID, StoreEnvironment) throws(EventStoreError) -> Bool
    ) -> [JudgedDocument] {
        var judged = documents.transactions.map {
            JudgedDocument(kind: .transaction, verdict: judge($0, as: .transaction))
        }
        let lines = Set(
            judged.compactMap { document -> FactKey<OriginalTransactionID>? in
                guard let valid = document.verdict.document else { return nil }
                return valid.claims.originalTransactionID.map { FactKey(valid.environment, $0) }
            }
        )
        for renewal in documents.renewalInfos {
            var verdict = judge(renewal, as: .renewalInfo)
            if let valid = verdict.document, let line = valid.claims.originalTransactionID,
                !lines.contains(FactKey(valid.environment, line)),
                let rejection = rejectionOfLoneRenewal(line, valid.environment, knowsLine)
            {
                verdict = .invalid(rejection)
            }
            judged.append(JudgedDocument(kind: .renewalInfo, verdict: verdict))
        }
        if let app = documents.appTransaction {
            judged.append(JudgedDocument(kind: .appTransaction, verdict: judge(app, as: .appTransaction)))
        }
        return judged
    }

    private func judge(_ document: [UInt8], as kind: DocumentKind) -> Verdict<VerifiedDocument> {
        let verdict = verifier.judgeDocument(document, as: kind)
        guard let valid = verdict.document else { return verdict }
        // The proof of the device is in documents from a device; where the caller names the device it must fit.
        if let deviceID, !DeviceVerification.matches(valid.claims.device, deviceID: deviceID) {
            return .invalid(Rejection(.deviceMismatch, "The document was not made for the device that is named."))
        }
        return verdict
    }

    private func rejectionOfLoneRenewal(
        _ line: OriginalTransactionID,
        _ environment: StoreEnvironment,
        _ knowsLine: (OriginalTransactionID, StoreEnvironment) throws(EventStoreError) -> Bool
    ) -> Rejection? {
        do throws(EventStoreError) {
            if try knowsLine(line, environment) { return nil }
        } catch {
            return Rejection(.storeUnavailable, "Whether the line is known cannot be looked up now.")
        }
        return .loneRenewal
    }
}

extension Rejection {
    /// A renewal info whose line nobody has heard of.
    static let loneRenewal = Rejection(
        .lineUnknown,
        "A renewal info names no app: a transaction of its line must come first, or beside it."
    )
}
