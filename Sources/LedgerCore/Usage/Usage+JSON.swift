extension Usage {
    /// The report as the log keeps it: its members in the order of their names, `usedAt` in milliseconds since 1970.
    ///
    /// Equal reports have equal bytes, however their requests were written.
    package var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 192)
        json.beginObject()
        json.member("amount", amount)
        json.member(holder.name, holder.value)
        json.member("idempotencyKey", idempotencyKey)
        json.memberIfPresent("unit", unit)
        json.memberIfPresent("usedAt", usedAt?.milliseconds)
        json.endObject()
        return json.bytes
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: [UInt8]) {
        guard case .object(let object) = try? JSONReader.value(of: json),
            case .integer(let amount)? = object["amount"],
            let key = object.usageText("idempotencyKey").map(IdempotencyKey.init(rawValue:)),
            let holder = CustomerKey.names.lazy.compactMap({ name in
                object.usageText("\(name)").flatMap { CustomerKey(name: "\(name)", value: $0) }
            }).first
        else { return nil }
        var usedAt: Instant?
        if case .integer(let milliseconds)? = object["usedAt"] { usedAt = Instant(milliseconds: milliseconds) }
        do throws(UsageReportError) {
            try self.init(
                holder: holder,
                unit: object.usageText("unit"),
                amount: amount,
                idempotencyKey: key,
                usedAt: usedAt
            )
        } catch { return nil }
    }
}

extension JSONObject {
    fileprivate func usageText(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
