import FoundationEssentials
import Glibc

/// A private PostgreSQL 15 under `.ledger/`, kept between runs: for `ledgerd dev` only.
///
/// It listens on a unix socket alone. PostgreSQL refuses to run as root, so root steps down for it.
struct DevPostgres {
    private let folder: String
    private let binaries: String
    /// Runs a program as the cluster's owner.
    private let asOwner: [String]
    private let owner: uid_t
    private let socketFolder: String

    private var data: String { "\(folder)/postgres" }
    private var log: String { "\(folder)/postgres.log" }

    /// - Parameter folder: the `.ledger` folder, an absolute path; it is made when it is missing.
    /// - Throws: ``DevError`` when there is no PostgreSQL, or the folder cannot be used.
    init(folder: String) throws(DevError) {
        self.folder = folder
        binaries = try Self.findBinaries()
        if getuid() == 0 {
            let account = unsafe getpwnam("postgres") ?? getpwnam("nobody")
            guard let account = unsafe account else { throw DevError("There is no account to run PostgreSQL as.") }
            owner = unsafe account.pointee.pw_uid
            asOwner = [
                "setpriv", "--reuid", "\(owner)", "--regid", "\(unsafe account.pointee.pw_gid)", "--clear-groups",
            ]
        } else {
            owner = getuid()
            asOwner = []
        }
        // A socket's path has 107 bytes at most, so it does not live in the project.
        socketFolder = "/tmp/ledgerd-dev-\(getpid())"
    }

    /// How clients reach the database of this name.
    func conninfo(database: String, user: String = superuser) -> String {
        "host=\(socketFolder) dbname=\(database) user=\(user)"
    }

    /// Whom the cluster belongs to.
    private static let superuser = "ledger"

    /// Starts the cluster, made anew when there is none.
    func start() throws(DevError) {
        try makeFolders()
        if access("\(data)/PG_VERSION", F_OK) != 0 {
            try run(
                "initdb",
                ["--pgdata", data, "--username", Self.superuser, "--auth", "trust", "--encoding", "UTF8"]
                    + ["--locale", "C.UTF-8"]
            )
        }
        // One that a killed run left behind is stopped; when none runs this fails, which is fine.
        _ = Subprocess.run(command("pg_ctl", ["--pgdata", data, "--mode", "fast", "stop"]), output: log, in: folder)
        let options = "-c listen_addresses='' -c unix_socket_directories='\(socketFolder)' -c max_connections=50"
        try run("pg_ctl", ["--pgdata", data, "--log", log, "--wait", "--options", options, "start"])
    }

    /// Stops the cluster; its data stay.
    func stop() {
        _ = Subprocess.run(
            command("pg_ctl", ["--pgdata", data, "--mode", "fast", "--wait", "stop"]),
            output: log,
            in: folder
        )
        rmdir(socketFolder)
    }

    private func makeFolders() throws(DevError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for path in [data, socketFolder] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                guard chown(path, owner, gid_t.max) == 0, chmod(path, 0o700) == 0 else {
                    throw DevError("The folder \(path) cannot be given to PostgreSQL's account.")
                }
            }
            if !FileManager.default.fileExists(atPath: log) {
                _ = FileManager.default.createFile(atPath: log, contents: nil)
            }
            guard chown(log, owner, gid_t.max) == 0 else {
                throw DevError("The file \(log) cannot be given to PostgreSQL's account.")
            }
        } catch let error as DevError {
            throw error
        } catch {
            throw DevError("The folder \(folder) cannot be made.")
        }
        // PostgreSQL's account must be able to walk to its data.
        let reachable = Subprocess.run(asOwner + ["test", "-x", data], output: "/dev/null", in: "/")
        guard reachable == 0 else {
            throw DevError(
                "PostgreSQL's account cannot reach \(data): clone the project into a folder that other users may enter."
            )
        }
    }

    private func run(_ program: String, _ arguments: [String]) throws(DevError) {
        let status = Subprocess.run(command(program, arguments), output: log, in: "/")
        guard status == 0 else {
            throw DevError("PostgreSQL's \(program) failed with status \(status); \(log) tells why.")
        }
    }

    private func command(_ program: String, _ arguments: [String]) -> [String] {
        asOwner + ["\(binaries)/\(program)"] + arguments
    }

    private static func findBinaries() throws(DevError) -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = ["/usr/lib/postgresql/15/bin"] + path.split(separator: ":").map(String.init)
        for folder in folders where access("\(folder)/initdb", X_OK) == 0 && access("\(folder)/pg_ctl", X_OK) == 0 {
            return folder
        }
        throw DevError("There is no PostgreSQL here; scripts/bootstrap installs it.")
    }
}

/// Why `ledgerd dev` cannot go on.
struct DevError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
