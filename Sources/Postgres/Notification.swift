/// What a NOTIFY said.
package struct Notification: Sendable, Hashable {
    package let channel: String
    /// At most 7,999 bytes, often empty.
    package let payload: String
    /// The server process that sent it.
    package let processID: Int32
}
