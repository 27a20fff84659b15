import EventStore
import JWS
import LedgerCore
import Postgres
import Synchronization

/// Puts the configured catalog into the log: at the start, and when the file is read again.
///
/// A version that is the last one recorded is not recorded again. What is in force, every daemon reads from the log
/// (``CatalogShelf``), also one with an older file or with none.
final class CatalogKeeper: Sendable {
    private let path: String?
    private let log: Log
    /// Read and not recorded yet.
    private let pending: Mutex<Catalog?>

    /// The keeper of a file that was read at the start; both nil where none is configured.
    init(path: String?, catalog: Catalog?, log: Log) {
        self.path = path
        self.log = log
        pending = Mutex(catalog)
    }

    /// Reads the file again; the old catalog stays in force when it cannot be read.
    func reload() {
        guard let path else { return log.write(.warning, "no catalog file is configured") }
        do throws(InputError) {
            let catalog = try DaemonInputs.catalog(at: path)
            pending.withLock { $0 = catalog }
        } catch {
            log.write(.error, "the catalog was not read again; the old one stays", ["problem": error.description])
        }
    }

    /// Records what waits; nothing when nothing does.
    ///
    /// `progress` is told the position, so that the follower goes there.
    func record(on connection: Connection, progress: ProgressBoard) throws(EventStoreError) {
        guard let catalog = pending.withLock({ $0 }) else { return }
        let payload = catalog.json
        guard let digest = DocumentDigest(SHA256Digest.of(payload)) else {
            preconditionFailure("a SHA-256 digest has more than \(DocumentDigest.size) bytes")
        }
        let appended = try CatalogLog(connection).record(payload, digest: digest)
        // Another one may have been read meanwhile.
        pending.withLock { if $0 == catalog { $0 = nil } }
        progress.appended(upTo: appended.position)
        guard appended.outcome == .recorded else { return }
        log.write(.info, "a version of the catalog was recorded", ["event.position": "\(appended.position)"])
    }
}
