import TestSupport
import Testing

@testable import LedgerCore

/// Renderings of one transaction, short to write: each is decoded from the payload that the App Store would sign.
enum RegisterSample {
    /// A consumable bought on day 0, signed on a day.
    static func payload(signed day: Double, _ changes: [String: Payload.Value?] = [:]) -> Payload {
        let payload = Payload.transaction(
            "1",
            [
                "type": "Consumable", "productId": "com.example.coins", "expiresDate": nil, "quantity": 1,
                "purchaseDate": .integer(Instant.day(0).milliseconds),
                "signedDate": .integer(Instant.day(day).milliseconds), "storefront": "USA",
            ]
        )
        return payload.with(changes)
    }

    /// The members of a revocation on a day.
    static func revoked(
        _ day: Double,
        _ type: String? = "REFUND_FULL",
        percentage: Int64? = nil,
        reason: Int64? = 0
    ) -> [String: Payload.Value?] {
        [
            "revocationDate": .integer(Instant.day(day).milliseconds), "revocationType": type.map { .text($0) },
            "revocationPercentage": percentage.map { .integer($0) }, "revocationReason": reason.map { .integer($0) },
        ]
    }

    /// A rendering recorded at a position, on the day after its signing.
    static func rendering(
        at position: Int64,
        signed day: Double,
        _ changes: [String: Payload.Value?] = [:],
        source: EventSource = .notification
    ) throws -> RegisterRendering {
        try rendering(payload(signed: day, changes), at: position, recordedAt: .day(day + 1), source: source)
    }

    /// A payload as the log would hold it.
    static func rendering(
        _ payload: Payload,
        at position: Int64,
        recordedAt: Instant,
        source: EventSource = .notification
    ) throws -> RegisterRendering {
        var event = event(.transaction, payload, at: position)
        event.recordedAt = recordedAt
        event.source = source
        return try #require(RegisterRendering(event))
    }
}

extension RegisterEntry {
    /// Kind and amount in milliunits, as a scenario tells them: `refund 3980`, `reversal -3980`, `refund ?`.
    var told: String {
        isAboutMoney
            ? "\(kind.rawValue) \(amount.map { String($0.amount.rawValue) } ?? "?")"
            : "\(kind.rawValue) \(revocationClass?.rawValue ?? "?")"
    }

    /// The entry without how the ledger came to know of it, which is all that the order of arrival may change.
    var withoutDiscovery: RegisterEntry {
        var entry = self
        entry.discovery = Discovery(position: .start, recordedAt: .day(0), source: .operator)
        entry.reverses = nil
        return entry
    }
}

extension Sequence<RegisterEntry> {
    /// The known amounts added up, by currency; what adds up to nothing is left out.
    var sums: [CurrencyCode: Int128] {
        var sums: [CurrencyCode: Int128] = [:]
        for amount in compactMap(\.amount) { sums[amount.currency, default: 0] += Int128(amount.amount.rawValue) }
        return sums.filter { $0.value != 0 }
    }
}
