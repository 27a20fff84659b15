import LedgerCore
import TestSupport

/// A ``RandomHistory`` as the registers read it.
struct RandomRenderings {
    /// In the order of arrival: positions 1, 3, 5, …, because other events come between.
    let arrivals: [RegisterRendering]

    init(seed: UInt64) throws {
        arrivals = try RandomHistory(seed: seed).arrivals.enumerated().map { index, arrival in
            try RegisterSample.rendering(
                arrival.payload,
                at: Int64(2 * index + 1),
                recordedAt: .day(Double(100 + index)),
                source: arrival.source
            )
        }
    }
}
