import EventStore
import HTTPServer
import LedgerCore
import Projections

/// `POST /v1/replays`: why a register is another one today than it was on an earlier day.
struct ReplayRoute: Sendable {
    let pool: WorkPool
    let catalogs: CatalogShelf
    let served: Set<StoreEnvironment>

    /// Answers with the totals at both positions, their difference by cause, and the entries that make it up.
    func handle(_ request: Request, _ responder: Responder) {
        let query: ReplayQuery
        do throws(Problem) { query = try ReplayQuery(request.body, served: served) } catch {
            return responder.respond(error.response)
        }
        let isTaken = pool.submit(size: request.body.count) { session in
            do { responder.respond(.json(try answer(query, session))) } catch {
                responder.respond(Problem(reading: error).response)
            }
        }
        if !isTaken { responder.respond(Problem.overloaded("Too many replays wait; try again.").response) }
    }

    private func answer(_ query: ReplayQuery, _ session: WorkSession) throws -> JSONWriter {
        let connection = try session.open()
        let (reader, log) = (RegisterReader(connection, catalogs: catalogs), EventReader(connection))
        let projected = try reader.position()
        let before = try log.lastPosition(knownAt: query.before)
        let after = if let known = query.after { try log.lastPosition(knownAt: known) } else { max(projected, before) }
        guard before <= after else { throw Problem.malformed("The first of \"knownAt\" must not be the later one.") }
        guard after <= projected else { throw Problem.notYetProjected(at: projected, wanted: after) }
        var selection = query.selection
        if let key = query.key {
            selection.lines = try reader.facts(of: key, in: selection.environment)
                .lines.map(\.line.originalTransactionID)
        }
        guard let replay = try RegisterReplay(selection, from: before, to: after, reader) else {
            throw Problem.differenceTooLarge
        }
        return json(query, replay, reader, before, after, projected)
    }

    private func json(
        _ query: ReplayQuery,
        _ replay: RegisterReplay,
        _ reader: RegisterReader,
        _ before: Position,
        _ after: Position,
        _ projected: Position
    ) -> JSONWriter {
        let window = query.selection
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.member("register", query.register.rawValue)
        json.member("environment", window.environment.rawValue)
        json.member("basis", window.basis.rawValue)
        json.member("from", window.from.milliseconds == .min ? nil : window.from)
        json.member("to", window.to.milliseconds == .max ? nil : window.to)
        json.name("knownAt")
        json.beginArray()
        json.integer(before.rawValue)
        json.integer(after.rawValue)
        json.endArray()
        json.name("totals")
        json.beginArray()
        replay.totals.before.write(to: &json)
        replay.totals.after.write(to: &json)
        json.endArray()
        json.name("difference")
        replay.difference().write(to: &json)
        writeCauses(of: replay, to: &json)
        writeEntries(of: replay, query.register == .refunds ? .refunds : .revocations, to: &json) { change in
            reader.catalog(of: change.row.entry, knownAt: change.isAdded ? after : before)
        }
        json.member("position", projected)
        json.endObject()
        return json
    }

    private func writeCauses(of replay: RegisterReplay, to json: inout JSONWriter) {
        json.name("causes")
        json.beginArray()
        for cause in RegisterReplay.Cause.allCases where replay.changes.contains(where: { $0.cause == cause }) {
            json.beginObject()
            json.member("cause", cause.rawValue)
            json.name("difference")
            replay.difference(cause).write(to: &json)
            json.endObject()
        }
        json.endArray()
    }

    private func writeEntries(
        of replay: RegisterReplay,
        _ table: RegisterTable<RegisterRow>,
        to json: inout JSONWriter,
        catalog: (RegisterReplay.Change) -> Catalog
    ) {
        json.name("entries")
        json.beginArray()
        for change in replay.changes {
            json.beginObject()
            json.member("change", change.isAdded ? "added" : "removed")
            json.member("cause", change.cause.rawValue)
            table.writeMembers(of: RegisterRow(change.row, catalog: catalog(change)), to: &json)
            json.endObject()
        }
        json.endArray()
    }
}

extension Problem {
    fileprivate static var differenceTooLarge: Problem {
        Problem(
            status: 422,
            code: "differenceTooLarge",
            title: "The difference has too many entries",
            detail:
                "More than \(RegisterReplay.changesMax) entries differ; ask about a shorter window, one product or one currency."
        )
    }
}
