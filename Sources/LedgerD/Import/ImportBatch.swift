import Dispatch
import EventStore
import JWS
import LedgerCore
import Synchronization

/// Some lines of an import with what was found in their documents.
struct ImportBatch: Sendable {
    /// A judged document.
    struct Document: Sendable {
        var line: LineReader.Line
        var kind: DocumentKind
        var finding: Finding
    }

    /// What can be done with a document.
    enum Finding: Sendable {
        case accepted(AppendUnit)
        /// A renewal info without a transaction of its line beside it: it names no app, so that the ledger must know its
        /// line.
        case lone(AppendUnit, OriginalTransactionID, StoreEnvironment)
        case rejected(Rejection)

        var isLone: Bool {
            guard case .lone = self else { return false }
            return true
        }
    }

    /// In the order of the file.
    var documents: [Document]
    /// Where the lines end.
    var end: LineReader.Place

    static let linesMax = 256
    static let bytesMax = 4 << 20

    /// Reads the next lines and judges their documents on all cores; nil at the end of the file.
    static func next(
        from reader: LineReader,
        judgedBy judge: ImportJudge
    ) throws(ImportFailure) -> ImportBatch? {
        var lines: [LineReader.Line] = []
        var bytes = 0
        while lines.count < linesMax, bytes < bytesMax, let line = try reader.next() {
            lines.append(line)
            bytes += line.text?.count ?? 0
        }
        guard let end = lines.last?.end else { return nil }
        let all = lines
        let found = Mutex<[Int: [Document]]>([:])
        DispatchQueue.concurrentPerform(iterations: all.count) { @Sendable index in
            let documents = judge.judge(all[index])
            found.withLock { $0[index] = documents }
        }
        let documents = found.withLock { found in all.indices.flatMap { found[$0] ?? [] } }
        return ImportBatch(documents: documents, end: end)
    }
}

/// Judges the documents of a line, each on its own, as the routes do.
struct ImportJudge: Sendable {
    let verifier: Verifier
    /// Looks at renewal infos that stand alone, and at nothing else.
    let onlyLoneRenewals: Bool

    func judge(_ line: LineReader.Line) -> [ImportBatch.Document] {
        let documents: [ImportLine.Document]
        do throws(Rejection) { documents = try ImportLine(line).documents } catch {
            guard !onlyLoneRenewals else { return [] }
            return [ImportBatch.Document(line: line, kind: .notification, finding: .rejected(error))]
        }
        if onlyLoneRenewals, !documents.contains(where: { $0.kind == .renewalInfo }) { return [] }
        var lines: Set<FactKey<OriginalTransactionID>> = []
        var judged: [ImportBatch.Document] = []
        // Transactions first: they make the line of a renewal info beside them known.
        for document in documents.filter({ $0.kind != .renewalInfo }) + documents.filter({ $0.kind == .renewalInfo }) {
            let finding = finding(document, &lines)
            if onlyLoneRenewals, !finding.isLone { continue }
            judged.append(ImportBatch.Document(line: line, kind: document.kind, finding: finding))
        }
        return judged
    }

    private func finding(
        _ document: ImportLine.Document,
        _ lines: inout Set<FactKey<OriginalTransactionID>>
    ) -> ImportBatch.Finding {
        guard document.kind != .notification else {
            switch verifier.judgeNotification(document.text) {
            case .valid(let verified): return .accepted(AppendUnit(verified, source: .history))
            case .invalid(let rejection): return .rejected(rejection)
            }
        }
        switch verifier.judgeDocument(document.text, as: document.kind) {
        case .invalid(let rejection): return .rejected(rejection)
        case .valid(let verified):
            let unit = AppendUnit(verified, source: .history)
            guard let line = verified.claims.originalTransactionID else { return .accepted(unit) }
            let key = FactKey(verified.environment, line)
            if document.kind == .transaction { lines.insert(key) }
            return document.kind != .renewalInfo || lines.contains(key)
                ? .accepted(unit) : .lone(unit, line, verified.environment)
        }
    }
}
