import LedgerCore
import Testing

/// The catalog file (API.md, "Running it") and its durations.
@Suite("Catalog")
struct CatalogTests {
    private func catalog(_ json: String) throws(CatalogError) -> Catalog { try Catalog(json: Array(json.utf8)) }

    @Test func `the example of the API is read`() throws {
        let example = try catalog(
            #"""
            {"products": {
              "com.example.pro.monthly": { "entitlement": "pro", "level": 1 },
              "com.example.season":      { "entitlement": "season", "duration": "P3M" },
              "com.example.coins.500":   { "unit": "coins", "units": 500, "rounding": "down" } } }
            """#
        )
        #expect(example.products.count == 3)
        #expect(
            example.entry(for: ProductID(rawValue: "com.example.pro.monthly"))
                == CatalogProduct(entitlement: "pro", level: 1)
        )
        #expect(
            example.entry(for: ProductID(rawValue: "com.example.coins.500"))
                == CatalogProduct(unit: "coins", units: 500)
        )
        let season = example.entry(for: ProductID(rawValue: "com.example.season"))
        #expect(season.duration?.description == "P3M")
        #expect(example.entry(for: ProductID(rawValue: "unlisted")) == CatalogProduct())
    }

    @Test(arguments: [
        ("", "The catalog is not a JSON object"), ("[]", "The catalog is not a JSON object"),
        ("{}", "The catalog is not a JSON object"), (#"{"products":[]}"#, "The catalog is not a JSON object"),
        (#"{"products":{},"version":1}"#, #"has a member "version" that it cannot have"#),
        (#"{"products":{"a":{"levl":1}}}"#, #"has a member "levl" in product "a" that it cannot have"#),
        (#"{"products":{"a":{"level":0}}}"#, #""level" of product "a" must be a whole number from 1."#),
        (#"{"products":{"a":{"level":"1"}}}"#, #""level" of product "a" must be a whole number"#),
        (#"{"products":{"a":{"level":1.5}}}"#, #""level" of product "a" must be a whole number"#),
        (#"{"products":{"a":{"units":0}}}"#, #""units" of product "a" must be"#),
        (#"{"products":{"a":{"units":1000000000001}}}"#, #""units" of product "a" must be"#),
        (#"{"products":{"a":{"unit":""}}}"#, #""unit" of product "a" must be a text that is not empty"#),
        (#"{"products":{"a":{"entitlement":7}}}"#, #""entitlement" of product "a" must be"#),
        (#"{"products":{"a":{"rounding":"floor"}}}"#, #""rounding" of product "a" must be "down", "up" or "nearest"."#),
        (#"{"products":{"a":{"duration":"3M"}}}"#, #""duration" of product "a" must be an ISO 8601 duration"#),
    ])
    func `a catalog that cannot be meant is refused in a sentence`(_ json: String, _ sentence: String) {
        do throws(CatalogError) {
            _ = try catalog(json)
            Issue.record("the catalog was accepted: \(json)")
        } catch {
            #expect(error.description.contains(sentence), "\(error)")
        }
    }

    // MARK: Durations

    @Test(arguments: [
        ("P3M", 3, 0), ("P1Y6M", 18, 0), ("P2W", 0, 14), ("P1Y2M3W4D", 14, 25), ("P10D", 0, 10), ("P0M1D", 0, 1),
    ])
    func `a duration is read`(_ text: String, _ months: Int64, _ days: Int64) {
        let duration = CalendarDuration(iso8601: text)
        #expect(duration?.months == months && duration?.days == days)
    }

    @Test(arguments: [
        "", "P", "3M", "P3", "PM", "P-1M", "P1.5M", "PT5M", "P1DT5M", "P1M1Y", "P1M1M", "P0D", "p3m", "P3M ", "P٣M",
        "P9223372036854775808D", "P1001Y", "P400000D", "P99999999999M",
    ])
    func `anything else is no duration`(_ text: String) { #expect(CalendarDuration(iso8601: text) == nil) }

    @Test(arguments: [
        ("2026-01-31T12:00:00.000Z", "P1M", "2026-02-28T12:00:00.000Z"),
        ("2024-01-31T12:00:00.000Z", "P1M", "2024-02-29T12:00:00.000Z"),
        ("2024-02-29T00:00:00.001Z", "P1Y", "2025-02-28T00:00:00.001Z"),
        ("2026-11-15T23:59:59.999Z", "P3M", "2027-02-15T23:59:59.999Z"),
        ("2026-12-31T00:00:00.000Z", "P2W", "2027-01-14T00:00:00.000Z"),
        ("1969-12-31T23:00:00.000Z", "P1D", "1970-01-01T23:00:00.000Z"),
        ("2026-01-30T00:00:00.000Z", "P1M1D", "2026-03-01T00:00:00.000Z"),
    ])
    func `a duration is added by the calendar, in UTC`(_ start: String, _ text: String, _ expected: String) throws {
        let start = try #require(Instant(rfc3339: start))
        let duration = try #require(CalendarDuration(iso8601: text))
        #expect(duration.added(to: start) == Instant(rfc3339: expected))
    }

    @Test func `a duration added near the end of time stops there`() throws {
        let longest = try #require(CalendarDuration(iso8601: "P1000Y"))
        #expect(longest.added(to: Instant(milliseconds: .max)) == Instant(milliseconds: .max))
        #expect(longest.added(to: Instant(milliseconds: .max - 1)) == Instant(milliseconds: .max))
        let shortest = try #require(CalendarDuration(iso8601: "P1D"))
        #expect(shortest.added(to: Instant(milliseconds: .min)) == Instant(milliseconds: .min + 86_400_000))
        #expect(shortest.added(to: Instant(milliseconds: .max)) == Instant(milliseconds: .max))
    }

    @Test func `a share past 64 bits is nil`() {
        #expect(UnitRounding.down.share(of: Int128(Int64.max) * 2, .whole) == nil)
        #expect(UnitRounding.down.share(of: .max, .whole) == nil)
        #expect(UnitRounding.up.share(of: Int128(Int64.max), .whole) == .max)
    }
}
