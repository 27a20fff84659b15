internal import LedgerCore
internal import StoreSimulator
internal import Synchronization
internal import Threads

/// Signs the notifications of many invented customers on several threads.
///
/// Notification n belongs to customer n modulo the number of customers; customers are dealt out to the threads, so that
/// each history has one thread and the result does not depend on their number.
final class NotificationFactory {
    private let signer: NotificationSigner
    private let timeline: Timeline
    private let shards: [Shard]
    private let customers: Int
    private var made = 0

    /// Two cores sign; more threads than that would only share them.
    static let threads = 2

    init(chain: TestChain, customers: Int, count: Int, seed: UInt64, until: Int64) {
        signer = NotificationSigner(signer: DocumentSigner(chain: chain))
        timeline = Timeline(until: until, steps: (count + customers - 1) / customers)
        self.customers = customers
        shards = (0..<Self.threads).map { shard in
            Shard(
                histories: stride(from: shard, to: customers, by: Self.threads).map {
                    CustomerHistory(number: $0, seed: seed)
                }
            )
        }
    }

    /// The histories of the customers dealt to one thread.
    private final class Shard: Sendable {
        let histories: Mutex<[CustomerHistory]>

        init(histories: [CustomerHistory]) { self.histories = Mutex(histories) }
    }

    /// What a thread has made: bodies by their place in the batch, or why it stopped.
    private final class Output: Sendable {
        let bodies = Mutex<Result<[(place: Int, body: [UInt8])], NotificationSignerError>>(.success([]))
    }

    /// The next bodies, each `{"signedPayload":"…"}` and a line feed.
    func makeBatch(_ count: Int) throws(BenchError) -> [[UInt8]] {
        let range = made..<made + count
        made += count
        let outputs = shards.map { _ in Output() }
        let workers = zip(shards, outputs).enumerated().map { index, pair in
            WorkerThread(name: "sign-\(index)") { [signer, timeline, customers] in
                let (shard, output) = pair
                let result = shard.histories.withLock { histories in
                    Self.sign(range, shard: index, customers, &histories, signer, timeline)
                }
                output.bodies.withLock { $0 = result }
            }
        }
        for worker in workers { worker.join() }
        var batch = [[UInt8]](repeating: [], count: count)
        for output in outputs {
            switch output.bodies.withLock({ $0 }) {
            case .success(let bodies): for (place, body) in bodies { batch[place] = body }
            case .failure(let error): throw .signing(error.description)
            }
        }
        return batch
    }

    private static func sign(
        _ range: Range<Int>,
        shard: Int,
        _ customers: Int,
        _ histories: inout [CustomerHistory],
        _ signer: NotificationSigner,
        _ timeline: Timeline
    ) -> Result<[(place: Int, body: [UInt8])], NotificationSignerError> {
        var bodies: [(place: Int, body: [UInt8])] = []
        for number in range {
            let customer = number % customers
            guard customer % threads == shard else { continue }
            let time = timeline.time(customer: customer, step: number / customers)
            let decoded = histories[customer / threads].next(at: time)
            do throws(NotificationSignerError) {
                let payload = try signer.sign(decoded)
                bodies.append((number - range.lowerBound, Self.prefix + payload + Self.suffix))
            } catch { return .failure(error) }
        }
        return .success(bodies)
    }

    private static let prefix = Array(#"{"signedPayload":""#.utf8)
    private static let suffix = Array("\"}\n".utf8)

    /// The signed payload in a body that this factory made.
    static func payload(of body: [UInt8]) -> [UInt8] { Array(body.dropFirst(prefix.count).dropLast(suffix.count)) }

    /// Paths that ask for the customers' entitlements, one for each key, in the order of the customers.
    func paths() -> [String] {
        (0..<customers).flatMap { customer in
            shards[customer % Self.threads].histories
                .withLock { $0[customer / Self.threads].keys }
                .map { "/v1/entitlements?\($0)" }
        }
    }
}
