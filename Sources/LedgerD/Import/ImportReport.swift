import Glibc
import LedgerCore

/// Tells of an import: refused documents as they are met, how far it is on a terminal, and the end.
struct ImportReport {
    /// The most refused documents that are told on standard error; the file has all of them.
    static let sentencesMax = 100

    private let refusals: Int32?
    private var told = 0
    private var terminal = TerminalProgress()

    /// Begins a report; refused documents are listed in the file, one JSON object a line, behind those of an earlier
    /// import that it continues.
    ///
    /// - Throws: ``ImportFailure`` when the file cannot be written.
    init(refusals path: String?, continues: Bool) throws(ImportFailure) {
        guard let path else {
            refusals = nil
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (continues ? O_APPEND : O_TRUNC), 0o644)
        guard descriptor >= 0 else { throw ImportFailure("The file \(path) cannot be written (errno \(errno)).") }
        refusals = descriptor
    }

    mutating func refused(_ document: ImportBatch.Document, _ rejection: Rejection) throws(ImportFailure) {
        told += 1
        if told <= Self.sentencesMax {
            Terminal.complain("line \(document.line.number), \(document.kind.rawValue): \(rejection)")
        }
        if told == Self.sentencesMax {
            Terminal.complain("Further refused documents are not shown here; --refused FILE lists all.")
        }
        guard let refusals else { return }
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("line", Int64(document.line.number))
        json.member("kind", document.kind.rawValue)
        json.member("code", rejection.code.rawValue)
        json.member("document", rejection.document.rawValue)
        json.member("detail", rejection.detail)
        json.member("retryable", rejection.code.isRetryable)
        json.endObject()
        guard Terminal.write(json.bytes[...] + [UInt8(ascii: "\n")], to: refusals) else {
            throw ImportFailure("The list of refused documents cannot be written (errno \(errno)).")
        }
    }

    /// How far it is; bytes of the file.
    mutating func reached(_ progress: ImportProgress, of size: Int64) {
        let percent = size == 0 ? 100 : progress.place.offset * 100 / size
        let pass = progress.isSecondPass ? "renewal infos again, " : ""
        terminal.show("\(pass)line \(progress.place.lines), \(percent) %: \(progress.counts)")
    }

    func close() { if let refusals { Glibc.close(refusals) } }
}

extension ImportProgress.Counts: CustomStringConvertible {
    var description: String { "\(recorded) recorded, \(duplicates) known before, \(refused) refused" }
}
