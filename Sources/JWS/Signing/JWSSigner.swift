import LedgerCore

/// Makes JWS in compact serialization.
package enum JWSSigner {
    /// The JWS of a header, already in base64url, and a payload, not yet encoded: both are signed byte for byte.
    package static func sign(
        headerSegment: [UInt8],
        payload: [UInt8],
        with key: SigningKey
    ) throws(SigningError) -> [UInt8] {
        var text = signingInput(headerSegment: headerSegment, payload: payload)
        let signature = try key.es256Signature(over: text)
        text.append(UInt8(ascii: "."))
        text += Base64.encode(signature, .url)
        return text
    }

    /// The bytes that an ES256 signature covers: both segments with the dot between them.
    package static func signingInput(headerSegment: [UInt8], payload: [UInt8]) -> [UInt8] {
        headerSegment + [UInt8(ascii: ".")] + Base64.encode(payload, .url)
    }

    /// The header segment that the App Store writes: `{"alg":"ES256","x5c":[…]}` in base64url, of certificates in DER.
    package static func headerSegment(certificates: [[UInt8]], algorithm: String = "ES256") -> [UInt8] {
        var header = Array(#"{"alg":"\#(algorithm)","x5c":["#.utf8)
        for (index, certificate) in certificates.enumerated() {
            header += (index == 0 ? #"""# : #",""#).utf8
            header += Base64.encode(certificate, .standard)
            header.append(UInt8(ascii: "\""))
        }
        header += "]}".utf8
        return Base64.encode(header, .url)
    }
}
