/// How rows of a register are written: the same members, in the same order, as JSON and as CSV.
package struct RegisterTable<Row: Sendable>: Sendable {
    /// What a member of a row holds.
    package enum Value: Sendable {
        case text(String?)
        case integer(Int64?)
        case instant(Instant?)
        /// In CSV separated by spaces.
        case texts([String])
        /// In CSV two columns: `…Milliunits` and `…Currency`.
        case money(Money?)
        /// Of a column whose members nothing fills yet.
        case nothing
    }

    /// What the values of a column look like.
    package enum Form: Sendable {
        /// One value, one field of CSV.
        case plain
        /// Those of ``Value/money(_:)``.
        case money
        /// An object with these members, all null; in CSV an empty field for each.
        case empty([StaticString])
    }

    /// One member.
    package struct Column: Sendable {
        fileprivate let name: StaticString
        fileprivate let form: Form
        fileprivate let value: @Sendable (Row) -> Value

        /// A member of this name, whose values all have this form.
        init(_ name: StaticString, form: Form = .plain, _ value: @escaping @Sendable (Row) -> Value) {
            self.name = name
            self.form = form
            self.value = value
        }
    }

    private let columns: [Column]

    init(_ columns: [Column]) { self.columns = columns }

    /// Writes the members of a row into an open object.
    package func writeMembers(of row: Row, to json: inout JSONWriter) {
        for column in columns {
            switch column.value(row) {
            case .text(let text): json.member(column.name, text)
            case .integer(let number): json.member(column.name, number)
            case .instant(let instant): json.member(column.name, instant)
            case .texts(let texts):
                json.name(column.name)
                json.beginArray()
                for text in texts { json.string(text) }
                json.endArray()
            case .money(let money):
                json.name(column.name)
                if let money { json.money(money) } else { json.null() }
            case .nothing:
                json.name(column.name)
                json.beginObject()
                for name in column.members { json.member(name, String?.none) }
                json.endObject()
            }
        }
    }

    /// Writes the names of the columns.
    package func writeHeader(to csv: inout CSVWriter) {
        for column in columns {
            switch column.form {
            case .plain: csv.text("\(column.name)")
            case .money:
                csv.text("\(column.name)Milliunits")
                csv.text("\(column.name)Currency")
            case .empty(let members):
                for member in members { csv.text("\(column.name)\("\(member)".capitalizedFirst)") }
            }
        }
        csv.endRecord()
    }

    /// Writes a row as a record.
    package func writeRecord(of row: Row, to csv: inout CSVWriter) {
        for column in columns {
            switch column.value(row) {
            case .text(let text): csv.text(text)
            case .integer(let number): csv.integer(number)
            case .instant(let instant): csv.instant(instant)
            case .texts(let texts): csv.text(texts.joined(separator: " "))
            case .money(let money):
                csv.integer(money?.amount.rawValue)
                csv.text(money?.currency.rawValue)
            case .nothing: for _ in column.members { csv.text(nil) }
            }
        }
        csv.endRecord()
    }
}

extension RegisterTable.Column {
    /// The members of a column of ``RegisterTable/Form/empty(_:)``.
    fileprivate var members: [StaticString] { if case .empty(let members) = form { members } else { [] } }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension JSONWriter {
    /// Writes an amount: `{"currency":"USD","milliunits":3980}`.
    package mutating func money(_ money: Money) {
        beginObject()
        member("currency", money.currency.rawValue)
        member("milliunits", money.amount.rawValue)
        endObject()
    }
}
