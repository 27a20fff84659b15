import Glibc

/// What people at a terminal see.
enum Terminal {
    /// Writes a line to standard error.
    static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes a line to standard output at once, also when it is a pipe.
    static func say(_ text: String) { write(text, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
