import Glibc

/// Runs other programs, for `ledgerd dev` only.
enum Subprocess {
    /// Runs a program and waits for it.
    /// - Parameters:
    ///   - arguments: the program, found in PATH when it has no slash, and its arguments.
    ///   - output: a file that its output and errors are appended to.
    ///   - folder: where it runs.
    /// - Returns: its exit status; 127 when it could not be started.
    static func run(_ arguments: [String], output: String, in folder: String) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Signals are blocked in this process; a child must get them again.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // glibc's own way to change the folder is hidden from Swift; env(1) does it.
        let arguments = ["env", "--chdir=\(folder)"] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for pointer in unsafe pointers { unsafe free(pointer) } }
        var child = pid_t()
        guard unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, &pointers, environ) == 0 else {
            return 127
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The exit status of a child that ended by itself; a killed one counts as failed.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
