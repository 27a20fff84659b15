import FoundationEssentials
import JWS
import LedgerCore

/// The files that a configuration names, read and parsed: what can be wrong with them is said before anything starts.
struct DaemonInputs {
    var roots: TrustedRoots
    var catalog: Catalog

    /// A catalog is never larger.
    private static let catalogBytesMax = 16 << 20

    /// - Throws: ``InputError`` naming the file.
    init(_ configuration: Configuration) throws(InputError) {
        do throws(TrustedRootsError) {
            roots = try TrustedRoots(entries: configuration.trustedRoots)
        } catch { throw InputError(description: "trustedRoots: \(error)") }
        guard let path = configuration.catalog else {
            catalog = .empty
            return
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.catalogBytesMax else {
            throw InputError(description: "catalog: the file \(path) cannot be read, or is larger than 16 MiB.")
        }
        do throws(CatalogError) { catalog = try Catalog(json: Array(data)) } catch {
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
