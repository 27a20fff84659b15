extension TransactionDocument {
    /// Writes the members of the API's transaction into an object that the caller has opened.
    ///
    /// The members are the App Store's decoded fields under its names, times in RFC 3339, amounts in milliunits, absent
    /// ones left out, unknown values as they came (API.md, "A transaction"). What the ledger knows about the
    /// transaction (`position`, `refunded`, …) is added by the caller.
    package func writeMembers(to writer: inout JSONWriter) {
        writeIdentity(to: &writer)
        writePurchase(to: &writer)
        writeRevocation(to: &writer)
        writeOffer(to: &writer)
        writer.memberIfPresent("deviceVerification", deviceVerification)
        writer.memberIfPresent("deviceVerificationNonce", deviceVerificationNonce)
    }

    private func writeIdentity(to writer: inout JSONWriter) {
        writer.memberIfPresent("transactionId", transactionID)
        writer.memberIfPresent("originalTransactionId", originalTransactionID)
        writer.memberIfPresent("previousOriginalTransactionId", previousOriginalTransactionID)
        writer.memberIfPresent("webOrderLineItemId", webOrderLineItemID)
        writer.memberIfPresent("appTransactionId", appTransactionID)
        writer.memberIfPresent("appAccountToken", appAccountToken)
        writer.memberIfPresent("bundleId", bundleID)
        writer.memberIfPresent("productId", productID)
        writer.memberIfPresent("subscriptionGroupIdentifier", subscriptionGroupID)
        writer.memberIfPresent("type", type)
        writer.memberIfPresent("environment", environment)
        writer.memberIfPresent("signedDate", signedDate)
    }

    private func writePurchase(to writer: inout JSONWriter) {
        writer.memberIfPresent("inAppOwnershipType", ownershipType)
        writer.memberIfPresent("transactionReason", transactionReason)
        writer.memberIfPresent("purchaseDate", purchaseDate)
        writer.memberIfPresent("originalPurchaseDate", originalPurchaseDate)
        writer.memberIfPresent("expiresDate", expiresDate)
        writer.memberIfPresent("isUpgraded", isUpgraded)
        writer.memberIfPresent("quantity", quantity)
        writer.memberIfPresent("price", price)
        writer.memberIfPresent("currency", currency)
        writer.memberIfPresent("storefront", storefront)
        writer.memberIfPresent("storefrontId", storefrontID)
        writer.memberIfPresent("billingPlanType", billingPlanType)
        writer.memberIfPresent("commitmentInfo", commitmentInfo) { $0.writeMembers(to: &$1) }
        writer.memberIfPresent("advancedCommerceInfo", advancedCommerceInfo) { $0.writeMembers(to: &$1) }
    }

    private func writeRevocation(to writer: inout JSONWriter) {
        writer.memberIfPresent("revocationDate", revocationDate)
        writer.memberIfPresent("revocationReason", revocationReason)
        writer.memberIfPresent("revocationType", revocationType)
        writer.memberIfPresent("revocationPercentage", revocationPercentage)
    }

    private func writeOffer(to writer: inout JSONWriter) {
        writer.memberIfPresent("offerType", offerType)
        writer.memberIfPresent("offerIdentifier", offerIdentifier)
        writer.memberIfPresent("offerDiscountType", offerDiscountType)
        writer.memberIfPresent("offerPeriod", offerPeriod)
    }
}

extension TransactionCommitmentInfo {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("billingPeriodNumber", billingPeriodNumber)
        writer.memberIfPresent("totalBillingPeriods", totalBillingPeriods)
        writer.memberIfPresent("commitmentExpiresDate", commitmentExpiresDate)
        writer.memberIfPresent("commitmentPrice", commitmentPrice)
    }
}
