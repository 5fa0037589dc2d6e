import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `A test store, where all is as the test says` {
  let clock = ManualClock()

  @Test func `a debounced search, step by step`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("ab")) { $0.query = "ab" }
    await clock.advance(by: .milliseconds(299))
    #expect(test.state.results == [])
    await clock.advance(by: .milliseconds(1))
    await test.receive(Found.self) { $0.results = ["abc"] }
    await test.finish()
  }

  @Test func `a trigger that gives way before it sleeps hangs nobody`() async throws {
    let test = try searchTest(.stub, clock)
    for query in ["a", "ab", "abc"] {
      await test.dispatch(QueryChanged(query)) { $0.query = query }
    }
    test.store.dispatch(QueryChanged("abcd"))
    test.store.dispatch(QueryChanged("abcde"))
    await test.receive(QueryChanged("abcd")) { $0.query = "abcd" }
    await test.receive(QueryChanged("abcde")) { $0.query = "abcde" }
    await clock.advance(by: .seconds(1))
    await test.receive(Found(["abcdec"])) { $0.results = ["abcdec"] }
    await test.finish()
  }

  @Test func `time moves after what was dispatched to the store has come to its sleep`()
    async throws
  {
    for _ in 0..<50 {
      let (clock, scheduled) = (ManualClock(), try searchTest(.stub, ManualClock()))
      let test = try searchTest(.stub, clock)
      test.store.dispatch(QueryChanged("a"))
      await clock.advance(by: .milliseconds(300))
      await test.receive(QueryChanged.self) { $0.query = "a" }
      await test.receive(Found.self) { $0.results = ["ac"] }
      await test.finish()
      withExtendedLifetime(scheduled) {}
    }
  }

  @Test func `several actions in flight, answered in another order`() async throws {
    struct Ask: Action, Hashable { var name: String }
    struct Answer: Action, Hashable { var name: String }
    let gates = ["a": Gate(), "b": Gate()]
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.notesMutator
      Mutator(\.title) { (title: inout String, action: Answer) in title += action.name }
      Effect(on: Ask.self, .concurrent) { action, context in
        try await gates[action.name]?.wait()
        return Answer(name: action.name)
      }
    }
    await test.dispatch(Ask(name: "a"))
    await test.dispatch(Ask(name: "b"))
    gates["b"]?.open()
    await test.receive(Answer(name: "b")) { $0.title = "b" }
    await test.dispatch(CountAction.add(1)) { $0.count = 1 }
    gates["a"]?.open()
    await test.receive(Answer(name: "a")) { $0.title = "ba" }
    await test.finish()
  }

  @Test func `an answer that came before a step is received after it`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    await test.dispatch(Clear()) {
      $0.query = ""
      $0.results = []
    }
    await test.receive(Found.self) { $0.results = ["ac"] }
    await test.finish()
  }

  @Test func `arrays, mixed lists and sequences`() async throws {
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    await test.dispatch([CountAction.add(1), .add(2)]) { $0.count = 3 }
    await test.dispatch([CountAction.add(1), TitleAction.rename("a")]) {
      $0.count = 4
      $0.title = "a"
    }
    let one: any Action = ClearAction()
    await test.dispatch(one) {
      $0.count = 0
      $0.title = ""
    }
    let (stream, numbers) = AsyncStream.makeStream(of: CountAction.self)
    await test.dispatch(stream)
    numbers.yield(.add(5))
    await test.receive(CountAction.self) { $0.count = 5 }
    numbers.finish()
    await test.finish()
  }

  @Test func `outcomes of an asynchronous mutator`() async throws {
    enum Page: Sendable, Equatable { case empty, loading, loaded(Int) }
    struct Load: Action, Hashable { var id: Int }
    struct App: Sendable, Equatable { var page = Page.empty }
    let gate = Gate()
    let test = try TestStore(initialState: App()) {
      AsyncMutator(\.page) { (page: Page, event: Load) -> AsyncResult<Page> in
        AsyncResult {
          try await gate.wait()
          return event.id
        }
        .map(Page.loaded).whileLoading(.loading)
      }
    }
    await test.dispatch(Load(id: 7))
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    gate.open()
    await test.receive(outcomeOf: \.page) { $0.page = .loaded(7) }
    await test.finish()
  }

  @Test func `undo, redo and replacements`() async throws {
    let history = History<Desk>()
    let test = try TestStore(initialState: Desk(), middleware: [history]) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    await test.dispatch(CountAction.add(2)) { $0.count = 2 }
    await test.perform {
      history.undo()
    } changes: {
      $0.count = 0
    }
    await test.perform {
      history.redo()
    } changes: {
      $0.count = 2
    }
    await test.perform { history.redo() }
    let store = test.store
    await Task.detached { store.replaceState(Desk(title: "b")) }.value
    await test.receiveReplacement {
      $0 = Desk(title: "b")
    }
    await test.finish()
  }

  @Test func `errors that a test expects`() async throws {
    let test = try searchTest(.offline, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    #expect(await test.receiveError(Offline.self) == Offline())
    await test.finish()
  }

  @Test func `by type with a condition, by value, by case`() async throws {
    enum Wide: Action, Hashable { case found(Int), lost }
    struct Go: Action {}
    let found = Prism<Wide, Int>(
      embed: Wide.found, extract: { if case .found(let number) = $0 { number } else { nil } })
    let test = try TestStore(initialState: Desk()) {
      Mutator(\.count) { (count: inout Int, action: Wide) in
        if case .found(let number) = action { count = number }
      }
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, context in
        for number in 1...3 { context.dispatch(Wide.found(number)) }
        context.dispatch(Wide.lost)
      }
    }
    await test.dispatch(Go())
    #expect(await test.receive(case: found) { $0.count = 1 } == 1)
    await test.receive(Wide.found(2)) { $0.count = 2 }
    await test.receive(Wide.self, where: { $0 == .found(3) }) { $0.count = 3 }
    #expect(await test.receive(Wide.self) == .lost)
    await test.finish()
  }

  @MainActor @Test func `on the main actor, with effects that go there`() async throws {
    struct Go: Action {}
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, context in
        let number = await MainActor.run { 4 }
        return CountAction.add(number)
      }
    }
    await test.dispatch(Go())
    await test.receive(CountAction.add(4)) { $0.count = 4 }
    await test.finish()
  }

  @Test func `what the test cannot see is waited for, as long as it takes`() async throws {
    struct Go: Action {}
    let test = try TestStore(initialState: Desk(), patience: .seconds(600)) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, context in
        // A task of its own, which no scheduler of the test runs.
        let number = await Task.detached {
          for _ in 0..<1_000 { await Task.yield() }
          return 4
        }.value
        return CountAction.add(number)
      }
    }
    await test.dispatch(Go())
    await test.receive(CountAction.add(4)) { $0.count = 4 }
    await test.finish()
  }

  @Test func `a state that is not Equatable is compared by reflection`() async throws {
    struct Opaque: Sendable {
      var number = 0; var names = ["a"]; var call: @Sendable () -> Void = {}
    }
    struct Add: Action {}
    let test = try TestStore(initialState: Opaque(), coverage: .partial) {
      Mutator(\.number) { (number: inout Int, _: Add) in number += 1 }
    }
    await test.dispatch(Add()) { $0.number = 1 }
    let heard = await issues { await test.dispatch(Add()) { $0.names = [] } }
    #expect(heard.first?.contains("number: expected 1, is 2") == true)
    #expect(heard.first?.contains("names: ") == true)
    await test.finish()
  }

  @Test func `what threads dispatch to the store is received in commit order`() async throws {
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    await withTaskGroup { [store = test.store] group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<25 { store.dispatch(NoteAction.append(thread * 100 + number)) }
        }
      }
    }
    let notes = test.state.notes
    for count in 1...100 {
      await test.receive(NoteAction.self) { $0.notes = Array(notes.prefix(count)) }
    }
    await test.finish()
  }

  @Test(arguments: 0..<10) func `effects that are ready run in the order of the seed`(
    seed: UInt64
  ) async throws {
    struct Go: Action {}
    let gate = Gate()
    let test = try TestStore(initialState: Desk(), seed: seed) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      for number in 0..<5 {
        Effect(on: Go.self) { _, _ in
          try await gate.wait()
          return NoteAction.append(number)
        }
      }
    }
    await test.dispatch(Go())
    gate.open()
    await test.rest()
    let notes = test.state.notes
    #expect(notes.sorted() == [0, 1, 2, 3, 4])
    for note in notes { await test.receive(NoteAction.append(note)) { $0.notes.append(note) } }
    await test.finish()
  }

  @Test func `steps in a function of the test, reported where that is called`() async throws {
    let test = try searchTest(.stub, clock)
    func type(_ query: String, sourceLocation: SourceLocation = #_sourceLocation) async {
      await test.dispatch(QueryChanged(query), sourceLocation: sourceLocation) { $0.query = query }
    }
    await type("a")
    await type("ab")
    await test.dispatch(Clear()) { $0.query = "" }
    await test.finishLeavingEffects()
  }
}
