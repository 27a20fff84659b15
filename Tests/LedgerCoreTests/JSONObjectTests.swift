import LedgerCore
import TestSupport
import Testing

/// An object of any size holds what a dictionary would.
@Suite("JSON objects")
struct JSONObjectTests {
    @Test(arguments: [0, 1, 47, 48, 49, 50, 300])
    func `members are found by name, the last value of each, however many there are`(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var object = JSONObject()
        var members: [String: JSONValue] = [:]
        var repeated: [String] = []
        for number in 0..<count {
            let name = "m\(Int.random(in: 0..<max(1, count * 9 / 10), using: &random))"
            object.add(name, .integer(Int64(number)))
            if members.updateValue(.integer(Int64(number)), forKey: name) != nil { repeated.append(name) }
        }
        #expect(object.members == members)
        #expect(object.repeatedNames == repeated)
        for name in (0..<count).map({ "m\($0)" }) { #expect(object[name] == members[name]) }
    }

    @Test func `names that Unicode holds for equal are one name, whatever their bytes`() {
        var object = JSONObject()
        object.add("\u{E9}", .integer(1))
        object.add("e\u{301}", .integer(2))
        object.add("e", .integer(3))
        #expect(object["\u{E9}"] == .integer(2))
        #expect(object["e"] == .integer(3))
        #expect(object.repeatedNames == ["e\u{301}"])
    }

    @Test func `the order of members makes no difference`() {
        var (left, right) = (JSONObject(), JSONObject())
        for number in 0..<60 {
            left.add("m\(number)", .integer(Int64(number)))
            right.add("m\(59 - number)", .integer(Int64(59 - number)))
        }
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }
}
