/// `ledgerd serve`: the daemon, until SIGTERM or SIGINT.
struct ServeCommand {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() throws -> Int32 {
        let signals = StopSignals()
        let daemon = try Daemon(configuration, log: Log())
        signals.onStop { daemon.stop() }
        try daemon.run()
        return 0
    }
}
