private import CHTTP

/// A response in the library's memory, freed unless it is handed over.
@safe
struct LibraryResponse: ~Copyable {
    private let handle: OpaquePointer

    /// A response with these bytes, which are copied; nil when out of memory.
    init?(bytes: [UInt8]) {
        let made = unsafe bytes.withUnsafeBytes { unsafe CHTTP_response_bytes($0.baseAddress, $0.count) }
        guard let made = unsafe made else { return nil }
        unsafe handle = made
    }

    /// A response whose body the connection's stream gives piece by piece; nil when out of memory.
    init?(streamOn connection: Connection, of server: HTTPServer) {
        let context = StreamContext(server: server, connection: connection)
        let retained = unsafe Unmanaged.passRetained(context)
        let made = unsafe CHTTP_response_stream(
            retained.toOpaque(),
            { context, _, buffer, count in
                let context = unsafe Unmanaged<StreamContext>.fromOpaque(context).takeUnretainedValue()
                let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return unsafe context.server.readStream(of: context.connection, into: target)
            },
            { context in unsafe Unmanaged<StreamContext>.fromOpaque(context).release() }
        )
        guard let made = unsafe made else {
            unsafe retained.release()
            return nil
        }
        unsafe handle = made
    }

    deinit { unsafe CHTTP_response_discard(handle) }

    /// Adds a header field; false when its name or value cannot be one.
    func add(_ name: String, _ value: String) -> Bool { unsafe CHTTP_response_field(handle, name, value) }

    /// Leaves chunks out, and ends the connection with the response.
    func sendUnchunked() { unsafe CHTTP_response_unchunked(handle) }

    /// The library's response, which now belongs to the caller.
    consuming func release() -> OpaquePointer {
        let handle = unsafe handle
        discard self
        return unsafe handle
    }
}

/// What the library hands back when it asks for the next piece of a stream.
private final class StreamContext {
    let server: HTTPServer
    let connection: Connection

    init(server: HTTPServer, connection: Connection) {
        self.server = server
        self.connection = connection
    }
}
