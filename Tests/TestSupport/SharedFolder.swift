package import Foundation
package import Testing

/// The documents beside the package, `../shared`: read in place, never copied.
package enum SharedFolder {
    /// The folder of the package, three above this file.
    package static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static let url = packageRoot.deletingLastPathComponent().appending(
        path: "shared",
        directoryHint: .isDirectory
    )

    /// A file or folder in it: `SharedFolder.file("merkle/README.md")`.
    package static func file(_ path: String) -> URL { url.appending(path: path) }

    /// Whether the folder is there.
    package static var exists: Bool { FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) }

    /// Whether tests that need it run.
    ///
    /// In CI (`CI=true`) they always do, so that a missing folder fails them.
    package static var isExpected: Bool { exists || ProcessInfo.processInfo.environment["CI"] == "true" }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that read ``SharedFolder`` when it is missing, except in CI.
    package static var needsSharedFolder: Self {
        .enabled(if: SharedFolder.isExpected, "the folder ../shared is not beside the package")
    }
}
