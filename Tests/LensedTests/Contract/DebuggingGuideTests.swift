import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// What the article `Debugging` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to debugging", .timeLimit(.minutes(30)))
struct DebuggingGuideTests {
  private struct Shop: Sendable, Equatable, Codable {
    var cart: [String] = []
    var seconds = 0
  }
  private enum CartAction: Action, Hashable, Codable { case add(String) }
  private struct Tick: Action, Codable {}

  @StoreBuilder<Shop>
  private static func parts() -> [StorePart<Shop>] {
    Mutator(\Shop.cart) { (cart: inout [String], action: CartAction) in
      if case .add(let item) = action { cart.append(item) }
    }
    Mutator(\Shop.seconds) { (seconds: inout Int, _: Tick) in seconds += 1 }
  }

  @Test func `from the log to the replay`() throws {
    let parts = Self.parts
    let print: @Sendable (String) -> Void = { _ in }

    // GUIDE: Log
    let history = History<Shop>(limit: 1_000)
    let logger = ActionLogger<Shop>(excluding: [Tick.self]) { print($0) }
    let throttle = ActionThrottle<Shop>(for: .milliseconds(300))
    let store = try Store(
      initialState: Shop(), middleware: [throttle, history, logger], parts: parts)
    // GUIDE: end

    // GUIDE: Wiring
    print("\(store.wiring)")
    // cart: Array<String>, reduced at Shop/Shop.swift:12
    //   CartAction
    // GUIDE: end
    #expect(store.wiring.parts.map(\.actions) == [["CartAction"], ["Tick"]])

    // GUIDE: Undo
    store.dispatch(CartAction.add("book"))
    store.dispatch(CartAction.add("lamp"))
    history.undo()
    // store.cart == ["book"]
    history.redo()
    // store.cart == ["book", "lamp"]
    if let first = history.entries.first(where: { $0.actions.contains { $0 is CartAction } }) {
      history.jump(to: first.revision)
    }
    // store.cart == ["book"]
    // GUIDE: end

    #expect(store.cart == ["book"])

    // GUIDE: Registry
    let registry = ActionRegistry(.json)
      .adding(CartAction.self)
      .adding(Tick.self, named: "tick")
    // GUIDE: end

    let folder = FileManager.default.temporaryDirectory.appending(path: "debugging-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    // GUIDE: Export
    let report = folder.appending(path: "report.lensed")
    try RecordedSession(history)?.write(to: report, registry)
    // GUIDE: end

    // GUIDE: Record
    let recorder = SessionRecorder<Shop>()
    let shop = try Store(initialState: Shop(), middleware: [recorder], parts: parts)
    shop.dispatch([CartAction.add("lamp"), .add("book")])
    let whole = folder.appending(path: "whole.lensed")
    try recorder.session?.write(to: whole, registry)
    // GUIDE: end

    #expect(shop.cart == ["lamp", "book"])
    #expect(try RecordedSession<Shop>(reading: whole, registry).count == 1)

    // GUIDE: Replay
    let session = try RecordedSession<Shop>(reading: report, registry)
    let fresh = try Store(initialState: Shop(), parts: parts)
    fresh.replay(session) { step, state in
      #expect(Set(state.cart).count == state.cart.count, "a book twice, after commit \(step)")
    }
    // GUIDE: end

    #expect(fresh.state == store.state)

    // GUIDE: Keep
    let data = try JSONEncoder().encode(store.settledState)
    store.replaceState(try JSONDecoder().decode(Shop.self, from: data))
    // GUIDE: end

    #expect(store.cart == ["book"])
  }

  @Test func `middleware refuses an action`() throws {
    let parts = Self.parts
    // GUIDE: Middleware
    struct OpeningHours: Middleware {
      let isOpen: @Sendable () -> Bool

      func willReduce(_ action: any Action, _ context: MiddlewareContext<Shop>) -> Verdict {
        action is CartAction && !isOpen() ? .drop : .proceed
      }
      func didReduce(_ change: Change<Shop>) {
        if !change.isHandled { print("#\(change.revision): nothing handled \(change.actions)") }
      }
    }
    let closed = try Store(
      initialState: Shop(), middleware: [OpeningHours(isOpen: { false })], parts: parts)
    let revision = closed.dispatch(CartAction.add("book")).revision  // nil: no commit
    // GUIDE: end
    #expect(revision == nil)
    #expect(closed.cart == [])
    let open = try Store(
      initialState: Shop(), middleware: [OpeningHours(isOpen: { true })], parts: parts)
    #expect(open.dispatch(CartAction.add("book")).revision == 1)
    #expect(open.cart == ["book"])
  }

  @Test func `the guide and the test say the same`() throws {
    let guide = try CodeRegions.swiftBlocks(ofArticle: "Debugging")
    let test = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(!guide.isEmpty)
    #expect(guide == test)
  }
}
