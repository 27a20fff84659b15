import TestSupport
import Testing

@testable import HTTPServer

/// How long answers took.
@Suite(.timeLimit(.minutes(10))) struct LatencyHistogramTests {
    @Test func `a bound belongs to its bucket, and what is longer than all to the last`() {
        for (index, bound) in LatencyHistogram.bounds.enumerated() {
            let histogram = LatencyHistogram()
            histogram.observe(bound)
            histogram.observe(bound + .nanoseconds(1))
            #expect(histogram.snapshot.counts[index] == 1, "\(bound)")
            #expect(histogram.snapshot.counts[index + 1] == 1, "\(bound)")
            #expect(histogram.snapshot.sum == bound + bound + .nanoseconds(1))
        }
    }

    @Test func `a clock that steps back counts as no time`() {
        let histogram = LatencyHistogram()
        histogram.observe(.seconds(-3))
        #expect(histogram.snapshot.counts.first == 1)
        #expect(histogram.snapshot.sum == .zero)
    }

    @Test func `other bounds count whole seconds, and what no clock can mean does not overflow the sum`() {
        let histogram = LatencyHistogram(bounds: [.seconds(1), .seconds(60)], resolution: .seconds)
        for duration in [
            .zero, .seconds(1), .milliseconds(1900), .seconds(60), .seconds(Int64.max), .seconds(Int64.max),
        ]
            as [Duration]
        {
            histogram.observe(duration)
        }
        #expect(histogram.snapshot.counts == [3, 1, 2])
        #expect(histogram.snapshot.bounds == [.seconds(1), .seconds(60)])
        #expect(histogram.snapshot.sum == .seconds(62 + 2 * 3_155_760_000))
    }

    @Test func `each answer is counted once, in the histogram that its handler named, and others are not`() throws {
        let histogram = LatencyHistogram()
        let handler = { (request: Request, responder: Responder) in
            if request.path == "/measured" { responder.measure(in: histogram) }
            responder.respond(Response(status: 200))
            responder.respond(Response(status: 200))
        }
        try withServer(handler: handler) { server in
            let client = try TestClient(port: server.port)
            for target in ["/measured", "/other", "/measured", "/other"] {
                #expect(try client.exchange("GET", target).status == 200)
            }
            #expect(histogram.snapshot.count == 2)
        }
    }

    @Test func `responses are counted under their names`() throws {
        let handler = { (request: Request, responder: Responder) in
            var response = Response(status: 404)
            if request.path == "/named" { response.countedAs = "name" }
            responder.respond(response)
        }
        try withServer(handler: handler) { server in
            let client = try TestClient(port: server.port)
            for target in ["/named", "/other", "/named"] { #expect(try client.exchange("GET", target).status == 404) }
            #expect(server.metrics.snapshot.namedResponses == ["name": 2])
        }
    }
}
