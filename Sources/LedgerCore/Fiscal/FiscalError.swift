/// Why a fiscal period, its table or its zone could not be used.
package enum FiscalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A text that is no fiscal period.
    case notAPeriod
    /// An entry of the table does not begin between its neighbours.
    case tableOutOfOrder(FiscalPeriod)
    /// A text that is no POSIX zone, and why.
    case notAZoneRule(String)
    /// Bytes that are no file of tzdata, and why.
    case notAZoneFile(String)

    package var description: String {
        switch self {
        case .notAPeriod:
            "A fiscal period is written as FY, four digits of the fiscal year, a hyphen and the month from 01 to 12: "
                + "FY2026-03."
        case .tableOutOfOrder(let period):
            "The first day given for \(period) does not lie between those of the periods before and after it: "
                + "correct the table of fiscal periods."
        case .notAZoneRule(let reason):
            "The time zone rule cannot be read (\(reason)): write it as POSIX TZ does, for example "
                + "PST8PDT,M3.2.0,M11.1.0."
        case .notAZoneFile(let reason):
            "The time zone file is not TZif after RFC 9636 (\(reason)): name a file of the system's tzdata."
        }
    }
}
