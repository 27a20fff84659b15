/// Why bytes are not a JSON text that we take.
package enum JSONReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The grammar of RFC 8259 has no place for this byte, or the text ends too early.
    case unexpected(offset: Int)
    /// A text is not UTF-8.
    case notUTF8(offset: Int)
    /// Objects and arrays are nested deeper than ``JSONReader/depthMax``.
    case tooDeep(offset: Int)

    package var description: String {
        switch self {
        case .unexpected(let offset): "The JSON text is broken at byte \(offset)."
        case .notUTF8(let offset): "The JSON text holds a text that is not UTF-8 at byte \(offset)."
        case .tooDeep(let offset):
            "The JSON text is nested deeper than \(JSONReader.depthMax) levels at byte \(offset): send a flatter one."
        }
    }
}
