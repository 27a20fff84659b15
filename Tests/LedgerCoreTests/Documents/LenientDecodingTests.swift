import LedgerCore
import Testing

/// A member of one document.
struct MemberPath: CustomTestStringConvertible {
    let sample: DocumentSample
    let path: [PathStep]

    var testDescription: String { "\(sample): \(path.text)" }

    static let all: [MemberPath] = DocumentSample.allCases.flatMap { sample in
        ((try? sample.paths()) ?? []).map { MemberPath(sample: sample, path: $0) }
    }
}

@Suite struct LenientDecodingTests {
    @Test(arguments: DocumentSample.allCases)
    func `every member is read and stands under its own name`(sample: DocumentSample) throws {
        let complete = try sample.complete()
        let document = try sample.type.init(payload: complete.bytes)
        #expect(document.malformedMembers == [])
        #expect(try document.wireForm() == complete)
        #expect(try sample.type.unknownMembers(in: complete.bytes) == [:])
    }

    @Test(arguments: zip(DocumentSample.allCases, [65, 52, 35, 13, 7]))
    func `the number of members is the protocol's`(sample: DocumentSample, count: Int) throws {
        let leaves = try sample.paths().filter { path in
            if case .name = path.last { true } else { false }
        }
        #expect(leaves.count == count)
    }

    @Test(arguments: DocumentSample.allCases)
    func `a document without any member is a document`(sample: DocumentSample) throws {
        let document = try sample.type.init(payload: Array("{}".utf8))
        #expect(document.malformedMembers == [])
        #expect(try document.wireForm() == .members([:]))
    }

    @Test(arguments: MemberPath.all)
    func `a member of a wrong type is absent and named, and all others stay`(member: MemberPath) throws {
        let complete = try member.sample.complete()
        let value = try #require(complete.value(at: member.path))
        let without = try #require(complete.replacing(member.path, with: nil))
        for wrong in Self.values where !Self.isSameType(wrong, value) {
            let mutated = try #require(complete.replacing(member.path, with: wrong))
            let document = try member.sample.type.init(payload: mutated.bytes)
            #expect(document.malformedMembers == [member.path.text], "\(wrong)")
            #expect(try document.wireForm() == without, "\(wrong)")
        }
    }

    @Test(arguments: MemberPath.all.filter { if case .name = $0.path.last { true } else { false } })
    func `a member that is null or missing is absent and not named`(member: MemberPath) throws {
        let complete = try member.sample.complete()
        let without = try #require(complete.replacing(member.path, with: nil))
        for value in [JSONValue.null, nil] {
            let mutated = try #require(complete.replacing(member.path, with: value))
            let document = try member.sample.type.init(payload: mutated.bytes)
            #expect(document.malformedMembers == [])
            #expect(try document.wireForm() == without)
        }
    }

    @Test(arguments: MemberPath.all.filter { if case .name = $0.path.last { true } else { false } })
    func `a member that we don't know is ignored in decoding and found on demand`(member: MemberPath) throws {
        let complete = try member.sample.complete()
        let future = member.path.dropLast() + [.name("futureField")]
        let value: JSONValue = .members(["a": .array([.integer(1), .string("x"), .null, .number("1.50")])])
        let extended = try #require(complete.replacing(future, with: value))
        let document = try member.sample.type.init(payload: extended.bytes)
        #expect(document.malformedMembers == [])
        #expect(try document.wireForm() == complete)
        #expect(try member.sample.type.unknownMembers(in: extended.bytes) == [Array(future).text: value])
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `any mixture of damaged members leaves the sound ones`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = DocumentSample.allCases[Int(seed) % DocumentSample.allCases.count]
        let complete = try sample.complete()
        let members = try #require(complete.members)
        for _ in 0..<50 {
            let damaged = Set(members.keys.filter { _ in Bool.random(using: &random) })
            var mutated = complete
            var expected = complete
            for name in damaged {
                let wrong = try #require(
                    Self.values.filter { !Self.isSameType($0, members[name] ?? .null) }.randomElement(using: &random)
                )
                mutated = try #require(mutated.replacing([PathStep.name(name)], with: wrong))
                expected = try #require(expected.replacing([PathStep.name(name)], with: nil))
            }
            let document = try sample.type.init(payload: mutated.bytes)
            #expect(Set(document.malformedMembers) == damaged, "seed \(seed)")
            #expect(try document.wireForm() == expected, "seed \(seed)")
        }
    }

    private static let values: [JSONValue] = [
        .boolean(false), .integer(.min), .number("1698148900000.5"), .number("9223372036854775808"),
        .string("1698148900000"),
        .unreadableString(#"\ud800"#), .array([]), .array([.string("a"), .null]), .members(["a": .integer(1)]),
    ]

    /// Whether a value may stand where another one stands; a list fits where its elements do.
    private static func isSameType(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.boolean, .boolean), (.integer, .integer), (.string, .string), (.object, .object): true
        case (.array(let some), .array(let others)):
            // An element of a list of objects is named on its own, which another test shows.
            others.first?.members != nil || some.allSatisfy { $0.text != nil }
        default: false
        }
    }
}
