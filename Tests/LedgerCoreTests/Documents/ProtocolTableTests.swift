import LedgerCore
import Testing

/// The tables of PROTOCOL.md section 2 against the documents: the same members, of the same JSON types.
@Suite(.enabled(if: SharedFiles.arePresentOrRequired, SharedFiles.comment))
struct ProtocolTableTests {
    @Test(
        arguments: [
            ("2.1", TransactionDocument.self), ("2.2", RenewalInfoDocument.self), ("2.3", NotificationDocument.self),
            ("2.4", NotificationData.self), ("2.7", AppTransactionDocument.self),
        ] as [(String, any DocumentPart.Type)]
    )
    func `a document has the members of its table`(section: String, type: any DocumentPart.Type) throws {
        let rows = try Self.rows(ofSection: section)
        let shapes = try type.shapes()
        #expect(Set(rows.keys) == Set(shapes.map(\.name)))
        for shape in shapes {
            let jsonType = rows[shape.name].map { $0.replacing(", O", with: "") } ?? ""
            #expect(Self.jsonTypes(of: shape.kind).contains(jsonType), "\(shape.name) is \(jsonType)")
        }
    }

    private static func jsonTypes(of kind: MemberKind) -> [String] {
        switch kind {
        case .text: ["string", "string (UUID)", "JWS"]
        case .integer: ["int32", "int64"]
        case .instant: ["int64", "int64 ms"]
        case .boolean: ["boolean"]
        case .texts: ["[string]"]
        case .part: ["object"]
        case .parts: ["array"]
        }
    }

    /// The JSON types of a section's members: a row holds one or more names and as many types, or one type for all.
    private static func rows(ofSection section: String) throws -> [String: String] {
        let text = String(decoding: try SharedFiles.bytes("appstore/PROTOCOL.md"), as: UTF8.self)
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("## \(section) ") }.dropFirst()
        var rows: [String: String] = [:]
        for line in lines.prefix(while: { !$0.hasPrefix("## ") }) where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
            let names = cells[0].split(separator: "`").filter { $0.contains(where: \.isLetter) }
            let type = String(cells[1].reversed().drop(while: \.isWhitespace).reversed())
            let types =
                names.count == 2 && type.contains(", s") ? type.split(separator: ", ").map(String.init) : [type, type]
            for (name, type) in zip(names, types) { rows[String(name)] = type }
        }
        try #require(!rows.isEmpty)
        return rows
    }
}
