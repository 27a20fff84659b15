import FoundationEssentials
import JWS
import LedgerCore

/// The files that a configuration names, read and parsed: what can be wrong with them is said before anything starts.
struct DaemonInputs {
    var roots: TrustedRoots
    /// nil where no file is configured.
    var catalog: Catalog?

    /// A catalog is never larger: about 10,000 products, which the loop reads in about 30 ms when a version is new.
    private static let catalogBytesMax = 1 << 20

    /// - Throws: ``InputError`` naming the file.
    init(_ configuration: Configuration) throws(InputError) {
        do throws(TrustedRootsError) {
            roots = try TrustedRoots(entries: configuration.trustedRoots)
        } catch { throw InputError(description: "trustedRoots: \(error)") }
        catalog = try configuration.catalog.map { path throws(InputError) in try Self.catalog(at: path) }
    }

    /// The catalog in a file.
    /// - Throws: ``InputError`` naming the file, and what is wrong in it.
    static func catalog(at path: String) throws(InputError) -> Catalog {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= catalogBytesMax else {
            throw InputError(description: "catalog: the file \(path) cannot be read, or is larger than 1 MiB.")
        }
        do throws(CatalogError) { return try Catalog(json: Array(data)) } catch {
            throw InputError(description: "\(path): \(error)")
        }
    }
}

/// A file that the configuration names cannot be used.
///
/// Exit status 2.
struct InputError: Error, CustomStringConvertible {
    let description: String
}
