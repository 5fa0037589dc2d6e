// swift-tools-version: 6.2

import PackageDescription

/// The settings of every Swift target: complete checking.
var habits: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Continuous integration allows no warnings. A package that depends on this one must still build
// with a newer compiler and its new warnings.
if Context.environment["LENSED_WARNINGS_AS_ERRORS"] != nil {
  habits.append(.treatAllWarnings(as: .error))
}

// A batch of files is compiled by one process, which first expands the macros of the whole module. The compiler makes a
// batch of 25 files, and so spends a third of its time on the largest test target there. Release builds compile a
// module as one, on one core, which takes that target nearly twice as long as batches do. The modules of the library
// stay whole.
let habitsOfManyFiles =
  habits + [
    .unsafeFlags(["-driver-batch-size-limit", "150"]),
    .unsafeFlags(
      ["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release)),
  ]

let package = Package(
  name: "Lensed",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  // `lensed-inspect` is a product; the other executables are none, so a dependent does not see them, and `swift run`
  // finds them here.
  products: [
    .library(name: "Lensed", targets: ["Lensed"]),
    .library(name: "LensedPresenters", targets: ["LensedPresenters"]),
    .library(name: "LensedTesting", targets: ["LensedTesting"]),
    .library(name: "LensedPersistence", targets: ["LensedPersistence"]),
    .library(name: "LensedInspector", targets: ["LensedInspector"]),
    .executable(name: "lensed-inspect", targets: ["lensed-inspect"]),
  ],
  targets: [
    .target(name: "LensedThread"),
    .target(name: "Lensed", dependencies: ["LensedThread"], swiftSettings: habits),
    .target(name: "LensedPersistence", dependencies: ["Lensed"], swiftSettings: habits),
    // Without access to the package: what it needs of Lensed is public.
    .target(
      name: "LensedPresenters", dependencies: ["Lensed"], packageAccess: false,
      swiftSettings: habits),
    // For test targets alone: it imports Testing.
    .target(
      name: "LensedTesting", dependencies: ["Lensed", "LensedPersistence"], swiftSettings: habits),
    .executableTarget(
      name: "repo-pulse", dependencies: ["Lensed", "LensedPersistence", "LensedPrograms"],
      swiftSettings: habits),
    // Starts programs: for repo-pulse, and for tests.
    .target(name: "LensedPrograms", swiftSettings: habits),
    .executableTarget(name: "countdown", dependencies: ["Lensed"], swiftSettings: habits),
    .executableTarget(
      name: "document-server", dependencies: ["Lensed", "LensedPersistence", "LensedServer"],
      swiftSettings: habits),
    // A small HTTP server on the loopback interface: for the inspector and document-server.
    .target(name: "LensedServer", swiftSettings: habits),
    // The page is a page: Page/embed makes a Swift source of it, and a test compares the two.
    .target(
      name: "LensedInspector", dependencies: ["Lensed", "LensedPersistence", "LensedServer"],
      exclude: ["Page"], swiftSettings: habits),
    .executableTarget(
      name: "lensed-inspect", dependencies: ["Lensed", "LensedInspector", "LensedPersistence"],
      swiftSettings: habits),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "lensed-benchmarks",
      dependencies: ["Lensed", "LensedPersistence", "LensedStorm", "AllocationCounter"],
      path: "Benchmarks/lensed-benchmarks",
      swiftSettings: habits
    ),
    // What the benchmarks share with the tests, and so without Testing.
    .target(
      name: "LensedStorm",
      dependencies: ["Lensed"],
      path: "Tests/Storm",
      swiftSettings: habits
    ),
    // How many tests run at once: set by being linked, in C, before Swift Testing looks.
    .target(name: "LensedTestWidth", path: "Tests/Width"),
    .target(
      name: "LensedTestSupport",
      dependencies: [
        "Lensed", "LensedPrograms", "LensedServer", "LensedStorm", "LensedTesting",
        "LensedTestWidth", "AllocationCounter",
      ],
      path: "Tests/Support",
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedTests",
      dependencies: [
        "Lensed", "LensedPersistence", "LensedPresenters", "LensedTesting", "LensedTestSupport",
        "AllocationCounter",
      ],
      swiftSettings: habitsOfManyFiles
    ),
    .testTarget(
      name: "LensedPresentersTests",
      dependencies: [
        "Lensed", "LensedPersistence", "LensedPresenters", "LensedTesting", "LensedTestSupport",
      ],
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedTestingTests",
      dependencies: ["Lensed", "LensedPersistence", "LensedTesting", "LensedTestSupport"],
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedPersistenceTests",
      dependencies: [
        "Lensed", "LensedPersistence", "LensedTesting", "LensedTestSupport", "persistence-victim",
      ],
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedInspectorTests",
      dependencies: [
        "Lensed", "LensedInspector", "LensedPersistence", "LensedServer", "LensedTesting",
        "LensedTestSupport", "lensed-inspect",
      ],
      swiftSettings: habits
    ),
    // Boards and cards behind HTTP, which a test of the examples kills.
    .executableTarget(
      name: "tracker", dependencies: ["Lensed", "LensedPersistence", "LensedServer"],
      path: "Tests/Tracker", swiftSettings: habits),
    // A process that these tests kill.
    .executableTarget(
      name: "persistence-victim", dependencies: ["Lensed", "LensedPersistence"],
      path: "Tests/PersistenceVictim", swiftSettings: habits),
    // What the tutorials come to: links to the files of their last steps. What needs a network is only
    // type-checked, with every other step.
    .executableTarget(
      name: "TodoList", dependencies: ["Lensed"], path: "Tests/Tutorials/TodoList",
      swiftSettings: habits),
    .testTarget(
      name: "TodoListTests", dependencies: ["TodoList", "LensedTesting"],
      path: "Tests/Tutorials/TodoListTests", swiftSettings: habits),
    .target(
      name: "WikiSearch", dependencies: ["Lensed"], path: "Tests/Tutorials/WikiSearch",
      swiftSettings: habits),
    .testTarget(
      name: "WikiSearchTests", dependencies: ["WikiSearch", "LensedTesting"],
      path: "Tests/Tutorials/WikiSearchTests", swiftSettings: habits),
    // A whole app of features, with its tests.
    .testTarget(
      name: "TodoTests",
      dependencies: ["Lensed", "LensedTesting", "LensedTestSupport"],
      swiftSettings: habits
    ),
    // Uses the library as a new app project does: everything is on the main actor unless it says otherwise.
    .testTarget(
      name: "MainActorTests",
      dependencies: ["Lensed", "LensedPresenters", "LensedTesting", "LensedTestSupport"],
      swiftSettings: habits + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "countdown", "document-server", "tracker", "LensedServer", "LensedTesting",
        "LensedTestSupport",
      ],
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedServerTests",
      dependencies: ["LensedServer", "LensedTesting", "LensedTestSupport"],
      swiftSettings: habits
    ),
    .testTarget(
      name: "RepoPulseTests",
      dependencies: ["repo-pulse", "LensedPersistence", "LensedTesting", "LensedTestSupport"],
      swiftSettings: habits
    ),
  ]
)

