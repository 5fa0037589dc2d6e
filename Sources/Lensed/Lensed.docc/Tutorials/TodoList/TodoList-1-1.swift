// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodoList",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(path: "../Lensed")],
  targets: [
    .executableTarget(
      name: "TodoList",
      dependencies: [.product(name: "Lensed", package: "Lensed")]),
    .testTarget(
      name: "TodoListTests",
      dependencies: [
        "TodoList",
        .product(name: "LensedTesting", package: "Lensed"),
      ]),
  ]
)
