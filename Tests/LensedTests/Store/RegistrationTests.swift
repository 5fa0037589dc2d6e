import Lensed
import LensedTestSupport
import Testing

@Suite("register and unregister: feature by feature", .timeLimit(.minutes(30)))
struct RegistrationTests {
  @Test(.warnsOnPurpose) func `a mutator answers from the moment it is registered`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    store.dispatch(CountAction.add(1))
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test(.warnsOnPurpose) func `a feature leaves, its sub-state stays`() throws {
    let store = try Desk.makeStore()
    store.dispatch([CountAction.add(1), TitleAction.rename("T")])
    #expect(store.unregister(\.count))
    #expect(!store.unregister(\.count))
    store.dispatch([CountAction.add(1), TitleAction.rename("U")])
    #expect(store.state == Desk(count: 1, title: "U"))
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 2)
  }

  @Test(.warnsOnPurpose) func `by lens, and by a lens that is only its name`() throws {
    let byName = Lens<Desk, Int>(
      name: "count", get: { $0.count }, modify: { desk, edit in edit(&desk.count) })
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(
      Mutator(lens: byName) { (count: inout Int, _: ClearAction) in count = 9 })
    #expect(store.unregister(Lens(\.count)))
    store.dispatch(ClearAction())
    #expect(store.count == 0)
  }

  @Test func `what was never registered cannot be unregistered`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    #expect(!store.unregister(\.title))
    #expect(!store.unregister(\.self))
    #expect(!store.unregister(\.summary))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test(.warnsOnPurpose) func `a rejected register changes nothing`() async throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let error = try #require(throws: RegistrationError.self) {
      try store.register(
        Feature {
          Desk.titleMutator
          Mutator(\.count) { (count: inout Int, _: CountAction) in count = -1 }
        })
    }
    #expect(error.faults == [.twoReducers(property: "count")])
    var changes = store.changes().makeAsyncIterator()
    store.dispatch([CountAction.add(1), TitleAction.rename("T")])
    #expect(store.state == Desk(count: 1))
    #expect(await changes.next()?.touches(\.title) == false)
    try store.register(Desk.titleMutator)
    store.dispatch(TitleAction.rename("T"))
    #expect(store.title == "T")
  }

  @Test func `a register names every fault of what it was given`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let error = try #require(throws: RegistrationError.self) {
      try store.register(
        Feature {
          Desk.countMutator
          Mutator(\.title) { (title: inout String, _: [TitleAction]) in title = "" }
        })
    }
    #expect(
      error.faults == [
        .twoReducers(property: "count"),
        .listReducer(property: "title", action: "Array<TitleAction>"),
      ])
  }

  @Test func `a complete store works once its coverage is met`() throws {
    let store = Store(initialState: Desk())
    try store.register(Desk.countMutator)
    try store.register(
      Feature {
        Desk.titleMutator
        Desk.notesMutator
      })
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `a constant that is registered counts`() throws {
    let store = Store(initialState: Desk())
    try store.register(Desk.countMutator)
    try store.register(Constant(\.title))
    try store.register(Constant(\.notes))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `a dispatch before coverage is met traps and names what is missing`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store(initialState: Desk())
      try store.register(Desk.countMutator)
      store.dispatch(CountAction.add(1))
    }
    #expect(result.message.contains("`CountAction`"))
    #expect(result.message.contains("RegistrationTests.swift"))
    for name in ["title", "notes"] {
      #expect(result.message.contains("`\(name)` has no reducer. Add a `Mutator` for it"))
    }
    #expect(!result.message.contains("`count`"))
  }

  @Test func `an array, a list and a sequence trap in the same way`() async throws {
    let array = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Store(initialState: Desk()).dispatch([CountAction.add(1)])
    }
    for name in ["count", "title", "notes"] {
      #expect(array.message.contains("`\(name)` has no reducer"))
    }
    let focusing = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Store(initialState: Desk()).dispatch(CountAction.add(1), focusingOn: \.count)
    }
    for name in ["count", "title", "notes"] {
      #expect(focusing.message.contains("`\(name)` has no reducer"))
    }
  }

  @Test func `registering from many threads at once keeps every mutator`() throws {
    struct Wide: Sendable {
      var numbers: (Int, Int, Int, Int) = (0, 0, 0, 0)
    }
    let paths: [any WritableKeyPath<Wide, Int> & Sendable] = [
      \.numbers.0, \.numbers.1, \.numbers.2, \.numbers.3,
    ]
    let store = Store(initialState: Wide(), coverage: .partial)
    Threads.run(4) { thread in
      do {
        try store.register(
          Mutator(paths[thread]) { (number: inout Int, _: ClearAction) in number += 1 })
      } catch {
        Issue.record(error)
      }
    }
    store.dispatch(ClearAction())
    let numbers = store.state.numbers
    #expect([numbers.0, numbers.1, numbers.2, numbers.3] == [1, 1, 1, 1])
  }
}
