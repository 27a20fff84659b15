import Foundation
import LedgerCore
import Testing

@Suite struct MoneyTests {
    private static let usd = CurrencyCode(rawValue: "USD")

    /// PROTOCOL.md appendix B, and the halves, which go away from zero.
    @Test(
        arguments: [
            (10_990, 50_000, 5495), (2_990_000, 67_932, 2_031_167), (8970, 33_333, 2990), (8970, 66_667, 5980),
            (0, 100_000, 0), (1990, 0, 0), (1990, 100_000, 1990), (1, 50_000, 1), (-1, 50_000, -1), (1, 49_999, 0),
            (-1, 49_999, 0), (3, 50_000, 2), (-3, 50_000, -2), (1, -50_000, -1), (.max, 100_000, .max),
            (.min, 100_000, .min),
        ] as [(Int64, Int64, Int64)]
    )
    func `a share is rounded to the milliunit, half away from zero`(price: Int64, percentage: Int64, share: Int64) {
        let money = Money(amount: Milliunits(price), currency: Self.usd)
        #expect(money.share(Percentage(percentage)) == Money(amount: Milliunits(share), currency: Self.usd))
    }

    @Test(
        arguments: [(.max, 100_001), (.min, 100_001), (.min, -100_000), (.max, .max), (.min, .min)] as [(Int64, Int64)]
    )
    func `a share past 64 bits is nil`(price: Int64, percentage: Int64) {
        #expect(Money(amount: Milliunits(price), currency: Self.usd).share(Percentage(percentage)) == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a share equals the one that is calculated digit by digit`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let price = random.integer()
            let percentage =
                Bool.random(using: &random) ? Int64.random(in: 0...100_000, using: &random) : random.integer()
            let share = Money(amount: Milliunits(price), currency: Self.usd).share(Percentage(percentage))
            let expected = Self.roundedShare(price, percentage)
            #expect(share?.amount.rawValue == expected, "seed \(seed): \(price) × \(percentage)")
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `refunded and retained add up to the price`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let price = Int64.random(in: 0...1_000_000_000_000, using: &random)
            let percentage = Int64.random(in: 0...100_000, using: &random)
            let refunded = try #require(
                Money(amount: Milliunits(price), currency: Self.usd).share(Percentage(percentage))
            )
            #expect((0...price).contains(refunded.amount.rawValue), "seed \(seed): \(price) × \(percentage)")
        }
    }

    @Test func `amounts of one currency are added`() throws {
        let sum = try Money(amount: Milliunits(1990), currency: Self.usd)
            .adding(Money(amount: Milliunits(-990), currency: Self.usd))
        #expect(sum == Money(amount: Milliunits(1000), currency: Self.usd))
    }

    @Test func `amounts of two currencies are not added`() {
        let yen = CurrencyCode(rawValue: "JPY")
        let error = #expect(throws: MoneyError.currenciesDiffer(Self.usd, yen)) {
            try Money(amount: Milliunits(1), currency: Self.usd).adding(Money(amount: Milliunits(1), currency: yen))
        }
        #expect(error?.description == "Amounts in USD and JPY cannot be added: keep one sum per currency.")
    }

    @Test(arguments: [(.max, 1), (.min, -1)] as [(Int64, Int64)])
    func `a sum past 64 bits is an error`(one: Int64, other: Int64) {
        #expect(throws: MoneyError.overflow(Self.usd)) {
            try Money(amount: Milliunits(one), currency: Self.usd)
                .adding(Money(amount: Milliunits(other), currency: Self.usd))
        }
    }

    @Test(arguments: [(0, true), (100_000, true), (-1, false), (100_001, false), (75, true)] as [(Int64, Bool)])
    func `only shares from 0 to 100 percent are bookable`(percentage: Int64, isBookable: Bool) {
        #expect(Percentage(percentage).isBookable == isBookable)
    }

    @Test func `amounts and shares are bare integers in JSON`() throws {
        let json = Data("[9223372036854775807]".utf8)
        #expect(try JSONDecoder().decode([Milliunits].self, from: json) == [Milliunits(.max)])
        #expect(try JSONEncoder().encode([Milliunits(.max)]) == json)
        #expect(try JSONEncoder().encode([Percentage(.max)]) == json)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Milliunits].self, from: Data("[1.5]".utf8)) }
    }

    /// Long multiplication in decimal digits; then the last five digits are cut off, and the first of them rounds.
    private static func roundedShare(_ price: Int64, _ percentage: Int64) -> Int64? {
        let one = String(price.magnitude).reversed().compactMap(\.wholeNumberValue)
        let other = String(percentage.magnitude).reversed().compactMap(\.wholeNumberValue)
        var product = Array(repeating: 0, count: max(one.count + other.count, 5) + 1)
        for (place, digit) in one.enumerated() {
            for (otherPlace, otherDigit) in other.enumerated() { product[place + otherPlace] += digit * otherDigit }
        }
        for place in product.indices.dropLast() {
            product[place + 1] += product[place] / 10
            product[place] %= 10
        }
        var digits = Array(product[5...])
        if product[4] >= 5 { digits[0] += 1 }
        for place in digits.indices.dropLast() where digits[place] == 10 {
            digits[place] = 0
            digits[place + 1] += 1
        }
        let isNegative = (price < 0) != (percentage < 0)
        let text = digits.reversed().map(String.init).joined()
        return Int64((isNegative ? "-" : "") + text)
    }
}
