import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("replace: another reducer takes the place of an owner", .timeLimit(.minutes(30)))
struct ReplaceTests {
  private static let doubling = Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
    if case .add(let amount) = action { count += 2 * amount }
  }

  private struct Child: Sendable, Identifiable, Equatable {
    let id: Int
    var title = ""
  }
  private struct House: Sendable, Equatable {
    var rows: Entities<Child> = [Child(id: 1)]
    var sheet: Child? = Child(id: 2)
    var count = 0
  }
  private struct Rename: Action { let title: String }
  private static let child = Feature<Child> {
    Constant(\.id)
    Mutator(\.title) { (title: inout String, action: Rename) in title = action.title }
  }

  @Test func `the new reducer handles what is dispatched from then on, and the state stays`() throws
  {
    let store = try Desk.makeStore()
    store.dispatch([CountAction.add(1), TitleAction.rename("T")])
    try store.replace(Self.doubling)
    #expect(store.state == Desk(count: 1, title: "T"))
    store.dispatch([CountAction.add(1), TitleAction.rename("U")])
    #expect(store.state == Desk(count: 3, title: "U"))
  }

  @Test func `it keeps the place in the order of registration`() throws {
    struct Both: Action {}
    let store = try Store(initialState: Desk()) {
      Mutator(\.count) { (count: inout Int, _: Both) in count += 1 }
      Mutator(lens: Lens(\.title)) { (desk: Desk, _: Both) in "\(desk.count)" }
      Constant(\.notes)
    }
    try store.replace(Mutator(\.count) { (count: inout Int, _: Both) in count += 5 })
    store.dispatch(Both())
    #expect(store.state == Desk(count: 5, title: "5"))
  }

  @Test func `observers, scopes and derived values stay, and are woken by the new reducer`() throws
  {
    let store = try Desk.makeStore()
    let counts = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { counts.append($0) }
    let doubled = Derived(\Desk.count) { 2 * $0 }
    store.dispatch(CountAction.add(1))
    #expect(store[doubled] == 2)
    try store.replace(Self.doubling)
    store.dispatch(CountAction.add(1))
    #expect(counts.values == [0, 1, 3])
    #expect(store[doubled] == 6)
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `the effects of its feature stay, and end with the new mutator`()
    async throws
  {
    let runs = Recorder<Int>()
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(
      Feature {
        Desk.countMutator
        Effect(on: CountAction.self) { _, context in runs.append(context.count) }
      })
    try store.replace(Self.doubling)
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(runs.values == [2])
    #expect(store.unregister(\.count))
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(runs.values == [2])
  }

  @Test func `what was constant can get a reducer`() throws {
    let store = try Store(initialState: Desk()) {
      Desk.countMutator
      Constant(\.title)
      Constant(\.notes)
    }
    try store.replace(Desk.titleMutator)
    store.dispatch(TitleAction.rename("T"))
    #expect(store.title == "T")
    // It is constant no more: a second mutator is one too many.
    #expect(throws: RegistrationError.self) { try store.register(Constant(\.title)) }
  }

  @Test func `it can be replaced by a lens that is only its name`() throws {
    let byName = Lens<Desk, Int>(
      name: "count", get: { $0.count }, modify: { desk, edit in edit(&desk.count) })
    let store = try Desk.makeStore()
    try store.replace(Mutator(lens: byName) { (count: inout Int, _: ClearAction) in count = 9 })
    store.dispatch(ClearAction())
    #expect(store.count == 9)
  }

  /// Each dispatch is counted by exactly one of the reducers, whoever replaces them meanwhile.
  @Test func `under load, no action meets neither reducer, or both`() async throws {
    let store = try Store(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Constant(\.notes)
    }
    let (perThread, threads) = (400 * VerificationLength.factor, 3)
    // One adds on the fast path, the other one with the whole state.
    let whole = Mutator(lens: Lens(\Desk.count)) { (desk: Desk, action: CountAction) in
      if case .add(let amount) = action { desk.count + amount } else { desk.count }
    }
    let unhandled = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<threads {
        group.addTask {
          (0..<perThread).count { _ in
            store.dispatch(CountAction.add(1))
            return store.dispatch([CountAction.add(1), .add(1)]).isHandled != true
          }
        }
      }
      group.addTask {
        for round in 0..<perThread {
          try store.replace(round.isMultiple(of: 2) ? whole : Desk.countMutator)
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(unhandled == 0)
    #expect(store.count == 3 * perThread * threads)
  }

  // MARK: Asynchronous mutators

  @Test func `an asynchronous mutator is replaced: what runs and what waits is cancelled`()
    async throws
  {
    let (begun, gate) = (Gate(), Gate())
    let store = try Store(initialState: Desk()) {
      AsyncMutator(\.count) { (count: Int, action: CountAction) in
        AsyncResult {
          begun.open()
          try await gate.wait()
          return count + 1
        }
      }
      Desk.titleMutator
      Constant(\.notes)
    }
    let (running, waiting) = (store.dispatch(CountAction.keep), store.dispatch(CountAction.keep))
    try await begun.wait()
    try store.replace(Desk.countMutator)
    store.dispatch(CountAction.add(5))
    gate.open()
    _ = try? await running.finish()
    _ = try? await waiting.finish()
    try await store.settled()
    #expect(store.count == 5)
    #expect(store.settledState == store.state)
    try store.replace(
      AsyncMutator(\.count) { (count: Int, _: CountAction) in AsyncResult { count + 100 } })
    let later = store.dispatch(CountAction.add(1))
    #expect(later.isHandled == true)
    try await later.finish()
    #expect(store.count == 105)
    try store.replace(
      AsyncMutator(\.count) { (count: Int, _: CountAction) in AsyncResult { count + 1 } })
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(store.count == 106)
  }

  @Test func `a placeholder that is shown stays, and counts as settled`() async throws {
    let (begun, gate) = (Gate(), Gate())
    let store = try Store(initialState: Desk(), coverage: .partial) {
      AsyncMutator(\.count) { (count: Int, action: CountAction) in
        AsyncResult {
          begun.open()
          try await gate.wait()
          return count + 1
        }
        .whileLoading(-1)
      }
    }
    store.dispatch(CountAction.keep)
    try await begun.wait()
    #expect(store.count == -1)
    #expect(store.settledState.count == 0)
    try store.replace(Desk.countMutator)
    gate.open()
    try await store.settled()
    #expect(store.count == -1)
    #expect(store.settledState.count == -1)
  }

  // MARK: What is refused

  @Test func `a part without an owner, or of another extent, is refused`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let whole = Mutator(\Desk.self) { (desk: inout Desk, _: ClearAction) in desk = Desk() }
    for (name, replace) in [
      ("title", { () throws(RegistrationError) in try store.replace(Desk.titleMutator) }),
      ("\\.self", { () throws(RegistrationError) in try store.replace(whole) }),
    ] {
      let error = try #require(throws: RegistrationError.self) { try replace() }
      #expect(error.faults == [.noOwner(property: name)])
      #expect(error.description.contains("`\(name)` has no mutator of its own"))
    }
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `a part of another type is refused`() throws {
    let store = try Desk.makeStore()
    let asText = Lens<Desk, String>(
      name: "count", get: { "\($0.count)" }, modify: { desk, edit in edit(&desk.title) })
    let error = try #require(throws: RegistrationError.self) {
      try store.replace(Mutator(lens: asText) { (_: inout String, _: CountAction) in })
    }
    #expect(error.faults == [.otherType(property: "count", owned: "Int", given: "String")])
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `a feature of one mutator alone is taken, and one of more traps`() async throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    try store.replace(Desk.countMutator.tagged(Desk.self))
    store.dispatch(CountAction.add(1).tagged(Desk.self))
    #expect(store.count == 1)
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store(initialState: Desk(), coverage: .partial)
      try store.register(Desk.countMutator)
      try store.replace(
        Feature {
          Desk.countMutator
          Effect(on: CountAction.self) { _, _ in }
        })
    }
    #expect(result.message.contains("`replace(_:)` takes one mutator"))
  }

  @Test func `what a feature of children owns is refused, and the mutator beside it is not`() throws
  {
    let alone = try Store(initialState: House(), coverage: .partial) {
      Self.child.identified().lifted(\.rows)
    }
    let clear = Mutator(\House.rows) { (rows: inout Entities<Child>, _: ClearAction) in rows = [] }
    let error = try #require(throws: RegistrationError.self) { try alone.replace(clear) }
    #expect(error.faults == [.childrenPart(property: "rows")])

    let beside = try Store(initialState: House(), coverage: .partial) {
      Mutator(\.rows) { (rows: inout Entities<Child>, _: CountAction) in rows = [] }
      Self.child.identified().lifted(\.rows)
      Self.child.optional().lifted(\.sheet)
    }
    try beside.replace(clear)
    beside.dispatch(Rename(title: "A").element(1))
    #expect(beside.rows[id: 1]?.title == "A")
    beside.dispatch(ClearAction())
    #expect(beside.rows.isEmpty)
    let sheet = Lens<House, Child>(
      name: "sheet", get: { $0.sheet ?? Child(id: 0) },
      modify: { house, edit in
        var child = house.sheet ?? Child(id: 0)
        edit(&child)
        house.sheet = child
      })
    let ofChild = try #require(throws: RegistrationError.self) {
      try beside.replace(
        Mutator(lens: sheet.appending(path: \.title)) { (title: inout String, _: Rename) in
          title = ""
        })
    }
    #expect(ofChild.faults == [.childrenPart(property: "sheet.title")])
  }

  @Test func `the faults of the mutator itself are refused, with the others`() throws {
    let store = try Desk.makeStore()
    let error = try #require(throws: RegistrationError.self) {
      try store.replace(Mutator(\.count) { (_: inout Int, _: [CountAction]) in })
    }
    #expect(error.faults == [.listReducer(property: "count", action: "Array<CountAction>")])
    final class Object: Action {}
    let ofClass = try #require(throws: RegistrationError.self) {
      try store.replace(
        AsyncMutator(\.count) { (count: Int, _: Object) in AsyncResult(value: count) })
    }
    #expect(ofClass.faults == [.classReducer(property: "count", action: "Object")])
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `a store that has been replaced from keeps nothing of the former reducer`() throws {
    final class Captured: Sendable {}
    let store = Store(initialState: Desk(), coverage: .partial)
    weak let former: Captured?
    do {
      let captured = Captured()
      former = captured
      try store.register(
        Mutator(\.count) { (count: inout Int, _: CountAction) in
          withExtendedLifetime(captured) { count += 1 }
        })
    }
    store.dispatch(CountAction.add(1))
    try store.replace(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(former == nil)
  }
}