// The fuzzer is only for toolchains with libFuzzer, and not for packages that depend on this one.
if Context.environment["LENSED_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "session-fuzzer",
      dependencies: ["Lensed", "LensedPersistence"],
      path: "Tests/SessionFuzzing",
      swiftSettings: habits + [.unsafeFlags(["-parse-as-library"])]
    ),
    .executableTarget(
      name: "record-fuzzer",
      dependencies: ["Lensed", "LensedPersistence"],
      path: "Tests/RecordFuzzing",
      swiftSettings: habits + [.unsafeFlags(["-parse-as-library"])]
    ),
  ]
}

// Continuous integration asks some questions of some rooms of the tests alone: of these folders or files of
// Tests/LensedTests, and of the test targets that stand among them.
if let rooms = Context.environment["LENSED_TEST_ROOMS"] {
  let words = rooms.split(separator: " ").map(String.init)
  let targets = words.filter { $0.hasSuffix("Tests") }
  var kept: Set = [
    "LensedThread", "Lensed", "LensedPresenters", "LensedPersistence", "LensedTesting",
    "LensedPrograms", "LensedServer",
    "AllocationCounter", "LensedStorm", "LensedTestWidth", "LensedTestSupport", "LensedTests",
  ]
  kept.formUnion(targets)
  if targets.contains("LensedPersistenceTests") { kept.insert("persistence-victim") }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { ["LensedInspector", "lensed-inspect"].contains($0.name) }
  for target in package.targets where target.name == "LensedTests" {
    target.sources = ["Shared"] + words.filter { !targets.contains($0) }
  }
}
