/// Reads the members of one JSON object, each on its own: a member that is missing or `null` is nil; one of another JSON
/// type is nil as well and its path is noted.
package struct MemberReader<Member: CodingKey> {
    private let container: KeyedDecodingContainer<Member>
    /// Where the object stands in the document, ending with a dot; empty at the top.
    private let path: String
    /// The paths of the members that had another JSON type, in the order of reading.
    private(set) var malformed: [String] = []

    /// Whether a time may have a fraction, which is then cut off towards zero: only documents made by Xcode have such
    /// times (PROTOCOL.md, conventions).
    var truncatesFractions = false

    init(_ container: KeyedDecodingContainer<Member>, path: String = "") {
        self.container = container
        self.path = path
    }

    /// A text.
    mutating func text(_ member: Member) -> String? {
        do {
            return try container.decodeIfPresent(String.self, forKey: member)
        } catch {
            return note(member)
        }
    }

    /// A list of texts; one element of another type makes the whole member malformed.
    mutating func texts(_ member: Member) -> [String]? {
        do {
            return try container.decodeIfPresent([String].self, forKey: member)
        } catch {
            return note(member)
        }
    }

    /// An integer.
    mutating func integer(_ member: Member) -> Int64? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: member)
        } catch {
            return note(member)
        }
    }

    /// A truth value.
    mutating func boolean(_ member: Member) -> Bool? {
        do {
            return try container.decodeIfPresent(Bool.self, forKey: member)
        } catch {
            return note(member)
        }
    }

    /// A time in milliseconds since 1970.
    mutating func instant(_ member: Member) -> Instant? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: member).map(Instant.init(milliseconds:))
        } catch {
            guard truncatesFractions, let number = try? container.decode(Double.self, forKey: member),
                let milliseconds = Int64(exactly: number.rounded(.towardZero))
            else { return note(member) }
            return Instant(milliseconds: milliseconds)
        }
    }

    /// A text with a type of its own: an identifier or an open enumeration.
    mutating func value<Value: RawRepresentable<String>>(_ member: Member) -> Value? {
        text(member).flatMap(Value.init(rawValue:))
    }

    /// An integer with a type of its own: an amount, a share or an open enumeration.
    mutating func value<Value: RawRepresentable<Int64>>(_ member: Member) -> Value? {
        integer(member).flatMap(Value.init(rawValue:))
    }

    /// An object.
    mutating func part<Part: DocumentPart>(_ member: Member) -> Part? {
        guard isPresent(member) else { return nil }
        guard let nested = try? container.nestedContainer(keyedBy: Part.Member.self, forKey: member) else {
            return note(member)
        }
        return read(nested, path: path + member.stringValue + ".")
    }

    /// A list of objects; an element that isn't one is left out and noted.
    mutating func parts<Part: DocumentPart>(_ member: Member) -> [Part]? {
        guard isPresent(member) else { return nil }
        guard var list = try? container.nestedUnkeyedContainer(forKey: member) else { return note(member) }
        var parts: [Part] = []
        while !list.isAtEnd {
            let element = "\(path)\(member.stringValue)[\(list.currentIndex)]"
            if let nested = try? list.nestedContainer(keyedBy: Part.Member.self) {
                parts.append(read(nested, path: element + "."))
            } else {
                malformed.append(element)
                // A container does not move past an element that it could not give.
                guard (try? list.decode(Skipped.self)) != nil else { break }
            }
        }
        return parts
    }

    private mutating func read<Part: DocumentPart>(
        _ nested: KeyedDecodingContainer<Part.Member>,
        path: String
    ) -> Part {
        var members = MemberReader<Part.Member>(nested, path: path)
        members.truncatesFractions = truncatesFractions
        var part = Part()
        part.read(&members)
        malformed += members.malformed
        return part
    }

    private func isPresent(_ member: Member) -> Bool {
        container.contains(member) && (try? container.decodeNil(forKey: member)) != true
    }

    private mutating func note<Value>(_ member: Member) -> Value? {
        malformed.append(path + member.stringValue)
        return nil
    }
}

/// Any JSON value, of which nothing is kept.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}
