/// A JSON object: its members by name, without their order.
package struct JSONObject: Sendable {
    /// Up to so many members are looked for one by one, which is faster than hashing their names; the App Store's
    /// documents have about thirty.
    private static let searchedMax = 48

    private var entries: [(name: String, value: JSONValue)] = []
    /// Whether any name has other characters than ASCII: such names may be equal although their bytes differ in number.
    private var hasOtherNames = false
    /// Where each member is, once there are more than ``searchedMax``.
    private var places: [String: Int] = [:]
    /// The names that came more than once.
    package private(set) var repeatedNames: [String] = []

    package init() {}

    /// The members; of a name that came more than once the last value counts, as in PostgreSQL's `jsonb`.
    package var members: [String: JSONValue] { Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.value) }) }

    /// Adds a member.
    package mutating func add(_ name: String, _ value: JSONValue) {
        add(name, isASCII: name.utf8.allSatisfy { $0 < 0x80 }, value)
    }

    /// Adds a member of which the caller knows whether its name is ASCII for certain.
    mutating func add(_ name: String, isASCII: Bool, _ value: JSONValue) {
        if !isASCII { hasOtherNames = true }
        if let place = place(of: name) {
            entries[place].value = value
            return repeatedNames.append(name)
        }
        entries.append((name, value))
        if entries.count == Self.searchedMax + 1 {
            places = Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].name, $0) })
        } else if entries.count > Self.searchedMax {
            places[name] = entries.count - 1
        }
    }

    /// The value of a member, or nil when there is none of this name.
    package subscript(name: String) -> JSONValue? { place(of: name).map { entries[$0].value } }

    private func place(of name: String) -> Int? {
        guard entries.count <= Self.searchedMax else { return places[name] }
        let length = name.utf8.count
        return entries.firstIndex { (hasOtherNames || $0.name.utf8.count == length) && $0.name == name }
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members == right.members && left.repeatedNames == right.repeatedNames
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(members)
        hasher.combine(repeatedNames)
    }
}
