internal import Glibc

/// Which socket a descriptor is: libpq can close one and open another under the same number while it connects, and an
/// event loop then has to watch it anew.
struct SocketIdentity: Equatable {
    let descriptor: Int32
    private let inode: ino_t

    /// Nil when the descriptor is no open file.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.descriptor = descriptor
        inode = status.st_ino
    }
}
