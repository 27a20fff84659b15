internal import Dispatch
internal import Synchronization

/// A bounded queue between threads: whoever puts never waits, whoever takes may.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var sizes: [Int] = []
        var size = 0
        var isClosed = false

        mutating func takeFirst(countMax: Int, sizeMax: Int) -> [Element] {
            var count = 0
            var taken = 0
            while count < min(countMax, elements.count), count == 0 || taken + sizes[count] <= sizeMax {
                taken += sizes[count]
                count += 1
            }
            let first = Array(elements.prefix(count))
            elements.removeFirst(count)
            sizes.removeFirst(count)
            size -= taken
            return first
        }
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let countMax: Int
    private let sizeMax: Int

    /// - Parameters:
    ///   - countMax: the most elements that wait.
    ///   - sizeMax: the most that their sizes may add up to, in the unit of ``put(_:size:)``.
    package init(countMax: Int, sizeMax: Int = .max) {
        self.countMax = countMax
        self.sizeMax = sizeMax
    }

    /// What waits now.
    package var count: Int { state.withLock { $0.elements.count } }

    /// Adds an element; false when the queue is full or closed, and the element was not taken.
    package func put(_ element: Element, size: Int = 0) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.elements.count < countMax, state.size + size <= sizeMax else { return false }
            state.elements.append(element)
            state.sizes.append(size)
            state.size += size
            return true
        }
        if isTaken { available.signal() }
        return isTaken
    }

    /// Waits for elements and takes the first ones in order: at least one, at most `countMax`, and no more than fit
    /// `sizeMax` unless it is a single one.
    ///
    /// Empty when the queue is closed and nothing is left.
    package func take(countMax: Int, sizeMax: Int = .max) -> [Element] {
        while true {
            let (taken, isOver) = state.withLock { state in
                (state.takeFirst(countMax: countMax, sizeMax: sizeMax), state.isClosed)
            }
            if !taken.isEmpty || isOver { return taken }
            available.wait()
        }
    }

    /// Takes no more elements; those that wait are still handed out.
    package func close() {
        state.withLock { $0.isClosed = true }
        // One for each taker that may wait; there are never more than a few threads.
        for _ in 0..<Self.takersMax { available.signal() }
    }

    /// The most threads that take from one mailbox.
    package static var takersMax: Int { 64 }
}
