/// The parameters of one query, laid out as libpq wants them: one buffer of bytes, and where each value lies in it.
struct ParameterBuffer {
    /// The most parameters of a statement: the protocol counts them in 16 bits.
    static let parametersMax = 65_535
    /// The most bytes of one query's parameters; libpq and the server refuse messages past 1 GB.
    static let bytesMax = 512 << 20

    private var writer = BinaryWriter()
    private(set) var offsets: [Int] = []
    /// −1 marks NULL.
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    var bytes: [UInt8] { writer.bytes }

    /// Looks at the limits before anything is sent.
    /// - Throws: ``PostgresError/limitExceeded(what:limit:)``.
    static func check(_ parameters: [Parameter]) throws(PostgresError) {
        guard parameters.count <= parametersMax else {
            throw .limitExceeded(what: "parameters of a statement", limit: parametersMax)
        }
        guard parameters.reduce(0, { $0 + $1.sizeMax }) <= bytesMax else {
            throw .limitExceeded(what: "bytes of parameters", limit: bytesMax)
        }
    }

    /// Replaces what the buffer held.
    mutating func encode(_ parameters: [Parameter]) {
        writer.removeAll()
        // libpq takes a null pointer for NULL, so even an empty value needs an address.
        writer.append(UInt8(0))
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        while formats.count < parameters.count { formats.append(1) }
        for parameter in parameters {
            let start = writer.bytes.count
            let present = writer.append(parameter)
            offsets.append(start)
            lengths.append(present ? Int32(writer.bytes.count - start) : -1)
        }
    }

    /// Lends the arrays that `PQsendQueryPrepared` takes; they are valid only during the call.
    func withPointers<Value>(
        _ body: (
            _ count: Int32,
            _ values: UnsafePointer<UnsafePointer<CChar>?>?,
            _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        unsafe writer.bytes.withUnsafeBytes { base in
            unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: max(offsets.count, 1)) {
                values in
                for index in offsets.indices {
                    let address = lengths[index] < 0 ? nil : unsafe base.baseAddress?.advanced(by: offsets[index])
                    unsafe values.initializeElement(at: index, to: address?.assumingMemoryBound(to: CChar.self))
                }
                return unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(
                            Int32(offsets.count),
                            UnsafePointer(values.baseAddress),
                            lengths.baseAddress,
                            formats.baseAddress
                        )
                    }
                }
            }
        }
    }
}
