// swift-tools-version: 6.2

import PackageDescription

/// One set of habits for every Swift target: complete checking, and no warning left standing.
let habits: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Lensed",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Lensed", targets: ["Lensed"]),
    .executable(name: "repo-pulse", targets: ["repo-pulse"]),
    .executable(name: "lensed-benchmarks", targets: ["lensed-benchmarks"]),
  ],
  targets: [
    .target(name: "LensedThreadPointer"),
    .target(name: "Lensed", dependencies: ["LensedThreadPointer"], swiftSettings: habits),
    .executableTarget(name: "repo-pulse", dependencies: ["Lensed"], swiftSettings: habits),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "lensed-benchmarks",
      dependencies: ["Lensed", "LensedTestSupport", "AllocationCounter"],
      path: "Benchmarks/lensed-benchmarks",
      swiftSettings: habits
    ),
    .target(
      name: "LensedTestSupport",
      dependencies: ["Lensed"],
      path: "Tests/Support",
      swiftSettings: habits
    ),
    .testTarget(
      name: "LensedTests",
      dependencies: ["Lensed", "LensedTestSupport", "AllocationCounter"],
      swiftSettings: habits
    ),
    .testTarget(
      name: "RepoPulseTests",
      dependencies: ["repo-pulse", "LensedTestSupport"],
      swiftSettings: habits
    ),
  ]
)

// The fuzzer is for toolchains that have libFuzzer, and for nobody who depends on the package.
if Context.environment["LENSED_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "journal-fuzzer",
      dependencies: ["Lensed"],
      path: "Tests/Fuzzing",
      swiftSettings: habits + [.unsafeFlags(["-parse-as-library"])]
    ))
}
