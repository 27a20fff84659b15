/// `ledgerd dev`.
struct DevCommand {
    init(_ arguments: [String]) throws {}
    func run() throws -> Int32 { 0 }
}
