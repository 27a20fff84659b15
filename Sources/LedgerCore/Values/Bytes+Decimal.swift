extension [UInt8] {
    /// Appends an integer in decimal.
    package mutating func appendDecimal(_ value: Int64) {
        append(addingCapacity: Int64.decimalBytesMax) { $0.appendDecimal(value) }
    }
}

extension Int64 {
    /// The most bytes of an integer in decimal, its sign included.
    static let decimalBytesMax = 20
}

extension OutputSpan<UInt8> {
    /// Appends an integer in decimal; there is room for ``Swift/Int64/decimalBytesMax`` bytes.
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var divisor: UInt64 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a number from 0 to 99 as two digits.
    mutating func appendTwoDigits(_ value: Int64) {
        let value = UInt8(truncatingIfNeeded: value)
        append(UInt8(ascii: "0") + value / 10)
        append(UInt8(ascii: "0") + value % 10)
    }
}
