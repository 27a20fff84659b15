import HTTPServer
import LedgerCore
import Projections

/// How late the ledger learnt of revocations, and how long access outlived them: those that this daemon folded first.
///
/// A revocation counts once, when it is first believed; one that is told again in other words does not. Rebuilt tables
/// count nothing.
final class RevocationMetrics: Sendable {
    /// The upper bounds of the buckets: a second to a quarter of a year.
    static let bounds: [Duration] = [
        .seconds(1), .seconds(10), .seconds(60), .seconds(300), .seconds(900), .seconds(3600), .seconds(6 * 3600),
        .seconds(86_400), .seconds(3 * 86_400), .seconds(7 * 86_400), .seconds(30 * 86_400), .seconds(90 * 86_400),
    ]

    private let catalogs: CatalogShelf
    private let lags = RevocationMetrics.histograms()
    private let leakages = RevocationMetrics.histograms()

    /// Counts nothing yet; the catalogs tell when access ends by itself.
    init(catalogs: CatalogShelf) { self.catalogs = catalogs }

    /// One for each source.
    private static func histograms() -> [EventSource: LatencyHistogram] {
        Dictionary(
            uniqueKeysWithValues: EventSource.allCases.map {
                ($0, LatencyHistogram(bounds: bounds, resolution: .seconds))
            }
        )
    }

    /// Counts revocations that are believed for the first time, each by the catalog in force when it happened, of those
    /// known when it was recorded (decision 9).
    ///
    /// These catalogs must be on the shelf.
    func note(_ entries: [RegisterEntry]) {
        for entry in entries {
            let catalog = catalogs.catalog(at: entry.happenedAt, upTo: entry.discovery.position)
            let detection = RevocationDetection(entry, catalog: catalog)
            lags[detection.detectedBy]?.observe(.seconds(detection.lagSeconds))
            if let leakage = detection.leakageSeconds { leakages[detection.detectedBy]?.observe(.seconds(leakage)) }
        }
    }

    /// Writes both distributions, by who told the ledger first.
    func write(to text: inout MetricsText) {
        text.histograms(
            "ledgerd_revocation_detection_lag_seconds",
            "From a refund or another revocation until the ledger recorded it, by who told it first.",
            Self.labelled(lags)
        )
        text.histograms(
            "ledgerd_revocation_leakage_seconds",
            "For how long access outlived the revocation that ended it, by who told the ledger first.",
            Self.labelled(leakages)
        )
    }

    private static func labelled(
        _ histograms: [EventSource: LatencyHistogram]
    ) -> [([MetricsText.Label], LatencyHistogram.Snapshot)] {
        EventSource.allCases.compactMap { source in
            histograms[source].map { ([("source", "\(source.name)")], $0.snapshot) }
        }
    }
}
