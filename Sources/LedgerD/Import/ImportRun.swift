import EventStore
import JWS
import LedgerCore
import Postgres
import Threads

/// Imports a file: lines are verified on all cores while the batch before them is stored.
///
/// Used by one thread; another may stop it.
final class ImportRun {
    /// What an import is made of.
    struct Parts {
        let verifier: Verifier
        let database: PostgresConfiguration
        let input: ImportInput
        /// nil for an input that cannot be read again, and so not resumed.
        let progressFile: ImportProgressFile?
        /// How long an outage of the database is waited for.
        let patience: Duration
        /// Raised when the import is to end.
        let stopping: Flag
    }

    /// What an import leaves behind.
    struct Result {
        var progress: ImportProgress
        /// The greatest position that stands for a document.
        var position: Position
    }

    private let parts: Parts
    private let store: ImportStore
    private var report: ImportReport
    private(set) var progress: ImportProgress
    private var position = Position.start

    init(_ parts: Parts, from progress: ImportProgress, report: ImportReport) {
        self.parts = parts
        self.progress = progress
        self.report = report
        store = ImportStore(parts.database, patience: parts.patience, stopping: parts.stopping)
    }

    /// Imports from where the progress stands to the end.
    /// - Throws: why it ended before; what ``progress`` tells of is durable.
    func run() throws(ImportFailure) -> Result {
        defer {
            store.close()
            report.close()
        }
        if !progress.isSecondPass {
            try pass()
            guard let deferred = progress.deferred else { return Result(progress: progress, position: position) }
            progress.isSecondPass = true
            progress.place = deferred
            try save()
        }
        try pass()
        return Result(progress: progress, position: position)
    }

    /// Goes through the lines once; while a batch is stored, the next one is read and verified.
    private func pass() throws(ImportFailure) {
        let reader = LineReader(descriptor: parts.input.descriptor, name: parts.input.name, from: progress.place)
        let judge = ImportJudge(verifier: parts.verifier, onlyLoneRenewals: progress.isSecondPass)
        var next = try ImportBatch.next(from: reader, judgedBy: judge)
        while let batch = next {
            let sent = store.send(batch.documents.compactMap(\.finding.unit))
            next = try ImportBatch.next(from: reader, judgedBy: judge)
            for appended in try store.finish(sent) { count(appended) }
            try settle(batch)
            progress.place = batch.end
            try save()
            if parts.stopping.isRaised { throw ImportFailure("The import was stopped.") }
            report.reached(progress, of: parts.input.size)
        }
    }

    /// Deals with what is not simply stored: refusals, and renewal infos whose line the ledger may know by now.
    private func settle(_ batch: ImportBatch) throws(ImportFailure) {
        for document in batch.documents {
            switch document.finding {
            case .accepted: break
            case .rejected(let rejection): try refuse(document, rejection)
            case .lone(let unit, let line, let environment):
                if try store.knowsLine(line, in: environment) {
                    for appended in try store.finish(store.send([unit])) { count(appended) }
                } else if progress.isSecondPass {
                    try refuse(document, .loneRenewal)
                } else {
                    progress.deferred = progress.deferred ?? document.line.start
                }
            }
        }
    }

    private func count(_ appended: [Appended]) {
        position = max(position, appended.map(\.position).max() ?? .start)
        switch appended.first?.outcome {
        case .recorded, .conflict: progress.counts.recorded += 1
        // In the second pass these are renewal infos that the first one has taken already.
        case .duplicate, .knownConflict: progress.counts.duplicates += progress.isSecondPass ? 0 : 1
        case nil: break
        }
    }

    private func refuse(_ document: ImportBatch.Document, _ rejection: Rejection) throws(ImportFailure) {
        progress.counts.refused += 1
        try report.refused(document, rejection)
    }

    private func save() throws(ImportFailure) { try parts.progressFile?.write(progress, for: parts.input.descriptor) }
}

extension ImportBatch.Finding {
    /// What is stored at once.
    fileprivate var unit: AppendUnit? {
        guard case .accepted(let unit) = self else { return nil }
        return unit
    }
}
