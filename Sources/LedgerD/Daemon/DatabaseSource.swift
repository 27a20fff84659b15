import HTTPServer
import Postgres

/// Lets a database connection live in the HTTP server's loop.
final class DatabaseSource: LoopSource {
    private let connection: NonBlockingConnection
    private var generation = 0

    init(_ connection: NonBlockingConnection) {
        self.connection = connection
        connection.onDescriptorChange = { [unowned self] _ in generation += 1 }
    }

    var registration: LoopRegistration? {
        guard let descriptor = connection.descriptor else { return nil }
        var interest: LoopInterest = []
        if connection.wantsRead { interest.insert(.read) }
        if connection.wantsWrite { interest.insert(.write) }
        return LoopRegistration(descriptor: descriptor, interest: interest, generation: generation)
    }

    var deadline: MonotonicTime? {
        connection.nextDeadline.map { .now + ContinuousClock.now.duration(to: $0) }
    }

    func descriptorReady(_ interest: LoopInterest) {
        connection.ready(readable: interest.contains(.read), writable: interest.contains(.write))
    }

    func deadlineReached() { connection.tick(.now) }

    func roundEnded() { connection.flush() }
}
