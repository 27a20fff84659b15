import FoundationEssentials
import Glibc
import JWS
import LedgerCore

/// How far an import has come: what is before its place is durable, refused, or a renewal info to be looked at again.
struct ImportProgress: Sendable, Hashable {
    /// The second pass looks again at the renewal infos whose lines were unknown in the first.
    var isSecondPass = false
    /// Everything before this place has been dealt with in this pass.
    var place = LineReader.Place.start
    /// Where the second pass begins: the first renewal info whose line was unknown; nil when there is none.
    var deferred: LineReader.Place?
    var counts = Counts()

    /// What became of the documents so far.
    struct Counts: Sendable, Hashable {
        var recorded: Int64 = 0
        var duplicates: Int64 = 0
        var refused: Int64 = 0
    }
}

/// Keeps an import's progress in a file beside the one that is imported, so that a repeated import goes on from there.
///
/// It is written after what it tells of is durable, so it is never ahead of the ledger. What it lags behind is sent
/// again and found to be known.
struct ImportProgressFile {
    let path: String

    /// The bytes before the place that must still be there, for the progress to be this file's.
    private static let witnessBytes = 4096
    private static let fileBytesMax = 4096

    /// The progress of an earlier import of an open file; nil when there is none, or it was another file's.
    func read(for descriptor: Int32) -> ImportProgress? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.fileBytesMax,
            case .object(let object) = try? JSONReader.value(of: Array(data))
        else { return nil }
        func number(_ name: String) -> Int64? {
            guard case .integer(let number)? = object.members[name], number >= 0 else { return nil }
            return number
        }
        func place(_ offset: String, _ lines: String) -> LineReader.Place? {
            guard let offset = number(offset), let lines = number(lines) else { return nil }
            return LineReader.Place(offset: offset, lines: Int(lines))
        }
        guard let pass = number("pass"), let reached = place("offset", "lines"),
            let recorded = number("recorded"), let duplicates = number("duplicates"), let refused = number("refused"),
            case .string(let witness)? = object.members["witness"],
            witness == Self.witness(descriptor, before: reached.offset)
        else { return nil }
        return ImportProgress(
            isSecondPass: pass == 2,
            place: reached,
            deferred: place("deferredOffset", "deferredLines"),
            counts: .init(recorded: recorded, duplicates: duplicates, refused: refused)
        )
    }

    func write(_ progress: ImportProgress, for descriptor: Int32) throws(ImportFailure) {
        var json = JSONWriter(reservingCapacity: 512)
        json.beginObject()
        json.member("pass", Int64(progress.isSecondPass ? 2 : 1))
        json.member("offset", progress.place.offset)
        json.member("lines", Int64(progress.place.lines))
        json.member("deferredOffset", progress.deferred?.offset)
        json.member("deferredLines", progress.deferred.map { Int64($0.lines) })
        json.member("recorded", progress.counts.recorded)
        json.member("duplicates", progress.counts.duplicates)
        json.member("refused", progress.counts.refused)
        json.member("witness", Self.witness(descriptor, before: progress.place.offset))
        json.endObject()
        // Renamed into place, so that a kill leaves the old or the new one.
        do { try Data(json.bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw ImportFailure("The progress cannot be written to \(path).")
        }
    }

    func remove() { unlink(path) }

    /// SHA-256 of the bytes before a place, in hexadecimal: another file, or one that was changed, has others.
    private static func witness(_ descriptor: Int32, before offset: Int64) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(min(offset, Int64(witnessBytes))))
        let count = pread(descriptor, &bytes, bytes.count, off_t(offset - Int64(bytes.count)))
        let digits = Array("0123456789abcdef")
        return String(
            SHA256Digest.of(Array(bytes.prefix(max(0, count)))).flatMap {
                [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
            }
        )
    }
}
