internal import Foundation
internal import StoreSimulator

/// A test chain in a folder: `root.der`, `intermediate.der`, `leaf.der`, `intermediate-key.pem`, `leaf-key.pem`.
///
/// The keys are of no worth: nothing outside a test trusts this root.
struct ChainFolder {
    let path: String

    /// The chain that is kept here; a new one is made and kept when there is none.
    func chain() throws(BenchError) -> TestChain {
        do {
            if FileManager.default.fileExists(atPath: url("root.der").path) { return try TestChain(try load()) }
            var shape = TestChain.Shape()
            shape.comments = .ofRealLength
            let chain = try TestChain(shape)
            try save(try chain.parts())
            return chain
        } catch { throw .badFile(path: path, problem: "no chain can be read or kept there (\(error))") }
    }

    private func load() throws -> TestChain.Parts {
        TestChain.Parts(
            root: try bytes("root.der"),
            intermediate: try bytes("intermediate.der"),
            leaf: try bytes("leaf.der"),
            intermediateKey: try bytes("intermediate-key.pem"),
            leafKey: try bytes("leaf-key.pem")
        )
    }

    private func save(_ parts: TestChain.Parts) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(parts.intermediate).write(to: url("intermediate.der"))
        try Data(parts.leaf).write(to: url("leaf.der"))
        try Data(parts.intermediateKey).write(to: url("intermediate-key.pem"))
        try Data(parts.leafKey).write(to: url("leaf-key.pem"))
        try Data(parts.root).write(to: url("root.der"))  // last: whoever finds it finds all of them
    }

    private func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }
}
