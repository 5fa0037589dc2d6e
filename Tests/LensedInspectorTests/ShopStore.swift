import Foundation
import Lensed
import LensedInspector
import LensedPersistence
import LensedTesting

/// A small app to look at.
struct Shop: Codable, Sendable, Equatable {
  struct Good: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var title: String
  }

  var name = "Shop"
  var count = 0
  var goods: Entities<Good> = []

  static let registry = ActionRegistry(.json).adding(Rename.self).adding(Add.self)
    .adding(AddGood.self)

  static func makeStore(
    _ middleware: [any Middleware<Shop>],
    onEffectError: @escaping EffectErrorHandler = { _ in },
    onWarning: @escaping StoreWarningHandler = { _ in }
  ) throws -> Store<Shop> {
    try Store(
      initialState: Shop(), middleware: middleware, onEffectError: onEffectError,
      onWarning: onWarning, clock: ManualClock()
    ) {
      Mutator(\.name) { (name: inout String, action: Rename) in name = action.name }
        .on(Secret.self) { _, _ in }
      Mutator(\.count) { (count: inout Int, action: Add) in count += action.by }
      Mutator(\.goods) { (goods: inout Entities<Good>, action: AddGood) in
        goods.append(Good(id: action.id, title: action.title))
      }
      Effect(on: Order.self) { order, context in
        context.dispatch(AddGood(id: 1, title: order.title))
      }
      .named("Ordering")
      Effect(on: Secret.self) { secret, _ in throw secret }.named("Telling")
    }
  }

  /// A session in a file, of so many commits of which each sets off the next.
  static func recordChain(of count: Int, _ file: URL) async throws {
    let recorder = try SessionRecorder<Shop>(to: file, registry) { _ in }
    let store = try Store(
      initialState: Shop(count: count), coverage: .partial, middleware: [recorder],
      onWarning: { _ in }, clock: ManualClock()
    ) {
      Mutator(\Shop.count) { (count: inout Int, action: Add) in count += action.by }
      Effect(on: Add.self) { add, context in
        if context.state.count > 0 { context.dispatch(add) }
      }
      .named("Going on")
    }
    store.dispatch(Add(by: -1))
    try await store.settled()
  }

  /// A session of some commits in a file.
  static func record(_ file: URL, _ body: (Store<Shop>) -> Void) throws {
    let recorder = try SessionRecorder<Shop>(to: file, registry) { _ in }
    body(try makeStore([recorder]))
  }
}

struct Rename: Action, Codable { var name: String }
struct Add: Action, Codable { var by: Int }
struct AddGood: Action, Codable {
  var id: Int
  var title: String
}
struct Order: Action, Codable { var title: String }
struct Unknown: Action {}
struct Secret: Action, Error, NotLogged { var text: String }

enum Folder {
  static func run(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}
