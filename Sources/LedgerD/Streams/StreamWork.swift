import HTTPServer
import Postgres

/// What a reader of a streamed answer still has to get: a value that goes from step to step.
///
/// A step looks at the database once and encodes what it found, so a reader costs one encoded piece beside the buffer of
/// its stream, however long the answer is and however slowly it is read.
protocol StreamWork: Sendable {
    /// Header fields of the answer.
    var headers: [(name: String, value: String)] { get }
    /// What is encoded and not sent yet.
    var pending: ArraySlice<UInt8> { get set }
    /// Nothing more will be encoded.
    var isOver: Bool { get }
    /// Whether the answer has an end of its own: its reader must see when it is broken off before.
    var isBounded: Bool { get }
    /// What tells a reader that rests that its connection lives; empty where that cannot be said.
    var signOfLife: [UInt8] { get }

    /// Looks at the database once and encodes what is found.
    /// - Throws: the ``Problem`` of a request that cannot be answered, or an error that ``Problem/init(reading:)`` knows.
    mutating func look(_ connection: Connection) throws -> StreamLook
}

/// What a look at the database found.
enum StreamLook {
    /// There may be more now.
    case more
    /// Nothing more until events come.
    case atEnd
    /// The answer cannot begin until events come.
    case notYet
}

/// What became of what was encoded.
enum StreamSending { case all, full, closed }

/// The most bytes that are handed to a stream at once.
private let pieceBytesMax = 64 << 10

extension StreamWork {
    var signOfLife: [UInt8] { [] }

    /// Hands what is encoded to a stream, as far as there is room.
    mutating func send(to stream: ResponseStream) -> StreamSending {
        repeat {
            let piece = pending.prefix(pieceBytesMax)
            // An empty piece tells whether the reader is still there.
            switch stream.write(Array(piece)) {
            case .accepted: pending = pending.dropFirst(piece.count)
            case .full: return .full
            case .closed: return .closed
            }
        } while !pending.isEmpty
        // A slice keeps all of the memory that it was cut from.
        pending = []
        return .all
    }
}
