import LensedTestSupport
import Testing

@testable import Lensed

/// Until a child was seen whose parts are proved, what reaches it goes the slow way, and nothing else does.
@Suite("The proof of children that come later", .timeLimit(.minutes(30)))
struct ChildProofTests {
  private struct Leaf: Sendable, Equatable {
    var title = ""
    var orphan = 0
  }

  private struct Row: Sendable, Equatable {
    var sheet: Leaf?
    var leaves: [Leaf] = []
    var number = 0
  }

  private struct App: Sendable, Equatable {
    var rows: [Row] = [Row(), Row()]
  }

  private struct Touch: Action {}
  private struct Fill: Action {}
  private struct Rename: Action {}
  private struct Print: Action {}

  private static func naming<A: Action>(_ type: A.Type) -> Mutator<Leaf, String> {
    Mutator(\.title) { (title: inout String, _: A) in title += "x" }
  }

  /// A row whose parts come in an order; where it is not `isWhole`, nothing owns a property of the leaf in the sheet.
  private static func row(_ order: [Int], isWhole: Bool) -> Feature<Row> {
    let sheet = Feature<Leaf> {
      naming(Rename.self)
      if isWhole { Constant(\.orphan) }
    }
    let leaf = Feature<Leaf> {
      Constant(\.orphan)
      naming(Print.self)
    }
    return Feature {
      for part in order {
        if part == 0 { sheet.optional().lifted(\.sheet) }
        if part == 1 { leaf.offset().lifted(\.leaves) }
        if part == 2 {
          Mutator(\.sheet) { (sheet: inout Leaf?, _: Fill) in sheet = Leaf() }
        }
        if part == 3 { Mutator(\.number) { (number: inout Int, _: Touch) in number += 1 } }
      }
    }
  }

  private static func makeStore(_ order: [Int], isWhole: Bool = true) throws -> Store<App> {
    try Store(initialState: App(), onWarning: { _ in }) {
      row(order, isWhole: isWhole).offset().lifted(\.rows)
    }
  }

  private static let orders: [[Int]] = [0, 1, 2, 3].reduce([[]]) { orders, part in
    orders.flatMap { order in
      (0...order.count).map { Array(order[..<$0]) + [part] + Array(order[$0...]) }
    }
  }

  /// Whether the fast path takes an action whose type was dispatched before.
  private static func isFast(_ action: some Action, in store: Store<App>) -> Bool {
    let core = store.core
    let outcome = ActionBatch.lending(action) { core.commitFast($0.type, $0.first) }
    if outcome == .needsSlowPath { core.lock.unlock() }
    return outcome.revision > 0
  }

  @Test(arguments: orders)
  private func `in any order of the parts, only actions that reach an unseen child go the slow way`(
    _ order: [Int]
  ) throws {
    let store = try Self.makeStore(order)
    let (touch, fill, rename) = (Touch().element(0), Fill().element(0), Rename().element(0))
    let print = Print().element(0).element(0)
    func areFast() -> [Bool] {
      let actions: [any Action] = [touch, fill, rename, print]
      return actions.map { Self.isFast($0, in: store) }
    }
    // The second type has the table of routes grow, which forgets the first one.
    for action in [touch, rename, touch, print, fill] as [any Action] { store.dispatch(action) }
    #expect(areFast() == [true, true, false, false])
    store.dispatch(rename)
    #expect(areFast() == [true, true, true, false])
    store.replaceState(App(rows: [Row(sheet: Leaf(), leaves: [Leaf()])]))
    store.dispatch(print)
    #expect(areFast() == [true, true, true, true])
    #expect(store.rows[0].leaves == [Leaf(title: "xx")])
  }

  @Test(arguments: orders.filter { $0.last == 1 })
  private func `in any order of the parts, a child that does not fit traps when it is reduced`(
    _ order: [Int]
  ) async throws {
    await #expect(processExitsWith: .success) { [order] in
      let store = try Self.makeStore(order, isWhole: false)
      store.dispatch(Touch().element(0))
      store.dispatch(Fill().element(1))
      #expect(store.rows[1].sheet != nil)
    }
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [order] in
      let store = try Self.makeStore(order, isWhole: false)
      store.dispatch(Touch().element(0))
      store.replaceState(App(rows: [Row(sheet: Leaf())]))
      store.dispatch(Rename().element(0))
    }
    #expect(result.message.contains("`rows[0].sheet.orphan` has no reducer"), "\(order)")
  }
}
