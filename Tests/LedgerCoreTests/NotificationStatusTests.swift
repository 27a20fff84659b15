import LedgerCore
import TestSupport
import Testing

/// `data.status` read on its own says what the whole document says.
@Suite("Notification status")
struct NotificationStatusTests {
    @Test(arguments: [
        #"{"data":{"status":1}}"#, #"{"data":{"status":99}}"#, #"{"data":{"status":-2},"version":"2.0"}"#,
        #"{"data":{"status":null}}"#, #"{"data":{"status":"1"}}"#, #"{"data":{"status":1.0}}"#,
        #"{"data":{"status":1e0}}"#, #"{"data":{"status":9223372036854775808}}"#,
        #"{"data":{"status":{"status":3}}}"#, #"{"data":{"status":[1]}}"#, #"{"data":{"status":true}}"#,
        #"{"data":{"status":1,"status":2}}"#, #"{"data":{"status":1,"status":null}}"#,
        #"{"data":{"status":1},"data":{"status":4}}"#, #"{"data":{"status":1},"data":{}}"#,
        #"{"data":{"status":1},"data":null}"#, #"{"data":{"status":1},"data":7}"#, #"{"data":null}"#,
        #"{"d\u0061ta":{"stat\u0075s":5}}"#, #"{"data":{"status":1}"#, #"{"data":{"status":1}} x"#,
        #"{"data":{"status":01}}"#, #"{"summary":{"status":1}}"#, #"{"x":{"data":{"status":1}}}"#, "[]", "", "null",
    ])
    func `it is that of the document`(_ text: String) {
        let payload = Array(text.utf8)
        #expect(
            NotificationDocument.status(inPayload: payload)
                == (try? NotificationDocument(payload: payload))?.data?.status
        )
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `it is that of the document, whatever byte is damaged`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = Array(#"{"notificationType":"DID_RENEW","data":{"bundleId":"a","status":1},"version":"2.0"}"#.utf8)
        for _ in 0..<2000 {
            var payload = whole
            payload[Int.random(in: payload.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            let expected = (try? NotificationDocument(payload: payload))?.data?.status
            #expect(NotificationDocument.status(inPayload: payload) == expected, "seed \(seed): \(payload)")
        }
    }
}
