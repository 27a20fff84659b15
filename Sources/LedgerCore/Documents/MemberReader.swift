/// Reads the members of one JSON object, each on its own: a member that is missing or `null` is nil; one of another
/// JSON type is nil as well and its path is noted.
package struct MemberReader<Member: RawRepresentable<String>> {
    private let object: JSONObject
    /// Where the object stands in the document, ending with a dot; empty at the top.
    private let path: String
    /// The paths of the members that had another JSON type, or came more than once.
    private(set) var malformed: [String]

    /// Whether a time may have a fraction, which is then cut off towards zero: only documents made by Xcode have such
    /// times (PROTOCOL.md, conventions).
    var truncatesFractions = false

    init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
        malformed = object.repeatedNames.map { path + $0 }
    }

    /// A text.
    ///
    /// One with U+0000 is malformed: no column of PostgreSQL can hold it, and it must not stop a projection.
    mutating func text(_ member: Member) -> String? {
        switch object[member.rawValue] {
        case .string(let text): text.holdsNUL ? note(member) : text
        case .null, nil: nil
        default: note(member)
        }
    }

    /// A list of texts; one element of another type makes the whole member malformed.
    mutating func texts(_ member: Member) -> [String]? {
        guard let elements = elements(member) else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element, !text.holdsNUL else { return note(member) }
            texts.append(text)
        }
        return texts
    }

    /// An integer.
    mutating func integer(_ member: Member) -> Int64? {
        switch object[member.rawValue] {
        case .integer(let integer): integer
        case .null, nil: nil
        default: note(member)
        }
    }

    /// A truth value.
    mutating func boolean(_ member: Member) -> Bool? {
        switch object[member.rawValue] {
        case .boolean(let boolean): boolean
        case .null, nil: nil
        default: note(member)
        }
    }

    /// A time in milliseconds since 1970.
    mutating func instant(_ member: Member) -> Instant? {
        if truncatesFractions, case .number(let text) = object[member.rawValue],
            let number = Double(text), number > -0x1p63, number < 0x1p63
        {
            return Instant(milliseconds: Int64(number))
        }
        return integer(member).map(Instant.init(milliseconds:))
    }

    /// A text with a type of its own: an identifier or an open enumeration.
    ///
    /// One past the limit of identifiers is malformed: no index of PostgreSQL could hold it, and it must not stop a
    /// projection.
    mutating func value<Value: RawRepresentable<String>>(_ member: Member) -> Value? {
        guard let text = text(member) else { return nil }
        return text.utf8.count <= TransactionID.bytesMax ? Value(rawValue: text) : note(member)
    }

    /// An integer with a type of its own: an amount, a share or an open enumeration.
    mutating func value<Value: RawRepresentable<Int64>>(_ member: Member) -> Value? {
        integer(member).flatMap(Value.init(rawValue:))
    }

    /// An object.
    mutating func part<Part: DocumentPart>(_ member: Member) -> Part? {
        switch object[member.rawValue] {
        case .object(let object): read(object, path: path + member.rawValue + ".")
        case .null, nil: nil
        default: note(member)
        }
    }

    /// A list of objects; an element that isn't one is left out and noted.
    mutating func parts<Part: DocumentPart>(_ member: Member) -> [Part]? {
        guard let elements = elements(member) else { return nil }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)\(member.rawValue)[\(index)]"
            if case .object(let object) = element {
                parts.append(read(object, path: place + "."))
            } else {
                malformed.append(place)
            }
        }
        return parts
    }

    private mutating func elements(_ member: Member) -> [JSONValue]? {
        switch object[member.rawValue] {
        case .array(let elements): elements
        case .null, nil: nil
        default: note(member)
        }
    }

    private mutating func read<Part: DocumentPart>(_ object: JSONObject, path: String) -> Part {
        var members = MemberReader<Part.Member>(object, path: path)
        members.truncatesFractions = truncatesFractions
        var part = Part()
        part.read(&members)
        malformed += members.malformed
        return part
    }

    private mutating func note<Value>(_ member: Member) -> Value? {
        malformed.append(path + member.rawValue)
        return nil
    }
}

extension String {
    /// Whether it holds U+0000; over the bytes, because the view of a long text takes a call a byte.
    fileprivate var holdsNUL: Bool {
        utf8.withContiguousStorageIfAvailable { unsafe $0.contains(0) } ?? utf8.contains(0)
    }
}
