// What one verification costs beside the bare signature, on one thread, in CPU time:
//
//     swift run -c release VerifyBench [FILE.jws …]
//
// Without a file it makes a transaction and a notification of real size with a test chain. Files are documents of the
// App Store; they are judged under Apple Root CA – G3. Each ratio compares with `openssl speed ecdsap256` run right
// before and right after, because a shared machine changes its pace within seconds.

import Foundation
import JWS
import LedgerCore
import StoreSimulator

/// CPU time of this thread in nanoseconds.
func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Nanoseconds of one call: the median of several rounds of about 0.3 s.
func measure(_ body: () -> Bool) -> Double {
    var rounds: [Double] = []
    for _ in 0..<9 {
        let start = threadNanoseconds()
        var calls = 0
        while threadNanoseconds() - start < 300_000_000 {
            for _ in 0..<100 where !body() { fatalError("the document was refused") }
            calls += 100
        }
        rounds.append(Double(threadNanoseconds() - start) / Double(calls))
    }
    return rounds.sorted()[rounds.count / 2]
}

/// Nanoseconds of one P-256 verification by `openssl speed`, from the last column of its last line.
func opensslNanoseconds() throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = ["speed", "-seconds", "3", "ecdsap256"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let verifications = text.split(separator: "\n").last?.split(separator: " ").last.flatMap { Double($0) }
    guard let verifications else { fatalError("openssl speed printed no rate: \(text)") }
    return 1e9 / verifications
}

/// A payload as long as the App Store's (1.2 kB for a subscription).
func payload(notificationOf inner: String?) -> [UInt8] {
    let transaction = #"""
        {"transactionId":"2000000141552796","originalTransactionId":"2000000124910535",
        "webOrderLineItemId":"2000000010411223","bundleId":"com.example.app","productId":"com.example.pro.monthly",
        "subscriptionGroupIdentifier":"20991234","purchaseDate":1767571200000,"originalPurchaseDate":1767571200000,
        "expiresDate":1770249600000,"quantity":1,"type":"Auto-Renewable Subscription",
        "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","inAppOwnershipType":"PURCHASED",
        "signedDate":1767571201000,"offerType":1,"offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W",
        "environment":"Production","transactionReason":"PURCHASE","storefront":"USA","storefrontId":"143441",
        "price":9990,"currency":"USD","appTransactionId":"704998812345670101"}
        """#
    guard let inner else { return NotificationSigner.compact(Array(transaction.utf8)[...]) }
    let renewal = #"""
        {"originalTransactionId":"2000000124910535","autoRenewProductId":"com.example.pro.monthly",
        "productId":"com.example.pro.monthly","autoRenewStatus":1,"signedDate":1767571201000,
        "environment":"Production","recentSubscriptionStartDate":1767571200000,"renewalDate":1770249600000,
        "renewalPrice":9990,"currency":"USD","appTransactionId":"704998812345670101"}
        """#
    return Array(
        #"""
        {"notificationType":"\#(inner)","notificationUUID":"9782c9c7-7e86-5239-bb46-a043b075cb4b","version":"2.0",
        "signedDate":1767571201000,"data":{"appAppleId":1234567890,"bundleId":"com.example.app",
        "bundleVersion":"241","environment":"Production","status":1,"transactionInfo":\#(transaction),
        "renewalInfo":\#(renewal)}}
        """#.utf8
    )
}

/// Verifies one text again and again with the chain cached, and prints how that compares.
func report(_ name: String, bytes: Int, signatures: Int, _ body: () -> Bool) throws {
    let before = try opensslNanoseconds()
    let nanoseconds = measure(body)
    let after = try opensslNanoseconds()
    let ratio = (before + after) / 2 * Double(signatures) / nanoseconds
    print(
        "\(name): \(bytes) bytes, \(Int(nanoseconds)) ns, \(signatures) signature(s); "
            + "openssl \(Int(before)) and \(Int(after)) ns; ratio \(String(format: "%.2f", ratio))"
    )
}

let app = ServedApp(
    bundleID: BundleID(rawValue: "com.example.app"),
    appAppleID: 1_234_567_890,
    environments: [.production]
)
var shape = TestChain.Shape()
shape.comments = .ofRealLength
let chain = try TestChain(shape)
let signer = DocumentSigner(chain: chain)
let now = Instant(milliseconds: 1_767_571_300_000)
let roots = try TrustedRoots(contents: [chain.root])
let verifier = try Verifier(roots: roots, apps: [app]) { now }

let transaction = try signer.sign(payload(notificationOf: nil))
try report("transaction, chain cached", bytes: transaction.count, signatures: 1) {
    verifier.verify(transaction, as: .transaction).document != nil
}
let notification = try NotificationSigner(signer: signer).sign(payload(notificationOf: "DID_RENEW"))
try report("notification, chain cached", bytes: notification.count, signatures: 3) {
    verifier.verifyNotification(notification).document != nil
}

for path in CommandLine.arguments.dropFirst() {
    let text = Array(try Data(contentsOf: URL(fileURLWithPath: path))).filter { $0 > 0x20 }
    let claims = try ClaimsReader(
        Base64.decode(text.split(separator: UInt8(ascii: "."))[1], .url) ?? [],
        as: .transaction
    ).claims
    let app = ServedApp(bundleID: claims.bundleID ?? BundleID(rawValue: ""), appAppleID: nil, environments: [.sandbox])
    let apple = try Verifier(roots: try TrustedRoots.appleRootG3(), apps: [app]) { now }
    try report(URL(fileURLWithPath: path).lastPathComponent, bytes: text.count, signatures: 1) {
        apple.verify(text, as: .transaction).document != nil
    }
}

let miss = measure {
    guard let fresh = try? Verifier(roots: roots, apps: [app], clock: { now }) else { return false }
    return fresh.verify(transaction, as: .transaction).document != nil
}
print("transaction, chain not cached: \(Int(miss)) ns")
