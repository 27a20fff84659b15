import Testing

@testable import LedgerD

/// How a limit of all loops is split.
@Suite struct LoopPartsTests {
    @Test(arguments: [0, 1, 2, 3, 1000, 1001], [1, 2, 3, 4])
    func `the parts of a limit add up to it, and none is more than one larger than another`(_ limit: Int, _ count: Int)
        throws
    {
        let parts = Loops.parts(of: limit, count)
        #expect(parts.count == count && parts.reduce(0, +) == limit)
        let (largest, smallest) = (try #require(parts.max()), try #require(parts.min()))
        #expect(largest - smallest <= 1)
    }
}
