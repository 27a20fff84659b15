import COpenSSL
package import LedgerCore

/// What an authority writes into a certificate that it issues: as much of X.509 as the App Store's chains use.
package struct CertificateTemplate: Hashable, Sendable {
    package var commonName: String
    package var issuerCommonName: String
    package var serialNumber: Int64
    package var validity: ClosedRange<Instant>
    /// Whether it may issue certificates itself (basicConstraints and keyUsage, both critical); else it may sign data.
    package var isAuthority: Bool
    /// How many further authorities may stand below; nil writes no limit.
    package var pathLength: Int?
    /// Extensions whose presence is a mark; their value is a DER NULL, as the App Store's.
    package var markers: [ObjectIdentifierText]
    /// A comment for whoever reads the certificate (ASCII; empty writes none): it gives a test chain the size of a real one.
    package var comment: String

    package init(
        commonName: String,
        issuerCommonName: String,
        serialNumber: Int64,
        validity: ClosedRange<Instant>,
        isAuthority: Bool,
        pathLength: Int? = nil,
        markers: [ObjectIdentifierText] = [],
        comment: String = ""
    ) {
        self.commonName = commonName
        self.issuerCommonName = issuerCommonName
        self.serialNumber = serialNumber
        self.validity = validity
        self.isAuthority = isAuthority
        self.pathLength = pathLength
        self.markers = markers
        self.comment = comment
    }

    /// The certificate of a key, signed by the issuer's key with SHA-384 (DER).
    package func certificate(
        for key: SigningKey,
        signedBy issuer: SigningKey
    ) throws(SigningError) -> [UInt8] {
        guard let certificate = unsafe X509_new() else { throw .current(doing: "make a certificate") }
        defer { unsafe X509_free(certificate) }
        let isComplete =
            unsafe fill(certificate, key: key)
            && extensions.allSatisfy { unsafe append($0, to: certificate) }
            && markers.allSatisfy { unsafe append(marker: $0, to: certificate) }
            && issuer.withHandle { unsafe X509_sign(certificate, $0, EVP_sha384()) } > 0
        guard isComplete else { throw .current(doing: "make a certificate") }
        return unsafe Certificate.derBytes(of: certificate)
    }

    private func fill(_ certificate: OpaquePointer, key: SigningKey) -> Bool {
        let version3 = 2
        return unsafe X509_set_version(certificate, version3) == 1
            && ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), serialNumber) == 1
            && ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(validity.lowerBound)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(validity.upperBound)) != nil
            && setName(commonName, in: X509_get_subject_name(certificate))
            && setName(issuerCommonName, in: X509_get_issuer_name(certificate))
            && key.withHandle { unsafe X509_set_pubkey(certificate, $0) } == 1
    }

    private func seconds(_ instant: Instant) -> Int { Int(instant.milliseconds / 1_000) }

    private func setName(_ text: String, in name: OpaquePointer?) -> Bool {
        unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_FLAG | 0x1000, text, -1, -1, 0) == 1
    }

    /// Number and value of the standard extensions, in the syntax of OpenSSL's configuration.
    private var extensions: [(number: Int32, value: String)] {
        let comments = comment.isEmpty ? [] : [(number: NID_netscape_comment, value: comment)]
        guard isAuthority else { return [(NID_key_usage, "critical,digitalSignature")] + comments }
        let limit = pathLength.map { ",pathlen:\($0)" } ?? ""
        return [
            (NID_basic_constraints, "critical,CA:TRUE\(limit)"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
        ] + comments
    }

    private func append(_ item: (number: Int32, value: String), to certificate: OpaquePointer) -> Bool {
        guard let made = unsafe X509V3_EXT_conf_nid(nil, nil, item.number, item.value) else { return false }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe X509_add_ext(certificate, made, -1) == 1
    }

    private func append(marker: ObjectIdentifierText, to certificate: OpaquePointer) -> Bool {
        guard let object = unsafe OBJ_txt2obj(marker.rawValue, 1), let value = unsafe ASN1_OCTET_STRING_new() else {
            return false
        }
        defer {
            unsafe ASN1_OBJECT_free(object)
            unsafe ASN1_OCTET_STRING_free(value)
        }
        let null: [UInt8] = [0x05, 0x00]
        guard unsafe ASN1_OCTET_STRING_set(value, null, Int32(null.count)) == 1,
            let made = unsafe X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
        else { return false }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe X509_add_ext(certificate, made, -1) == 1
    }
}
