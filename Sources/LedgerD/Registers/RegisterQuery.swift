import HTTPServer
import LedgerCore
import Postgres
import Projections

/// What is asked of a register (API.md, "Finance").
struct RegisterQuery: Sendable {
    var register: RegisterKind
    /// Whose entries; nil: everybody's.
    var key: CustomerKey?
    /// Which of them, without the lines of the key.
    var selection: RegisterSelection
    /// What was signed by then; nil: everything.
    var at: Instant?
    /// As known then; nil: as known now.
    var knownAt: KnownAt?
    var format: RegisterFormat
    /// The most rows of a page; the other formats send all.
    var limit: Int
    /// Where the page before this one ended.
    var cursor: RegisterCursor?
    var minPosition: Position
    /// Until when the answer may wait for the projection.
    var deadline: MonotonicTime

    /// Rows of a page that does not say how many.
    static let limitDefault: Int64 = 500
    /// The most rows of a page.
    static let limitMax: Int64 = 10_000

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ register: RegisterKind, _ request: Request, served: Set<StoreEnvironment>) throws(Problem) {
        let parameters = QueryParameters(request)
        self.register = register
        key = try parameters.customerKeyIfAny()
        selection = RegisterSelection(
            environment: try parameters.environment(served: served),
            kinds: register.entryKinds
        )
        try selection.take(RegisterWindow(parameters, of: register))
        at = try parameters.instant("at")
        if let at { selection.at = at }
        if case .transactionID(let id) = key { selection.transactionID = id }
        selection.currency = try parameters.name("currency")
        selection.productID = try parameters.name("productId")
        selection.bundleID = try parameters.name("bundleId")
        knownAt = try parameters.knownAt("knownAt")
        format = try RegisterFormat(parameters.text("format"), accepting: request.header("Accept"))
        limit = Int(try parameters.integer("limit", default: Self.limitDefault, in: 1...Self.limitMax))
        cursor = try parameters.text("cursor").map { text throws(Problem) in
            guard let cursor = RegisterCursor(text), register.hasPages(endingAt: cursor.place) else {
                throw .malformed("The parameter \"cursor\" must be the \"next\" of a page of this register.")
            }
            return cursor
        }
        minPosition = try parameters.position("minPosition")
        let wait = try parameters.integer("waitMs", default: ReadScope.waitDefault, in: 0...ReadScope.waitMax)
        deadline = .now + .milliseconds(wait)
    }
}

/// The window of time of a register: `from` and `to` by a `basis`, or Apple's fiscal `period`.
struct RegisterWindow: Hashable, Sendable {
    /// Which date it is about.
    var basis: RegisterBasis
    /// From then on; nil: from the beginning.
    var from: Instant?
    /// Up to then, which is not included; nil: without an end.
    var to: Instant?

    /// - Throws: the ``Problem`` that names what does not fit together.
    init(
        of register: RegisterKind,
        basis name: String?,
        from: Instant?,
        to: Instant?,
        period: String?
    ) throws(Problem) {
        let bases = register.bases
        guard let basis = bases.first(where: { name == nil || $0.rawValue == name }) else {
            let names = bases.map(\.rawValue).joined(separator: ", ")
            throw .malformed("\"basis\" of \(register.rawValue) must be one of: \(names).")
        }
        self.basis = basis
        self.from = from
        self.to = to
        if let period {
            guard from == nil, to == nil else { throw .malformed("Send either \"period\" or \"from\" and \"to\".") }
            let instants: Range<Instant>
            do throws(FiscalError) {
                instants = FiscalCalendar.standard.instants(of: try FiscalPeriod(period))
            } catch { throw .malformed(error.description) }
            self.from = instants.lowerBound
            self.to = instants.upperBound
        }
        if let from, let to, from > to { throw .malformed("\"from\" must not be later than \"to\".") }
    }

    /// - Throws: the ``Problem`` that names the parameter.
    fileprivate init(_ parameters: QueryParameters, of register: RegisterKind) throws(Problem) {
        try self.init(
            of: register,
            basis: parameters.text("basis"),
            from: parameters.instant("from"),
            to: parameters.instant("to"),
            period: parameters.text("period")
        )
    }
}

extension RegisterSelection {
    /// Narrows it to a window.
    mutating func take(_ window: RegisterWindow) {
        basis = window.basis
        if let from = window.from { self.from = from }
        if let to = window.to { self.to = to }
    }
}

extension QueryParameters {
    /// A name that rows are filtered by; nil when it is not there.
    fileprivate func name<ID: TextIdentifier>(_ name: String) throws(Problem) -> ID? {
        guard let text = text(name) else { return nil }
        guard (1...ID.bytesMax).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw .malformed("The parameter \"\(name)\" must have 1 to \(ID.bytesMax) bytes without U+0000.")
        }
        return ID(rawValue: text)
    }
}
