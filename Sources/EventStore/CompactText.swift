import LedgerCore

/// The text of a compact JWS, from the parts that the log keeps.
enum CompactText {
    /// `header.payload.signature`; the header segment is encoded already.
    static func join(header: some Collection<UInt8>, payload: [UInt8], signature: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(header.count + 2 + (payload.count + signature.count) * 4 / 3 + 8)
        text += header
        text.append(UInt8(ascii: "."))
        text += Base64.encode(payload, .url)
        text.append(UInt8(ascii: "."))
        text += Base64.encode(signature, .url)
        return text
    }

    /// A stored payload with the texts of its inner documents put back.
    static func splice(_ payload: [UInt8], _ inner: [(offset: Int, text: [UInt8])]) -> [UInt8] {
        var whole: [UInt8] = []
        whole.reserveCapacity(payload.count + inner.reduce(0) { $0 + $1.text.count })
        var copied = 0
        for (offset, text) in inner {
            whole += payload[copied..<offset]
            whole += text
            copied = offset
        }
        whole += payload[copied...]
        return whole
    }
}
