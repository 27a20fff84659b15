internal import LedgerCore

/// What went wrong, with the first few cases in words.
struct Tally {
    private(set) var count = 0
    private(set) var examples: [String] = []

    static var examplesMax: Int { 5 }

    mutating func add(_ example: @autoclosure () -> String) {
        count += 1
        if examples.count < Self.examplesMax { examples.append(example()) }
    }

    func writeMember(_ name: StaticString, to writer: inout JSONWriter) {
        writer.name(name)
        writer.beginObject()
        writer.member("count", count)
        writer.name("examples")
        writer.beginArray()
        for example in examples { writer.string(example) }
        writer.endArray()
        writer.endObject()
    }
}
