/// How a signed document is spoiled on purpose: the `tamper` member of the field cases, or made by a test.
package struct Tampering: Hashable, Sendable, Decodable {
    /// Which document of a notification is spoiled.
    package enum Target: String, Hashable, Sendable, Decodable {
        case outer, transactionInfo, renewalInfo, appTransactionInfo
    }

    /// What stands in the place of the signature.
    package enum Signature: String, Hashable, Sendable, Decodable {
        /// Nothing: the segment is empty.
        case empty
        /// That of a key that no certificate names.
        case otherKey
        /// The good one, in DER instead of R and S.
        case der
    }

    /// A member of the protected header.
    package struct Header: Hashable, Sendable, Decodable {
        package var alg: String?
        package init(alg: String?) { self.alg = alg }
    }

    /// Which certificates stand in `x5c`.
    package struct CertificateList: Hashable, Sendable, Decodable {
        package enum Entry: String, Hashable, Sendable, Decodable { case leaf, intermediate, root }
        package var length: Int?
        package var entries: [Entry]?
        package init(length: Int? = nil, entries: [Entry]? = nil) {
            self.length = length
            self.entries = entries
        }
    }

    /// How the signing certificate differs from a good one.
    package struct Leaf: Hashable, Sendable, Decodable {
        /// Object identifier of an extension to leave out.
        package var omitExtension: String?
        /// End of its validity, in milliseconds since 1970.
        package var notAfter: Int64?
        package init(omitExtension: String? = nil, notAfter: Int64? = nil) {
            self.omitExtension = omitExtension
            self.notAfter = notAfter
        }
    }

    package var target: Target
    package var header: Header?
    package var signature: Signature?
    package var x5c: CertificateList?
    package var leaf: Leaf?
    /// In words; a text that begins with "self-signed" signs with a certificate of its own.
    package var signWith: String?

    package init(target: Target = .outer) { self.target = target }
}
