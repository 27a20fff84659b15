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
    }

    /// One member.
    package struct Column: Sendable {
        fileprivate let name: StaticString
        fileprivate let isMoney: Bool
        fileprivate let value: @Sendable (Row) -> Value

        /// A member of this name; `isMoney` where its values are ``RegisterTable/Value/money(_:)``.
        init(_ name: StaticString, isMoney: Bool = false, _ value: @escaping @Sendable (Row) -> Value) {
            self.name = name
            self.isMoney = isMoney
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
            }
        }
    }

    /// Writes the names of the columns.
    package func writeHeader(to csv: inout CSVWriter) {
        for column in columns {
            if column.isMoney {
                csv.text("\(column.name)Milliunits")
                csv.text("\(column.name)Currency")
            } else {
                csv.text("\(column.name)")
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
            case .instant(let instant): csv.text(instant?.description)
            case .texts(let texts): csv.text(texts.joined(separator: " "))
            case .money(let money):
                csv.integer(money?.amount.rawValue)
                csv.text(money?.currency.rawValue)
            }
        }
        csv.endRecord()
    }
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
