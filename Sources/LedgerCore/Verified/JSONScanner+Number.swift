extension JSONScanner {
    /// A number of the text: the digits that stand there, and their exact integer value if they have one.
    package struct Number: Hashable, Sendable {
        package let range: Range<Int>
        /// The value cut off towards zero; nil outside `Int64`.
        package let integer: Int64?
        /// Whether cutting off lost something.
        package let hasFraction: Bool
    }

    /// Consumes a number.
    package mutating func readNumber() throws(JSONSyntaxError) -> Number {
        guard let first = peek() else { throw JSONSyntaxError(.endsEarly, at: offset) }
        guard first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
            throw JSONSyntaxError(.unexpectedByte, at: offset)
        }
        let start = offset
        let isNegative = advance(over: UInt8(ascii: "-"))
        let whole = try readDigits()
        if whole.count > 1, bytes[whole.lowerBound] == UInt8(ascii: "0") {
            throw JSONSyntaxError(.badNumber, at: start)
        }
        let fraction = advance(over: UInt8(ascii: ".")) ? try readDigits() : offset..<offset
        let exponent = try readExponent()
        let value = value(whole: whole, fraction: fraction, exponent: exponent, isNegative: isNegative)
        return Number(range: start..<offset, integer: value.integer, hasFraction: value.hasFraction)
    }

    private mutating func readExponent() throws(JSONSyntaxError) -> Int {
        guard advance(over: UInt8(ascii: "e")) || advance(over: UInt8(ascii: "E")) else { return 0 }
        let isNegative = advance(over: UInt8(ascii: "-"))
        if !isNegative { _ = advance(over: UInt8(ascii: "+")) }
        var value = 0
        for byte in bytes[try readDigits()] {  // past a million nothing changes any more
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
        }
        return isNegative ? -value : value
    }

    /// The digits of `whole` and `fraction` as one row, with the decimal point moved by the exponent.
    private func value(
        whole: Range<Int>,
        fraction: Range<Int>,
        exponent: Int,
        isNegative: Bool
    ) -> (integer: Int64?, hasFraction: Bool) {
        let digitCount = whole.count + fraction.count
        func digit(_ index: Int) -> Int64 {
            let place = index < whole.count ? whole.lowerBound + index : fraction.lowerBound + index - whole.count
            return Int64(bytes[place] - UInt8(ascii: "0"))
        }
        let point = whole.count + exponent
        let hasFraction = point < digitCount && (max(point, 0)..<digitCount).contains { digit($0) != 0 }
        guard point > 0 else { return (0, hasFraction) }
        var value: Int64 = 0
        for index in 0..<min(point, digitCount) {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tenfold.addingReportingOverflow(isNegative ? -digit(index) : digit(index))
            if overflow || carried { return (nil, hasFraction) }
            value = sum
        }
        guard value != 0, point > digitCount else { return (value, hasFraction) }
        for _ in digitCount..<point {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return (nil, hasFraction) }
            value = tenfold
        }
        return (value, hasFraction)
    }

    /// Consumes one or more decimal digits.
    private mutating func readDigits() throws(JSONSyntaxError) -> Range<Int> {
        let start = offset
        while offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] { offset += 1 }
        guard offset > start else { throw JSONSyntaxError(.badNumber, at: start) }
        return start..<offset
    }

    /// Consumes the byte if it stands right here; white space inside a number is not skipped.
    private mutating func advance(over byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }
}
