extension LedgerEvent {
    /// What the event says, as one line for people (API.md, "Asking", the timeline).
    ///
    /// Words explain; what a customer may use follows from the facts (DESIGN invariant 7).
    package var summary: String {
        switch kind {
        case .notification: notificationSummary
        case .conflict: "A notification that reuses the identity of another one with other content; kept and flagged."
        case .transaction: (try? TransactionDocument(payload: payload))?.summary ?? "A transaction that cannot be read."
        case .renewalInfo:
            (try? RenewalInfoDocument(payload: payload))?.summary ?? "A renewal info that cannot be read."
        case .appTransaction: "The app was downloaded by this customer."
        case .catalog: "A new version of the catalog."
        case .usage: Usage(json: payload)?.summary ?? "A report of used units that cannot be read."
        case .accountToken: "The account token was set."
        case .consent: "The customer's consent was recorded."
        case .consumptionAnswer: "A consumption request was answered."
        }
    }

    private var notificationSummary: String {
        guard let notificationType else { return "A notification without a type." }
        let name = [notificationType, subtype].compactMap { $0 }.joined(separator: " ")
        guard let known = NotificationType(rawValue: notificationType) else { return "The App Store says \(name)." }
        return "\(known.words(subtype.flatMap(NotificationSubtype.init))) (\(name))."
    }
}

extension NotificationType {
    /// What the App Store tells with this type, without a full stop.
    fileprivate func words(_ subtype: NotificationSubtype?) -> String {
        switch self {
        case .subscribed: subtype == .resubscribe ? "The customer subscribed again" : "The customer subscribed"
        case .didRenew:
            subtype == .billingRecovery
                ? "The subscription was renewed after a failed charge" : "The subscription was renewed"
        case .didChangeRenewalPreference:
            switch subtype {
            case .upgrade: "The customer changed to another plan at once"
            case .downgrade: "The customer will change to another plan at the next renewal"
            default: "The customer keeps the present plan"
            }
        case .didChangeRenewalStatus:
            subtype == .autoRenewEnabled ? "Renewal was switched on" : "Renewal was switched off"
        case .offerRedeemed: "The customer redeemed an offer"
        case .didFailToRenew:
            subtype == .gracePeriod ? "The charge failed, and a grace period runs" : "The charge failed"
        case .gracePeriodExpired: "The grace period ended without a charge"
        case .expired: "The subscription expired"
        case .priceIncrease:
            subtype == .accepted ? "The customer accepted a higher price" : "The customer was told of a higher price"
        case .refund: "A purchase was refunded"
        case .refundReversed: "A refund was taken back"
        case .refundDeclined: "The App Store declined a refund"
        case .consumptionRequest: "The customer asked for a refund, and the App Store asks what was used"
        case .revoke: "A shared purchase was withdrawn"
        case .renewalExtended: "The end of the period was moved"
        case .renewalExtension: "The ends of many periods are being moved"
        case .oneTimeCharge: "The customer bought something"
        case .externalPurchaseToken: "A token for purchases outside the App Store"
        case .rescindConsent: "A parent or guardian withdrew consent"
        case .priceChange: "The price of the plan changes"
        case .metadataUpdate: "Details of the purchase changed"
        case .migration, .migrate: "The purchase was moved to another scheme"
        case .test: "A test"
        }
    }
}

extension TransactionDocument {
    fileprivate var summary: String {
        let product = productID?.rawValue ?? "a product"
        if let revocationDate {
            let type = revocationType.map { " (\($0.rawValue))" } ?? ""
            return "\(opening) of \(product), taken back at \(revocationDate)\(type)."
        }
        if isUpgraded == true { return "\(opening) of \(product), replaced by an upgrade." }
        let pieces = quantity.flatMap { $0 > 1 ? ", \($0) pieces" : nil } ?? ""
        let end = expiresDate.map { ", until \($0)" } ?? ""
        return "\(opening) of \(product)\(pieces)\(end)\(amount)."
    }

    private var opening: String {
        switch (ownershipType?.known, transactionReason?.known) {
        case (.familyShared, _): "Family copy"
        case (.assigned, _): "Assigned seat"
        case (_, .renewal): "Renewal"
        case (_, _): "Purchase"
        }
    }

    private var amount: String {
        guard let price, let currency else { return "" }
        return ", \(price.inUnits) \(currency)"
    }
}

extension Usage {
    fileprivate var summary: String {
        let units = [String(amount), unit ?? "units"].joined(separator: " ")
        guard case .transactionID(let id) = holder else { return "\(units) were used." }
        return "\(units) of transaction \(id) were used."
    }
}

extension Milliunits {
    /// The amount in units of its currency: `9.99`, `300.00`; three digits only where the last one is not 0.
    fileprivate var inUnits: String {
        let (units, rest) = rawValue.magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = "\(1000 + rest)".dropFirst()
        return "\(rawValue < 0 ? "-" : "")\(units).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
    }
}

extension RenewalInfoDocument {
    fileprivate var summary: String {
        let product = (autoRenewProductID ?? productID)?.rawValue ?? "the product"
        if isInBillingRetryPeriod == true {
            let grace = gracePeriodExpiresDate.map { ", with a grace period until \($0)" } ?? ""
            return "The charge failed and the App Store tries again\(grace)."
        }
        switch autoRenewStatus?.known {
        case .on: return "It will renew as \(product)\(renewalDate.map { " on \($0)" } ?? "")."
        case .off: return "It will not renew."
        case nil: return "What is known of the next renewal of \(product)."
        }
    }
}
