extension AdvancedCommerceTransactionInfo {
    /// Writes the members into an object that the caller has opened, as ``TransactionDocument/writeMembers(to:)`` does.
    func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("requestReferenceId", requestReferenceID)
        writer.memberIfPresent("period", period)
        writer.memberIfPresent("taxCode", taxCode)
        writer.memberIfPresent("taxRate", taxRate)
        writer.memberIfPresent("estimatedTax", estimatedTax)
        writer.memberIfPresent("taxExclusivePrice", taxExclusivePrice)
        writer.memberIfPresent("descriptors", descriptors) { $0.writeMembers(to: &$1) }
        writer.memberIfPresent("items", items, each: { $0.writeMembers(to: &$1) })
    }
}

extension AdvancedCommerceDescriptors {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("displayName", displayName)
        writer.memberIfPresent("description", itemDescription)
    }
}

extension AdvancedCommerceTransactionItem {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("SKU", sku)
        writer.memberIfPresent("displayName", displayName)
        writer.memberIfPresent("description", itemDescription)
        writer.memberIfPresent("price", price)
        writer.memberIfPresent("revocationDate", revocationDate)
        writer.memberIfPresent("offer", offer) { $0.writeMembers(to: &$1) }
        writer.memberIfPresent("refunds", refunds, each: { $0.writeMembers(to: &$1) })
    }
}

extension AdvancedCommerceOffer {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("period", period)
        writer.memberIfPresent("periodCount", periodCount)
        writer.memberIfPresent("price", price)
        writer.memberIfPresent("reason", reason)
    }
}

extension AdvancedCommerceRefund {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.memberIfPresent("refundAmount", refundAmount)
        writer.memberIfPresent("refundDate", refundDate)
        writer.memberIfPresent("refundReason", refundReason)
        writer.memberIfPresent("refundType", refundType)
    }
}
