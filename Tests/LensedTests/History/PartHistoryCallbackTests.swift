import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "What a history of a part calls may dispatch, and may use the history", .timeLimit(.minutes(30)))
struct PartHistoryCallbackTests {
  /// Runs what a callback is to do, a few times at most: each commit on the part calls the callback again.
  final class Hook: Sendable {
    private struct Contents: Sendable {
      var act: (@Sendable () -> Void)?
      var runs = 0
      var depth = 0
      var deepest = 0
    }

    private let contents = Locked(Contents())

    var runs: Int { contents.withLock(\.runs) }
    /// How many calls were inside of one another at most.
    var deepest: Int { contents.withLock(\.deepest) }

    func set(_ act: (@Sendable () -> Void)?) {
      let former = contents.withLock { exchange(&$0.act, with: act) }
      withExtendedLifetime(former) {}
    }

    func call() {
      let act = contents.withLock { contents -> (@Sendable () -> Void)? in
        contents.depth += 1
        contents.deepest = max(contents.deepest, contents.depth)
        if contents.act == nil || contents.runs == 5 { return nil }
        contents.runs += 1
        return contents.act
      }
      act?()
      contents.withLock { $0.depth -= 1 }
    }
  }

  enum Callback: CaseIterable, Sendable { case equality, recording, grouping, release }

  enum Act: CaseIterable, Sendable {
    case editPart, editOther, replaceAll, readState
    case canUndo, canRedo, position, entries, undo, redo, jump
    case dropStore
  }

  struct Document: Sendable, Equatable {
    private final class Leaving: Sendable {
      let hook: Hook?
      init(_ hook: Hook?) { self.hook = hook }
      deinit { hook?.call() }
    }

    var text = "" { didSet { leaving = Leaving(releaseHook) } }
    private let equalityHook: Hook?
    private let releaseHook: Hook?
    private var leaving: Leaving

    init(_ callback: Callback, _ hook: Hook) {
      equalityHook = callback == .equality ? hook : nil
      releaseHook = callback == .release ? hook : nil
      leaving = Leaving(releaseHook)
    }

    static func == (left: Document, right: Document) -> Bool {
      left.equalityHook?.call()
      return left.text == right.text
    }
  }

  struct App: Sendable {
    var document: Document
    var count = 0
  }

  struct Edit: Action { var text: String }

  private func makeHistory(_ callback: Callback, _ hook: Hook) -> History<App> {
    History(
      \App.document, limit: callback == .release ? 1 : 100,
      recording: { _ in
        if callback == .recording { hook.call() }
        return true
      },
      grouping: { _, _ in
        if callback == .grouping { hook.call() }
        return false
      })
  }

  @Test(arguments: Callback.allCases, Act.allCases)
  func `what a callback does ends, and no callback runs inside of another`(
    callback: Callback, act: Act
  ) throws {
    let (hook, travels) = (Hook(), Recorder<Bool>())
    let history = makeHistory(callback, hook)
    let holder = Locked<Store<App>?>(
      try Store(initialState: App(document: Document(callback, hook)), middleware: [history]) {
        Mutator(\.document) { (document: inout Document, edit: Edit) in document.text += edit.text }
        Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
      })
    let store = { @Sendable in holder.withLock { $0 } }
    hook.set {
      switch act {
      case .editPart: store()?.dispatch(Edit(text: "x"))
      case .editOther: store()?.dispatch(CountAction.add(1))
      case .replaceAll: if let state = store()?.state { store()?.replaceState(state) }
      case .readState: _ = store()?.state
      case .canUndo: _ = history.canUndo
      case .canRedo: _ = history.canRedo
      case .position: _ = history.position
      case .entries: _ = history.entries
      case .undo: travels.append(history.undo())
      case .redo: travels.append(history.redo())
      case .jump: travels.append(history.jump(to: 1))
      case .dropStore: withExtendedLifetime(holder.withLock { $0.take() }) {}
      }
    }
    for text in ["a", "b", "c"] { store()?.dispatch(Edit(text: text)) }
    hook.set(nil)
    #expect(hook.runs > 0)
    // Values are released wherever a commit replaces them, also by what such a release dispatches.
    if callback != .release {
      #expect(hook.deepest == 1)
      #expect(!travels.values.contains(true), "the commit that it is asked about is no step yet")
    }
    guard let store = store() else { return #expect(!history.undo()) }
    #expect(history.entries[history.position].state.document.text == store.document.text)
    while history.undo() {}
    #expect(history.entries[0].state.document.text == store.document.text)
    #expect(callback == .release || store.document.text == "")
  }

  @Test func `inside of a callback the history is as it was before the commit`() throws {
    let (hook, seen) = (Hook(), Recorder<[Int]>())
    let history = makeHistory(.recording, hook)
    let store = try Store(
      initialState: App(document: Document(.recording, hook)), middleware: [history]
    ) {
      Mutator(\.document) { (document: inout Document, edit: Edit) in document.text += edit.text }
      Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
    }
    hook.set { seen.append([history.position, history.entries.count]) }
    for text in ["a", "b"] { store.dispatch(Edit(text: text)) }
    hook.set(nil)
    #expect(seen.values == [[0, 1], [1, 2]])
    #expect(history.position == 2)
  }

  @Test func `a callback that undoes a step of another history does so`() throws {
    let hook = Hook()
    let (history, counts) = (makeHistory(.recording, hook), History(\App.count))
    let store = try Store(
      initialState: App(document: Document(.recording, hook)), middleware: [history, counts]
    ) {
      Mutator(\.document) { (document: inout Document, edit: Edit) in document.text += edit.text }
      Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
    }
    store.dispatch(CountAction.add(1))
    hook.set { _ = counts.undo() }
    store.dispatch(Edit(text: "a"))
    hook.set(nil)
    #expect(store.count == 0)
    #expect(history.undo())
  }
}
