import Synchronization
import Testing
import Threads

@Suite struct MailboxTests {
    @Test func `elements come out in the order they were put`() {
        let mailbox = Mailbox<Int>(countMax: 10)
        for number in 1...5 { #expect(mailbox.put(number)) }
        #expect(mailbox.take(countMax: 3) == [1, 2, 3])
        #expect(mailbox.take(countMax: 3) == [4, 5])
    }

    @Test func `a full mailbox refuses by count and by size`() {
        let counted = Mailbox<Int>(countMax: 2)
        #expect(counted.put(1) && counted.put(2) && !counted.put(3))
        let sized = Mailbox<Int>(countMax: 10, sizeMax: 100)
        #expect(sized.put(1, size: 60) && !sized.put(2, size: 41) && sized.put(3, size: 40))
        #expect(sized.take(countMax: 10) == [1, 3])
        #expect(sized.put(4, size: 100))
    }

    @Test func `one element is handed out even when it is larger than asked for`() {
        let mailbox = Mailbox<Int>(countMax: 10)
        #expect(mailbox.put(1, size: 500) && mailbox.put(2, size: 1))
        #expect(mailbox.take(countMax: 10, sizeMax: 100) == [1])
        #expect(mailbox.take(countMax: 10, sizeMax: 100) == [2])
    }

    @Test func `a closed mailbox hands out what is left and then nothing`() {
        let mailbox = Mailbox<Int>(countMax: 10)
        #expect(mailbox.put(1))
        mailbox.close()
        #expect(!mailbox.put(2))
        #expect(mailbox.take(countMax: 10) == [1])
        #expect(mailbox.take(countMax: 10).isEmpty)
    }

    @Test func `several threads take every element once`() {
        let mailbox = Mailbox<Int>(countMax: 100_000)
        let sum = Atomic(0)
        let takers = SumTakers(mailbox, sum: { sum.add($0, ordering: .relaxed) })
        for number in 1...20_000 { #expect(mailbox.put(number)) }
        mailbox.close()
        takers.join()
        #expect(sum.load(ordering: .relaxed) == 20_000 * 20_001 / 2)
    }
}

/// Four threads that add up what they take.
private struct SumTakers {
    private let threads: [WorkerThread]

    init(_ mailbox: Mailbox<Int>, sum: @escaping @Sendable (Int) -> Void) {
        threads = (1...4).map { number in
            WorkerThread(name: "taker \(number)") {
                while true {
                    let taken = mailbox.take(countMax: 7)
                    if taken.isEmpty { return }
                    sum(taken.reduce(0, +))
                }
            }
        }
    }

    func join() { for thread in threads { thread.join() } }
}
