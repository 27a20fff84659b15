import Glibc

/// What people at a terminal see.
enum Terminal {
    /// Writes a line to standard error.
    static func complain(_ text: String) { _ = write(Array((text + "\n").utf8)[...], to: STDERR_FILENO) }

    /// Writes a line to standard output at once, also when it is a pipe.
    static func say(_ text: String) { _ = write(Array((text + "\n").utf8)[...], to: STDOUT_FILENO) }

    /// Writes all bytes to a descriptor.
    /// - Returns: whether all were written.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
