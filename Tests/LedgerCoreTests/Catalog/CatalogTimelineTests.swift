import Testing

@testable import LedgerCore

/// Versions of the catalog and the time they are in force; the JSON that they are recorded as.
@Suite struct CatalogTimelineTests {
    private static func naming(_ name: String) -> Catalog {
        Catalog(products: [ProductID(rawValue: "p"): CatalogProduct(entitlement: name)])
    }

    private func name(_ timeline: CatalogTimeline, at time: Int64, upTo position: Int64) -> String? {
        timeline.catalog(at: Instant(milliseconds: time), upTo: Position(position))
            .entry(for: ProductID(rawValue: "p")).entitlement
    }

    @Test func `the last version recorded by then is in force, before the first one the first`() {
        var timeline = CatalogTimeline(initial: Self.naming("file"))
        #expect(name(timeline, at: 0, upTo: 99) == "file")
        timeline.add(Self.naming("one"), at: Position(5), recordedAt: Instant(milliseconds: 50))
        timeline.add(Self.naming("two"), at: Position(7), recordedAt: Instant(milliseconds: 70))
        timeline.add(Self.naming("again"), at: Position(7), recordedAt: Instant(milliseconds: 70))
        // An event that cannot be read leaves the one before it in force.
        timeline.add(nil, at: Position(8), recordedAt: Instant(milliseconds: 80))
        #expect(timeline.position == Position(8))
        for (time, position, expected) in [
            (0, 99, "one"), (49, 99, "one"), (50, 99, "one"), (69, 99, "one"), (70, 99, "two"), (1000, 99, "two"),
            (1000, 6, "one"), (1000, 5, "one"), (1000, 4, "one"),
        ] as [(Int64, Int64, String)] {
            #expect(name(timeline, at: time, upTo: position) == expected, "at \(time), known at \(position)")
        }
    }

    @Test func `a catalog is written as it is read, and equal ones have equal bytes`() throws {
        let text = #"""
            {"products": {
              "z\"": {"unit": "coins", "units": 500, "rounding": "nearest"},
              "a": {"entitlement": "pro", "level": 2}, "m": {"entitlement": "season", "duration": "P1Y2M10D"}, "n": {}}}
            """#
        let catalog = try Catalog(json: Array(text.utf8))
        #expect(try Catalog(json: catalog.json) == catalog)
        let other =
            #"{"products":{"n":{"rounding":"down","units":1},"m":{"duration":"P14M10D","entitlement":"season"},"#
            + #""a":{"level":2,"entitlement":"pro"},"z\"":{"rounding":"nearest","unit":"coins","units":500}}}"#
        #expect(try Catalog(json: Array(other.utf8)).json == catalog.json)
    }
}
