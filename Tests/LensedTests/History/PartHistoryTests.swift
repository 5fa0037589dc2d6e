import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A history of a part undoes that part, and leaves the others alone", .timeLimit(.minutes(30)))
struct PartHistoryTests {
  @Test func `undo and redo restore the part, and nothing else`() throws {
    let history = History(\App.document)
    let store = try makeStore(history)
    #expect(!history.canUndo)
    store.dispatch(Edit.type("a"))
    store.dispatch(CountAction.add(1))
    store.dispatch(Edit.type("b"))
    store.dispatch(CountAction.add(1))
    #expect(history.entries.map(\.state.document.text) == ["", "a", "ab"])
    #expect(history.entries.map(\.state.count) == [2, 2, 2])
    #expect(history.undo())
    #expect(store.document.text == "a")
    #expect(store.count == 2)
    store.dispatch(CountAction.add(1))
    #expect(history.canRedo)
    #expect(history.redo())
    #expect(store.document.text == "ab")
    #expect(store.count == 3)
    #expect(!history.redo())
    #expect(history.jump(to: history.entries[0].revision))
    #expect(store.document == Document())
    #expect(!history.undo())
    #expect(!history.jump(to: 999))
  }

  @Test(.warnsOnPurpose)
  func `an action for another part keeps what can be redone; one for the part drops it`()
    throws
  {
    let history = History(\App.document)
    let store = try makeStore(history)
    for text in ["a", "b", "c"] { store.dispatch(Edit.type(text)) }
    history.undo()
    history.undo()
    store.dispatch(CountAction.add(1))
    store.dispatch(StrayAction())
    #expect(history.entries.count == 4)
    store.dispatch(Edit.type("x"))
    #expect(history.entries.map(\.state.document.text) == ["", "a", "ax"])
  }

  @Test func `a commit that leaves an equal part is no step`() throws {
    let history = History(\App.document)
    let store = try makeStore(history)
    store.dispatch(Edit.keep)
    #expect(!history.canUndo)
  }

  @Test func `what recording refuses is no step, and belongs to the step before it`() throws {
    let history = History(
      \App.document,
      recording: { change in
        if case .move? = change.action as? Edit { false } else { true }
      })
    let store = try makeStore(history)
    store.dispatch(Edit.type("a"))
    store.dispatch(Edit.move(1))
    store.dispatch(Edit.type("b"))
    store.dispatch(Edit.move(2))
    #expect(history.entries.count == 3)
    history.undo()
    #expect(store.document == Document(text: "a", cursor: 1))
    store.dispatch(Edit.move(7))
    #expect(history.canRedo)
    history.redo()
    #expect(store.document == Document(text: "ab", cursor: 2))
    history.undo()
    #expect(store.document == Document(text: "a", cursor: 7))
  }

  @Test func `a group is one step, and an undo ends it`() throws {
    let history = History(
      \App.document,
      grouping: { previous, next in
        guard case .type? = previous.action as? Edit, case .type? = next.action as? Edit else {
          return false
        }
        return previous.revision < next.revision
      })
    let store = try makeStore(history)
    for text in ["a", "b", "c"] { store.dispatch(Edit.type(text)) }
    store.dispatch(Edit.move(3))
    for text in ["d", "e"] { store.dispatch(Edit.type(text)) }
    #expect(history.entries.map(\.state.document.text) == ["", "abc", "abc", "abcde"])
    #expect(history.entries[1].actions as? [Edit] == [.type("a"), .type("b"), .type("c")])
    history.undo()
    #expect(store.document == Document(text: "abc", cursor: 3))
    history.undo()
    // It would join the step of "abc", had that not been reached by an undo.
    store.dispatch(Edit.type("x"))
    store.dispatch(Edit.type("y"))
    #expect(history.entries.map(\.state.document.text) == ["", "abc", "abcxy"])
  }

  @Test func `a replacement joins no group, and nothing joins it`() throws {
    let history = History(
      \App.document,
      grouping: { previous, next in
        // Of a replacement, which has no actions, this is true.
        [previous, next].allSatisfy { $0.actions.allSatisfy { $0 is Edit } }
      })
    let store = try makeStore(history)
    for text in ["a", "b"] { store.dispatch(Edit.type(text)) }
    store.replaceState(App(document: Document(text: "new")))
    for text in ["x", "y"] { store.dispatch(Edit.type(text)) }
    store.replaceState(App(document: Document(text: "newer")))
    store.replaceState(App(document: Document(text: "newest")))
    let texts = ["", "ab", "new", "newxy", "newer", "newest"]
    #expect(history.entries.map(\.state.document.text) == texts)
    for text in texts.dropLast().reversed() {
      history.undo()
      #expect(store.document.text == text)
    }
  }

