internal import CPostgres

/// Reads the server's notices as they arrive and keeps the two facts in them that matter here; the rest is dropped
/// (libpq would print them on standard error).
@safe
final class NoticeLog {
    /// Whether the server stopped waiting for the synchronous standbys of a commit.
    ///
    /// The command still succeeds then, with nothing but a warning, although the commit is on one machine only.
    private(set) var replicationUnconfirmed = false
    /// Why the server ended the session while nothing was asked of it: libpq hands such an error over as a notice.
    private(set) var sessionEnd: SQLState?

    func reset() { replicationUnconfirmed = false }

    /// Called by libpq on the thread that reads the connection.
    static func receive(_ log: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
        guard let log = unsafe log else { return }
        let facts = unsafe Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue()
        func field(_ code: Int32) -> String? {
            unsafe PQresultErrorField(notice, code).map { unsafe String(cString: $0) }
        }
        // The text is translated and has no code of its own; the function that writes it (syncrep.c) is the mark.
        if field(CPostgres_sourceFunction) == "SyncRepWaitForLSN" { facts.replicationUnconfirmed = true }
        if ServerError.endingSeverities.contains(field(CPostgres_severity) ?? "") {
            facts.sessionEnd = SQLState(rawValue: field(CPostgres_sqlState) ?? SQLState.adminShutdown.rawValue)
        }
    }
}
