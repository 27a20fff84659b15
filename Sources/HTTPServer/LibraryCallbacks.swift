internal import CHTTP

/// The functions that the HTTP library calls: from its pointers to our objects, and no more.
///
/// The context of a connection is retained from `opened` to `closed`. The library calls none of these on another
/// thread than the loop's, and none after the server has stopped it.
let libraryCallbacks = unsafe CHTTP_Callbacks(
    opened: { server, handle, descriptor in
        let server = unsafe Unmanaged<HTTPServer>.fromOpaque(server).takeUnretainedValue()
        let connection = unsafe Connection(handle: handle, descriptor: descriptor, now: server.now, server: server)
        server.opened(connection)
        return unsafe Unmanaged.passRetained(connection).toOpaque()
    },
    closed: { context in
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeRetainedValue()
        connection.server.closed(connection)
    },
    target: { context, target, count in
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.server.began(connection, target: unsafe [UInt8](UnsafeBufferPointer(start: target, count: count)))
    },
    handle: { context, method, version, body, count in
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        let piece = unsafe body.map { unsafe UnsafeBufferPointer(start: $0, count: count.pointee) }
        unsafe count.pointee = 0
        return unsafe connection.server.received(
            connection,
            method: String(cString: method),
            isHTTP10: String(cString: version) == "HTTP/1.0",
            piece: piece
        )
    },
    completed: { context, isComplete in
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.server.completed(connection, isComplete: isComplete)
    },
    refused: { server, _ in
        unsafe Unmanaged<HTTPServer>.fromOpaque(server).takeUnretainedValue().metrics.refusedByLibrary()
    }
)
