/// What a signed document is (PROTOCOL.md section 1.1).
package enum DocumentKind: String, Hashable, Sendable, Codable, CaseIterable {
    case notification
    case transaction
    case renewalInfo
    case appTransaction
}
