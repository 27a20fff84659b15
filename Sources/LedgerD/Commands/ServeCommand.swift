/// `ledgerd serve`: the daemon, until SIGTERM or SIGINT; SIGHUP reads the catalog again.
struct ServeCommand {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() throws -> Int32 {
        let signals = StopSignals(takesHangUp: true)
        let daemon = try Daemon(configuration, log: Log())
        signals.onStop { daemon.stop() }
        signals.onReload { daemon.reloadCatalog() }
        try daemon.run()
        return 0
    }
}
