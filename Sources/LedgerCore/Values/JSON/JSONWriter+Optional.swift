/// Members that are left out when there is no value, as the App Store does it.
extension JSONWriter {
    /// A member with text.
    package mutating func memberIfPresent(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        member(name, value)
    }

    /// A member with an identifier or an open enumeration of texts, as it came.
    package mutating func memberIfPresent(_ name: StaticString, _ value: (some RawRepresentable<String>)?) {
        memberIfPresent(name, value?.rawValue)
    }

    /// A member with an integer.
    package mutating func memberIfPresent(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        member(name, value)
    }

    /// A member with an amount, a share or an open enumeration of integers, as it came.
    package mutating func memberIfPresent(_ name: StaticString, _ value: (some RawRepresentable<Int64>)?) {
        memberIfPresent(name, value?.rawValue)
    }

    /// A member with a time, in RFC 3339.
    package mutating func memberIfPresent(_ name: StaticString, _ value: Instant?) {
        guard let value else { return }
        member(name, value)
    }

    /// A member with a truth value.
    package mutating func memberIfPresent(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        member(name, value)
    }

    /// A member with an object, whose members the closure writes.
    package mutating func memberIfPresent<Value>(
        _ name: StaticString,
        _ value: Value?,
        _ writeMembers: (Value, inout JSONWriter) -> Void
    ) {
        guard let value else { return }
        self.name(name)
        object(value, writeMembers)
    }

    /// A member with a list of objects, whose members the closure writes.
    package mutating func memberIfPresent<Value>(
        _ name: StaticString,
        _ values: [Value]?,
        each writeMembers: (Value, inout JSONWriter) -> Void
    ) {
        guard let values else { return }
        self.name(name)
        beginArray()
        for value in values { object(value, writeMembers) }
        endArray()
    }

    private mutating func object<Value>(_ value: Value, _ writeMembers: (Value, inout JSONWriter) -> Void) {
        beginObject()
        writeMembers(value, &self)
        endObject()
    }
}
