import LedgerCore
import Testing

/// The kinds of documents, for tests that hold for all of them.
enum DocumentSample: String, CaseIterable {
    case transaction, renewalInfo, notification, appTransaction, realtimeRequest

    var type: any StoreDocument.Type {
        switch self {
        case .transaction: TransactionDocument.self
        case .renewalInfo: RenewalInfoDocument.self
        case .notification: NotificationDocument.self
        case .appTransaction: AppTransactionDocument.self
        case .realtimeRequest: RealtimeRequestDocument.self
        }
    }

    /// A document with every member that we know, each with a value of its own.
    func complete() throws -> JSONValue { try #require(Self.completeSamples[self]) }

    private static let completeSamples: [DocumentSample: JSONValue] = {
        let samples = allCases.compactMap { sample -> (DocumentSample, JSONValue)? in
            var counter: Int64 = 0
            return (try? sample.type.complete(counter: &counter)).map { (sample, $0) }
        }
        return Dictionary(uniqueKeysWithValues: samples)
    }()

    /// The paths of every member, members of inner objects included.
    func paths() throws -> [[PathStep]] { try type.paths() }
}

/// One step into a JSON value.
enum PathStep: Hashable, CustomStringConvertible {
    case name(String)
    case index(Int)

    var description: String {
        switch self {
        case .name(let name): name
        case .index(let index): "[\(index)]"
        }
    }
}

extension [PathStep] {
    /// The path as ``StoreDocument/malformedMembers`` writes it.
    var text: String { map(\.description).joined(separator: ".").replacing(".[", with: "[") }
}

extension DocumentPart {
    fileprivate static func complete(counter: inout Int64) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        for shape in try shapes() {
            counter += 1
            members[shape.name] =
                switch shape.kind {
                case .text: .string("\(shape.name.lowercased())-\(counter)")
                case .integer: .integer(counter)
                case .instant: .integer(1_700_000_000_000 + counter)
                case .boolean: .boolean(true)
                case .texts: .array([.string("first-\(counter)"), .string("second-\(counter)")])
                case .part(let part): try part.complete(counter: &counter)
                case .parts(let part):
                    .array([try part.complete(counter: &counter), try part.complete(counter: &counter)])
                }
        }
        return .members(members)
    }

    fileprivate static func paths() throws -> [[PathStep]] {
        try shapes().flatMap { shape in
            let here = [[PathStep.name(shape.name)]]
            return switch shape.kind {
            case .part(let part): here + (try part.paths()).map { [.name(shape.name)] + $0 }
            case .parts(let part):
                here + (try part.paths()).map { [.name(shape.name), .index(1)] + $0 } + [
                    [.name(shape.name), .index(1)]
                ]
            default: here
            }
        }
    }
}

extension JSONValue {
    /// The value with another one at a path; nil takes the value away.
    func replacing(_ path: some Collection<PathStep>, with new: JSONValue?) -> JSONValue? {
        guard let step = path.first else { return new }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.name(let name), .object(let object)):
            var members = object.members
            members[name] = members[name].map { $0.replacing(rest, with: new) } ?? (rest.isEmpty ? new : nil)
            return .members(members)
        case (.index(let index), .array(var elements)):
            if let element = elements[index].replacing(rest, with: new) {
                elements[index] = element
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return self
        }
    }

    /// The value at a path.
    func value(at path: some Collection<PathStep>) -> JSONValue? {
        guard let step = path.first else { return self }
        switch step {
        case .name(let name): return members?[name]?.value(at: path.dropFirst())
        case .index(let index): return elements?[index].value(at: path.dropFirst())
        }
    }
}
