internal import Glibc

/// A new file that is written from its beginning; an older one of the name is replaced.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(BenchError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(BenchError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(path: path, errno: errno) }
            written += count
        }
    }
}
