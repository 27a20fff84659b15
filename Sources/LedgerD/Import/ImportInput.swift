import Glibc

/// The file that an import reads: one that can be read at any place, twice.
///
/// The descriptor is closed by the end of the process.
struct ImportInput {
    let descriptor: Int32
    /// For sentences.
    let name: String
    /// Bytes, as the import begins.
    let size: Int64
    /// Whether a later import can read the same again.
    let isLasting: Bool

    private static let chunkBytes = 1 << 20

    /// Opens a regular file; `-` is standard input, which is copied to a temporary file first, because renewal infos may
    /// have to be looked at twice.
    init(_ path: String) throws(ImportFailure) {
        isLasting = path != "-"
        name = isLasting ? path : "standard input"
        descriptor = isLasting ? try Self.open(path) : try Self.copyOfStandardInput()
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ImportFailure("\(path) is no regular file; what comes from elsewhere can be read as - .")
        }
        size = Int64(status.st_size)
    }

    private static func open(_ path: String) throws(ImportFailure) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportFailure("The file \(path) cannot be read (errno \(errno)).") }
        return descriptor
    }

    /// The copy has no name, so that nothing is left behind.
    private static func copyOfStandardInput() throws(ImportFailure) -> Int32 {
        guard let file = unsafe tmpfile() else {
            throw ImportFailure("No temporary file can be made (errno \(errno)).")
        }
        let descriptor = unsafe fileno(file)
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            guard count >= 0 else { throw ImportFailure("Standard input cannot be read (errno \(errno)).") }
            if count == 0 { return descriptor }
            guard Terminal.write(chunk[..<count], to: descriptor) else {
                throw ImportFailure("Standard input cannot be copied to a temporary file (errno \(errno)).")
            }
        }
    }
}