  @Test func `the limit counts steps`() async throws {
    let history = History(\App.document, limit: 2)
    let store = try makeStore(history)
    for text in ["a", "b", "c"] { store.dispatch(Edit.type(text)) }
    #expect(history.entries.map(\.state.document.text) == ["a", "ab", "abc"])
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = History(\App.document, limit: 0)
    }
  }

  @Test func `an array is one step, and a replacement of all is one too`() throws {
    let history = History(\App.document)
    let store = try makeStore(history)
    store.dispatch([Edit.type("a"), .type("b")])
    store.replaceState(App(document: Document(text: "new"), count: 5))
    #expect(history.entries.map(\.state.document.text) == ["", "ab", "new"])
    history.undo()
    #expect(store.document.text == "ab")
    #expect(store.count == 5)
  }

  @Test func `an undo wakes the observers of the part alone`() throws {
    let history = History(\App.document)
    let store = try makeStore(history)
    let (documents, counts, wholes) = (Recorder<String>(), Recorder<Int>(), Recorder<Int>())
    let changes = Recorder<[Bool]>()
    struct Watcher: Middleware {
      typealias State = App
      let changes: Recorder<[Bool]>
      func didReduce(_ change: Change<App>) {
        changes.append([
          change.cause == .replacement, change.isHandled, change.touches(\.document.text),
          change.touches(\.count), change.touches(\.self),
        ])
      }
    }
    let watching = store.attach(Watcher(changes: changes))
    let subscriptions = [
      store.states(\.document.text).subscribe { documents.append($0) },
      store.states(\.count, repeats: .kept).subscribe { counts.append($0) },
      store.states.subscribe { wholes.append($0.count) },
    ]
    store.dispatch(Edit.type("a"))
    history.undo()
    #expect(documents.values == ["", "a", ""])
    #expect(counts.values == [0])
    #expect(wholes.count == 3)
    #expect(
      changes.values == [[false, true, true, false, true], [true, false, true, false, true]])
    for subscription in subscriptions { subscription.cancel() }
    watching.cancel()
  }

  @Test func `an undo of a part leaves the asynchronous reducers of others running`() async throws {
    let gate = Gate()
    let history = History(\App.document)
    let store = try makeStore(history) {
      AsyncMutator(\App.title) { (_: String, action: TitleAction) -> AsyncResult<String> in
        AsyncResult {
          try await gate.wait()
          return "\(action)"
        }
      }
    }
    store.dispatch(Edit.type("a"))
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    history.undo()
    gate.open()
    try await task.finish()
    #expect(store.title == "rename(\"x\")")
  }

  @Test func `an undo of the part that an asynchronous reducer owns ends its events`() async throws
  {
    let gate = Gate()
    let history = History(\App.title)
    let store = try makeStore(history) {
      AsyncMutator(\App.title) { (title: String, action: TitleAction) -> AsyncResult<String> in
        if action == .rename("now") { return AsyncResult(value: "now") }
        return AsyncResult {
          try await gate.wait()
          return "late"
        }
      }
    }
    try await store.dispatch(TitleAction.rename("now")).finish()
    #expect(history.entries.map(\.state.title) == ["", "now"])
    let task = store.dispatch(TitleAction.rename("late"))
    await gate.waitForWaiters()
    history.undo()
    gate.open()
    try? await task.finish()
    #expect(store.title == "")
  }

  @Test func `the closures may use the store and the history`() throws {
    struct WeakStore: Sendable { weak let store: Store<App>? }
    let counts = Recorder<Int?>()
    let handle = Recorder<WeakStore>()
    let history = History(
      \App.document,
      recording: { _ in
        counts.append(handle.values[0].store?.count)
        return true
      })
    do {
      let store = try makeStore(history)
      handle.append(WeakStore(store: store))
      store.dispatch(Edit.type("a"))
      #expect(history.undo())
      #expect(counts.values == [0])
    }
  }

  @Test func `after its store has gone a history keeps its entries, and can begin elsewhere`()
    throws
  {
    let history = History(\App.document)
    do { try makeStore(history).dispatch(Edit.type("a")) }
    #expect(history.entries.map(\.state.document.text) == ["", "a"])
    #expect(!history.undo())
    let other = try makeStore(history)
    #expect(history.entries.count == 1)
    other.dispatch(Edit.type("b"))
    #expect(history.undo())
    #expect(other.document.text == "")
  }

  @Test func `two histories of two parts in one store`() throws {
    let (documents, counts) = (History(\App.document), History(\App.count))
    let store = try makeStore(documents)
    let attached = store.attach(counts)
    store.dispatch(Edit.type("a"))
    store.dispatch(CountAction.add(1))
    #expect(documents.undo())
    #expect(store.count == 1)
    #expect(counts.undo())
    #expect(counts.entries.count == 2)
    #expect(documents.redo())
    #expect(store.document.text == "a")
    #expect(store.count == 0)
    attached.cancel()
  }

  /// Threads edit both parts while others undo and redo one of them.
  @Test func `on many threads each step is undone to the step before it`() throws {
    for round in 0..<(30 * VerificationLength.factor) {
      let history = History(\App.document, limit: 10_000, recording: { _ in true })
      let store = try makeStore(history)
      Threads.run(4) { thread in
        for number in 0..<50 {
          switch thread {
          case 0, 1: store.dispatch(Edit.type("x"))
          case 2: store.dispatch(CountAction.add(1))
          default: if number.isMultiple(of: 2) { history.undo() } else { history.redo() }
          }
        }
      }
      #expect(store.count == 50, "round \(round)")
      #expect(history.entries[history.position].state.document.text == store.document.text)
      // Each step has one character more than the one before.
      let lengths = history.entries.map(\.state.document.text.count)
      #expect(lengths == Array(0..<lengths.count), "round \(round)")
      while history.undo() {}
      #expect(store.document.text == "")
      #expect(store.count == 50)
    }
  }
}
