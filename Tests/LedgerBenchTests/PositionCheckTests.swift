import Testing

@testable import LedgerBench

@Suite struct PositionCheckTests {
    /// An answer: line, outcome, position.
    private typealias Answer = (line: Int, outcome: String, position: Int64)

    private func problems(_ answers: [Answer], documents: [Int]) throws -> [String] {
        var check = PositionCheck()
        var problems = Tally()
        for (line, outcome, position) in answers {
            let text = #"{"outcome":"\#(outcome)","position":\#(position),"notificationUUID":"u"}"#
            check.add(try #require(PostAnswer(Array(text.utf8))), line: line, problems: &problems)
        }
        check.judge(documents: { documents[$0] }, problems: &problems)
        return problems.examples
    }

    @Test func `ranges without a hole hold, in any order and with duplicates`() throws {
        let answers: [Answer] = [
            (1, "recorded", 8), (1, "duplicate", 8), (0, "recorded", 3), (2, "recorded", 5), (0, "duplicate", 3),
        ]
        #expect(try problems(answers, documents: [3, 3, 2]) == [])
    }

    @Test(
        arguments: [
            ([4, 8], "line 2 was said to take 6 to 8, but 5 comes next"),  // a hole
            ([4, 6], "line 2 was said to take 4 to 6, but 5 comes next"),  // an overlap
            ([4, 4], "line 2 was said to take 2 to 4, but 5 comes next"),  // twice the same
        ] as [([Int64], String)]
    )
    func `a hole or an overlap is found`(positions: [Int64], problem: String) throws {
        let answers = positions.enumerated().map { Answer($0.offset, "recorded", $0.element) }
        #expect(try problems(answers, documents: [3, 3]) == [problem])
    }

    @Test func `a duplicate elsewhere and a second record are found`() throws {
        #expect(
            try problems([(0, "recorded", 3), (0, "duplicate", 4)], documents: [3])
                == ["line 1 is a duplicate of 4, but was recorded at 3"]
        )
        #expect(
            try problems([(0, "recorded", 3), (0, "recorded", 6)], documents: [3])
                == ["line 1 was recorded twice, at 3 and 6"]
        )
        #expect(
            try problems([(0, "recorded", 2)], documents: [3])
                == ["line 1 was said to end at 2 with 3 documents"]
        )
    }

    @Test(arguments: [
        "", "{}", #"{"outcome":"recorded","position":0,"notificationUUID":"u"}"#,
        #"{"outcome":"rejected","position":1,"notificationUUID":"u"}"#, #"{"outcome":"recorded","position":1}"#,
        #"{"outcome":"recorded","position":1,"notificationUUID":"u"}x"#,
    ])
    func `an answer of another shape is none`(text: String) {
        #expect(PostAnswer(Array(text.utf8)) == nil)
    }
}
