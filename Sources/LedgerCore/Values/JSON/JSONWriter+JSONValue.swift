extension JSONWriter {
    /// Writes a value as it came; the members of an object in the order of their names.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .boolean(let boolean): self.boolean(boolean)
        case .integer(let integer): self.integer(integer)
        case .number(let text): raw(text.utf8)
        case .string(let text): string(text)
        case .unreadableString(let asWritten): raw(#""\#(asWritten)""#.utf8)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for (name, member) in object.members.sorted(by: { $0.key < $1.key }) {
                self.name(escaping: name)
                self.value(member)
            }
            endObject()
        }
    }
}
