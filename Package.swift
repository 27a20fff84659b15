// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: language mode 6 and the upcoming features, so that imports, existentials,
/// isolation and sendability are decisions that stand in the code.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
]

/// Targets that call C say where they leave memory safety.
let atTheCEdge = strict + [.strictMemorySafety()]

let cStrict: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

func testTarget(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "ledgerd",
    products: [
        .executable(name: "ledgerd", targets: ["LedgerD"])
    ],
    targets: [
        .target(name: "LedgerCore", swiftSettings: strict),

        .systemLibrary(name: "CThreads"),
        .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: atTheCEdge),

        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "Postgres", dependencies: ["CPostgres", "Threads"], swiftSettings: atTheCEdge),

        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "JWS", dependencies: ["COpenSSL", "LedgerCore"], swiftSettings: atTheCEdge),

        .target(name: "CHTTP", cSettings: cStrict, linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "HTTPServer", dependencies: ["CHTTP"], swiftSettings: atTheCEdge),

        .target(
            name: "EventStore",
            dependencies: ["Postgres", "LedgerCore", "Threads"],
            resources: [.embedInCode("Migrations"), .embedInCode("SQL")],
            swiftSettings: strict
        ),
        .target(
            name: "Projections",
            dependencies: ["EventStore", "Postgres", "LedgerCore", "Threads"],
            resources: [.embedInCode("SQL")],
            swiftSettings: strict
        ),

        .target(name: "StoreSimulator", dependencies: ["JWS", "LedgerCore"], swiftSettings: strict),

        .executableTarget(
            name: "LedgerD",
            dependencies: [
                "LedgerCore", "Postgres", "JWS", "HTTPServer", "EventStore", "Projections", "StoreSimulator", "Threads",
            ],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "VerifyBench",
            dependencies: ["JWS", "LedgerCore", "StoreSimulator"],
            path: "Benchmarks/VerifyBench",
            swiftSettings: strict
        ),

        .target(name: "CLoad", path: "Benchmarks/CLoad", cSettings: cStrict),
        .executableTarget(
            name: "LedgerBench",
            dependencies: ["CLoad", "EventStore", "JWS", "LedgerCore", "Postgres", "StoreSimulator", "Threads"],
            path: "Benchmarks/LedgerBench",
            swiftSettings: atTheCEdge
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Postgres", "EventStore", "LedgerCore", "JWS", "StoreSimulator"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        testTarget("LedgerCore", []),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict),
        testTarget("LedgerBench", ["EventStore", "JWS", "LedgerCore", "StoreSimulator"]),
        testTarget("Postgres", ["Threads"]),
        testTarget("JWS", ["LedgerCore", "StoreSimulator"]),
        testTarget("HTTPServer", []),
        testTarget("EventStore", ["LedgerCore", "Postgres", "StoreSimulator", "JWS", "Threads"]),
        testTarget("Projections", ["LedgerCore", "Postgres", "EventStore", "StoreSimulator", "JWS"]),
        testTarget("StoreSimulator", ["LedgerCore", "JWS"]),
        testTarget(
            "LedgerD",
            ["LedgerCore", "Postgres", "JWS", "HTTPServer", "EventStore", "Projections", "StoreSimulator", "Threads"],
            resources: [.copy("Cases")]
        ),
    ]
)
