import Testing

/// That the tests' reader of OpenMetrics finds mistakes.
struct MetricsReadingTests {
    private static let counter = "# TYPE a counter\n# HELP a Help.\n"
    private static let histogram = "# TYPE a histogram\n# HELP a Help.\na_bucket{le=\"0.1\"} 1\n"

    @Test func `a text with all types is read`() throws {
        let text =
            Self.counter + "a_total{code=\"x\"} 3\n# TYPE b_bytes gauge\n# UNIT b_bytes bytes\n# HELP b_bytes Help.\n"
            + "b_bytes 0.5\n# TYPE c histogram\n# HELP c Help.\nc_bucket{le=\"0.1\"} 1\nc_bucket{le=\"+Inf\"} 2\n"
            + "c_count 2\nc_sum 1.5\n# EOF\n"
        let reading = try MetricsReading(text)
        #expect(reading["c_sum"] == 1.5)
        #expect(reading["a_total{code=\"x\"}"] == 3)
        #expect(reading.families["b_bytes"] == .init(type: "gauge", unit: "bytes", help: "Help."))
    }

    @Test(arguments: [
        ("", "The end is missing."),
        (counter + "a_total 1\n", "The end is missing."),
        ("a_total 1\n# EOF\n", "A sample's name does not fit its type."),
        (counter + "a 1\n# EOF\n", "A sample's name does not fit its type."),
        (counter + "b_total 1\n# EOF\n", "A sample outside its family."),
        (counter + "a_total 1\na_total 2\n# EOF\n", "A sample comes twice."),
        (counter + "a_total one\n# EOF\n", "No sample."),
        (counter + "a_total{x=1} 1\n# EOF\n", "No label."),
        (counter + counter + "# EOF\n", "A family comes twice."),
        (counter + "# UNIT a bytes\n# EOF\n", "The unit is not in the name."),
        (counter + "# HELP b Help.\n# EOF\n", "Metadata outside its family."),
        ("# TYPE a_total counter\n# EOF\n", "_total is a sample's."),
        ("# TYPE a gauge\na 1\n# EOF\n", "A family has no HELP."),
        (histogram + "a_bucket{le=\"0.1\"} 1\n# EOF\n", "A sample comes twice."),
        (histogram + "a_bucket{le=\"0.2\"} 0\n# EOF\n", "Buckets do not grow."),
        (histogram + "a_count 1\n# EOF\n", "The count is not that of the last bucket."),
    ])
    func `a mistake is named`(_ text: String, _ sentence: String) {
        let failure = #expect(throws: MetricsReading.Failure.self) { try MetricsReading(text) }
        #expect(failure?.sentence == sentence)
    }
}
