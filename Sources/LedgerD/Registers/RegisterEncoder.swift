import LedgerCore

/// Encodes the rows of a register in their form, piece by piece.
struct RegisterEncoder: Sendable {
    private let format: RegisterFormat
    private var hasBegun = false
    private var rowCount = 0

    /// Bytes of a usual row, for the room that is made for several.
    private static let rowBytes = 1024

    init(_ format: RegisterFormat) { self.format = format }

    /// The bytes of some rows, and before the first of them what begins the answer.
    mutating func encode(_ rows: RegisterRows) -> [UInt8] {
        defer {
            hasBegun = true
            rowCount += rows.count
        }
        guard format != .csv else { return records(rows) }
        var json = JSONWriter(reservingCapacity: Self.rowBytes * rows.count)
        if format == .json, !hasBegun { json.between(#"{"items":["#.utf8) }
        for index in 0..<rows.count {
            if format == .json, rowCount + index > 0 { json.between(",".utf8) }
            rows.write(index, to: &json)
            if format == .ndjson { json.between("\n".utf8) }
        }
        return json.bytes
    }

    private func records(_ rows: RegisterRows) -> [UInt8] {
        var csv = CSVWriter(reservingCapacity: Self.rowBytes * rows.count)
        if !hasBegun { rows.writeHeader(to: &csv) }
        for index in 0..<rows.count { rows.write(index, to: &csv) }
        return csv.bytes
    }

    /// What ends a page of JSON; `totals` writes one value.
    static func closing<Failure: Error>(
        next: String?,
        position: Position,
        _ totals: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var json = JSONWriter()
        json.between("],".utf8)
        var members = JSONWriter()
        members.beginObject()
        members.name("totals")
        try totals(&members)
        members.member("next", next)
        members.member("position", position)
        members.endObject()
        // The object was opened before the first row.
        json.between(members.bytes.dropFirst())
        return json.bytes
    }
}
