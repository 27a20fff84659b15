/// A type of PostgreSQL by its object identifier; those below are fixed in every cluster (`pg_type.dat`).
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static let bool = PostgresType(16)
    package static let bytea = PostgresType(17)
    package static let int8 = PostgresType(20)
    package static let int2 = PostgresType(21)
    package static let int4 = PostgresType(23)
    package static let text = PostgresType(25)
    package static let uuid = PostgresType(2950)

    package static let boolArray = PostgresType(1000)
    package static let byteaArray = PostgresType(1001)
    package static let int2Array = PostgresType(1005)
    package static let int4Array = PostgresType(1007)
    package static let textArray = PostgresType(1009)
    package static let int8Array = PostgresType(1016)
    package static let uuidArray = PostgresType(2951)

    /// Types whose binary form is their text in UTF-8: "char", name, text, json, xml, unknown, bpchar, varchar.
    var isTextual: Bool {
        switch rawValue {
        case 18, 19, 25, 114, 142, 705, 1042, 1043: true
        default: false
        }
    }

    /// `jsonb`, whose binary form is a version byte 1 and then the text.
    static let jsonb = PostgresType(3802)
}
