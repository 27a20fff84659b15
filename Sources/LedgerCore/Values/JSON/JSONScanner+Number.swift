extension JSONScanner {
    /// A number of the text: the digits that stand there, and their exact integer value if they have one.
    package struct Number: Hashable, Sendable {
        /// Its bytes as they were written.
        package let range: Range<Int>
        /// The value cut off towards zero; nil outside `Int64`.
        package let integer: Int64?
        /// Whether cutting off lost something.
        package let hasFraction: Bool
        /// Whether it was written without fraction and exponent.
        package let isWrittenWhole: Bool
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
        guard offset < bytes.count, ".eE".utf8.contains(bytes[offset]) else {
            let integer = integer(whole, isNegative: isNegative)
            return Number(range: start..<offset, integer: integer, hasFraction: false, isWrittenWhole: true)
        }
        let fraction = advance(over: UInt8(ascii: ".")) ? try readDigits() : offset..<offset
        let exponent = try readExponent()
        let value = value(whole: whole, fraction: fraction, exponent: exponent, isNegative: isNegative)
        return Number(
            range: start..<offset,
            integer: value.integer,
            hasFraction: value.hasFraction,
            isWrittenWhole: false
        )
    }

    /// The value of a row of digits, which is what nearly every number is.
    private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for place in digits {
            guard let next = value.appending(digit: bytes[place] - UInt8(ascii: "0"), isNegative: isNegative) else {
                return nil
            }
            value = next
        }
        return value
    }

    private mutating func readExponent() throws(JSONSyntaxError) -> Int {
        guard advance(over: UInt8(ascii: "e")) || advance(over: UInt8(ascii: "E")) else { return 0 }
        let isNegative = advance(over: UInt8(ascii: "-"))
        if !isNegative { _ = advance(over: UInt8(ascii: "+")) }
        let valueMax = bytes.count + 20  // moves the decimal point past all digits, and out of 64 bits
        var value = 0
        for byte in bytes[try readDigits()] {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), valueMax)
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
        func digit(_ index: Int) -> UInt8 {
            let place = index < whole.count ? whole.lowerBound + index : fraction.lowerBound + index - whole.count
            return bytes[place] - UInt8(ascii: "0")
        }
        let point = whole.count + exponent
        let hasFraction = point < digitCount && (max(point, 0)..<digitCount).contains { digit($0) != 0 }
        var value: Int64 = 0
        for index in 0..<max(point, 0) {
            let digit = index < digitCount ? digit(index) : 0
            guard let next = value.appending(digit: digit, isNegative: isNegative) else { return (nil, hasFraction) }
            if next == 0, index >= digitCount { break }  // 0e999999
            value = next
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

extension Int64 {
    /// This number with one more decimal digit, or nil past 64 bits.
    fileprivate func appending(digit: UInt8, isNegative: Bool) -> Int64? {
        let (tenfold, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carried) =
            isNegative
            ? tenfold.subtractingReportingOverflow(Int64(digit)) : tenfold.addingReportingOverflow(Int64(digit))
        return overflow || carried ? nil : sum
    }
}
