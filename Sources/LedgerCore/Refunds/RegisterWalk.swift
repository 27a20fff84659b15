/// The walk through the runs of one transaction that makes its entries: each change of its revoked share is one, over
/// the difference of the rounded totals (DESIGN section 5, PROTOCOL.md section 8.5).
struct RegisterWalk {
    private let subject: RegisterSubject
    private(set) var entries: [RegisterEntry] = []
    private var before = RevocationReading.unrevoked
    private var wasRevoked = false
    /// The total last booked.
    ///
    /// An unknown total books nothing and is counted; the next known one is booked over this.
    private var booked: Int64 = 0
    /// The refunds that are not taken back yet, the newest last.
    private var standing: [Position] = []

    /// The entries of renderings that stand in the order of their signing.
    static func entries(of renderings: [RegisterRendering]) -> [RegisterEntry] {
        guard let subject = RegisterSubject(renderings) else { return [] }
        var walk = RegisterWalk(subject)
        for run in RevocationRun.all(of: renderings) { walk.step(to: run) }
        return walk.entries
    }

    private init(_ subject: RegisterSubject) { self.subject = subject }

    private mutating func step(to run: RevocationRun) {
        let (old, new) = (before, run.reading)
        let sharesUnits = old.unitShare == new.unitShare
        if old.refund?.share != new.refund?.share || (new.refund != nil && !sharesUnits) { changeRefund(run) }
        if old.revocationClass != new.revocationClass || (new.revocationClass != nil && !sharesUnits) {
            changeAccess(run)
        }
        before = new
        wasRevoked = run.first.fact.revocationDate != nil
    }

    // MARK: Money

    private mutating func changeRefund(_ run: RevocationRun) {
        let total = total(of: run.reading.refund)
        let kind = direction(to: run.reading, total)
        let difference = difference(to: run.reading, total)
        var entry = entry(kind, run)
        entry.amount = difference.flatMap { amount in
            subject.currency.map { Money(amount: Milliunits(amount), currency: $0) }
        }
        entry.basis = entry.amount == nil ? .unknown : (run.reading.refund ?? before.refund)?.basis ?? .unknown
        entry.percentage = run.reading.refund.map { $0.share.percentage } ?? Percentage(0)
        if needsPrice(run.reading) { entry.flags.insert(.priceUnknown) }
        if kind == .refund {
            standing.append(run.discovery.position)
        } else {
            entry.reverses = standing.last
            if run.reading.refund == nil { standing = [] }
        }
        if let total { booked = total }
        entries.append(entry)
    }

    /// The rounded total of a state in milliunits, nil when it is unknown; nothing refunded is 0.
    private func total(of refund: RevocationReading.Refund?) -> Int64? {
        guard let refund else { return 0 }
        return refund.share.amount(of: subject.price, in: subject.currency)?.amount.rawValue
    }

    /// The difference to what is booked; nil when it is unknown.
    ///
    /// Taking back what was never booked because it was unknown is as unknown as that.
    private func difference(to reading: RevocationReading, _ total: Int64?) -> Int64? {
        guard let total else { return nil }
        if reading.refund == nil, booked == 0, self.total(of: before.refund) == nil { return nil }
        // Both are from 0 up, so the difference stays inside 64 bits.
        return total - booked
    }

    /// More or less than before; an unknown total counts as more, because a refund was granted.
    private func direction(to reading: RevocationReading, _ total: Int64?) -> RegisterEntry.Kind {
        guard let new = reading.refund else { return .reversal }
        guard let old = before.refund else { return .refund }
        if let one = old.share.percentage, let other = new.share.percentage, one != other {
            return one < other ? .refund : .reversal
        }
        if let total, total != booked { return total > booked ? .refund : .reversal }
        guard old.share == new.share else { return .refund }
        let (taken, now) = (before.unitShare ?? Percentage(0), reading.unitShare ?? Percentage(0))
        return now < taken ? .reversal : .refund
    }

    private func needsPrice(_ reading: RevocationReading) -> Bool {
        switch (reading.refund ?? before.refund)?.share {
        case .percentage: subject.price == nil
        case .items: subject.currency == nil
        case .unknown, nil: false
        }
    }

    // MARK: Access

    private mutating func changeAccess(_ run: RevocationRun) {
        var entry = entry(run.reading.revocationClass == nil ? .reinstatement : .revocation, run)
        entry.revocationClass = run.reading.revocationClass ?? before.revocationClass
        entries.append(entry)
    }

    private func entry(_ kind: RegisterEntry.Kind, _ run: RevocationRun) -> RegisterEntry {
        let fact = run.first.fact
        let isNew = kind == .refund || kind == .revocation
        return RegisterEntry(
            kind: kind,
            subject: subject,
            statement: RegisterEntry.Statement(
                signedAt: run.first.signedAt,
                revocationDate: fact.revocationDate,
                revocationType: fact.revocationType,
                revocationReason: fact.revocationReason,
                revocationPercentage: fact.revocationPercentage
            ),
            discovery: run.discovery,
            happenedAt: isNew ? run.date : run.first.signedAt,
            unitShare: run.reading.unitShare,
            endsAccess: isNew && !wasRevoked && fact.revocationDate != nil,
            takesAllBack: kind == .reversal && run.reading.refund == nil,
            flags: run.flags
        )
    }
}
