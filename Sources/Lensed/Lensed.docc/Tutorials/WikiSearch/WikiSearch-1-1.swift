// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "WikiSearch",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(path: "../Lensed")],
  targets: [
    .executableTarget(
      name: "WikiSearch",
      dependencies: [.product(name: "Lensed", package: "Lensed")]),
    .testTarget(
      name: "WikiSearchTests",
      dependencies: [
        "WikiSearch",
        .product(name: "LensedTesting", package: "Lensed"),
      ]),
  ]
)
