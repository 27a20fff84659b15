private import CHTTP

/// Why a server could not start.
///
/// All of them stop the daemon: the configuration or the machine must change first.
package enum HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address is not a numeric IPv4 or IPv6 address.
    case invalidAddress(String)
    /// The address cannot be listened on; `errno` tells why (in use, not permitted, not of this machine).
    case cannotListen(address: String, port: UInt16, errno: Int32)
    /// A descriptor for the event loop could not be had.
    case noDescriptor(errno: Int32)
    /// The HTTP library could not start, for want of memory or descriptors.
    case libraryFailed

    package var description: String {
        switch self {
        case .invalidAddress(let address):
            "The listen address \"\(address)\" is not a numeric IPv4 or IPv6 address; write for example 127.0.0.1."
        case .cannotListen(let address, let port, let errno):
            "Cannot listen on \(address) port \(port): \(Self.text(of: errno)). Free the port or configure another one."
        case .noDescriptor(let errno):
            "No descriptor for the event loop: \(Self.text(of: errno)). Raise the limit of open files."
        case .libraryFailed:
            "The HTTP library could not start; check the memory and the limit of open files."
        }
    }

    /// The system's text for an error number.
    private static func text(of number: Int32) -> String {
        let capacity = 128
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            unsafe start.withMemoryRebound(to: CChar.self, capacity: capacity) { text in
                unsafe CHTTP_error_text(number, text, capacity)
            }
            count = unsafe buffer.firstIndex(of: 0) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
