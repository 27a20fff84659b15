extension AppliedRule {
    /// The rule's name in answers: stable, for programs.
    package var name: StaticString {
        switch self {
        case .newestPurchase: "newestPurchase"
        case .noPurchaseInForce: "noPurchaseInForce"
        case .notBegun: "notBegun"
        case .extended: "extended"
        case .withoutEnd: "withoutEnd"
        case .withinPeriod: "withinPeriod"
        case .withinGrace: "withinGrace"
        case .billingRetry: "billingRetry"
        case .revoked: "revoked"
        case .expired: "expired"
        case .appleStatus: "appleStatus"
        case .boughtForGood: "boughtForGood"
        case .nonRenewing: "nonRenewing"
        case .unitsGranted: "unitsGranted"
        case .unitsTakenBack: "unitsTakenBack"
        case .unitsUsed: "unitsUsed"
        case .unitsOwed: "unitsOwed"
        case .named: "named"
        }
    }

    /// What the rule found, as a sentence for people.
    package var sentence: String {
        switch self {
        case .newestPurchase(let id, let bought):
            "Transaction \(id), bought \(bought), is the newest purchase that is neither taken back nor replaced by an upgrade."
        case .noPurchaseInForce: "Every purchase so far was taken back or replaced by an upgrade."
        case .notBegun: "The first purchase begins later."
        case .extended(let old, let new): "The App Store moved the end of the period from \(old) to \(new)."
        case .withoutEnd: "The subscription has no end date, which the App Store does not send: no access."
        case .withinPeriod(let end): "The paid period runs until \(end): access."
        case .withinGrace(let end, isAssumed: false):
            "The charge failed, and the grace period runs until \(end): access."
        case .withinGrace(let end, isAssumed: true):
            "Apple says that a grace period runs, without its end; the shortest one ends \(end): access."
        case .billingRetry: "The charge failed and the App Store tries again, without a grace period: no access."
        case .revoked(let id, let since?):
            "Transaction \(id) would cover this time, but it was taken back at \(since): no access."
        case .revoked(let id, nil): "Transaction \(id) would cover this time, but it was taken back: no access."
        case .expired(let end?): "The period ended \(end), and nothing came after it: no access."
        case .expired(nil): "Nothing covers this time: no access."
        case .appleStatus(let status, agrees: true): "Apple's last signed status, \(status), says the same."
        case .appleStatus(let status, agrees: false):
            "Apple's last signed status, \(status), says something else; transactions and renewal infos decide."
        case .boughtForGood(let id): "Transaction \(id) was bought for good and not taken back: access."
        case .nonRenewing(let id, let end?, isOver: false):
            "Transaction \(id) lasts until \(end) by the catalog's duration: access."
        case .nonRenewing(let id, let end?, isOver: true):
            "Transaction \(id) lasted until \(end) by the catalog's duration: no access."
        case .nonRenewing(let id, nil, _):
            "The catalog gives transaction \(id) no duration, so it does not end: access."
        case .unitsGranted(let id, let units, let unit): "Transaction \(id) adds \(units) \(unit)."
        case .unitsTakenBack(let id, let units, let unit):
            "The refund of transaction \(id) takes \(units) \(unit) back."
        case .unitsUsed(let id, let units, let unit):
            "Services reported units as used; \(units) \(unit) of them fall on transaction \(id)."
        case .unitsOwed(let id, let units, let unit):
            "Of what is taken back of transaction \(id), \(units) \(unit) were used: they are owed."
        case .named(let name, let level?): "The catalog calls it \(name), level \(level)."
        case .named(let name, nil): "It grants \(name)."
        }
    }
}

extension FactSetAside.Reason {
    /// The reason's name in answers: stable, for programs.
    package var name: StaticString {
        switch self {
        case .notLive(.upgraded): "upgraded"
        case .notLive(.revoked): "revoked"
        case .notLive(.notBegun): "notBegun"
        case .olderThan: "olderPurchase"
        case .signedBeforePurchase: "signedBeforePurchase"
        case .nothingToRenew: "nothingToRenew"
        case .disagrees: "disagrees"
        case .typeUnknown: "typeUnknown"
        case .productMissing: "productMissing"
        }
    }

    /// Why the fact did not decide, as a sentence for people.
    package var sentence: String {
        switch self {
        case .notLive(.upgraded): "An upgrade replaced it."
        case .notLive(.revoked(let since, let type?)): "It was taken back at \(since) (\(type.rawValue))."
        case .notLive(.revoked(let since, nil)): "It was taken back at \(since)."
        case .notLive(.notBegun(let begin)): "It begins later, at \(begin)."
        case .olderThan(let id): "Transaction \(id) is newer and counts instead."
        case .signedBeforePurchase(let id):
            "It was signed before transaction \(id) was bought, so it speaks of an earlier period."
        case .nothingToRenew: "No purchase is in force that it could be about."
        case .disagrees: "Transactions and renewal infos decide, not the status of a notification."
        case .typeUnknown: "This version does not know its type of product, so it grants nothing."
        case .productMissing: "It names no product."
        }
    }
}
