import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "An effect waits for the state, in features and children, and under test",
  .timeLimit(.minutes(30)))
struct EffectWaitingTests {
  private enum Left {}
  struct Confirm: Action, Equatable { var isYes = true }
  struct Ask: Action {}
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var answers = 0
  }
  private enum List: Action { case remove(Int) }
  struct App: Sendable, Equatable {
    var rows = [Row(id: 7), Row(id: 8)]
    var left = Row(id: 1)
    var others = 0
  }

  private static let answers = Mutator(\Row.answers) { (answers: inout Int, _: Confirm) in
    answers += 1
  }
  private static let rows = Mutator(\App.rows) { (rows: inout [Row], action: List) in
    if case .remove(let id) = action { rows.removeAll { $0.id == id } }
  }
  private static let others = Mutator(\App.others) { (others: inout Int, action: CountAction) in
    if case .add(let amount) = action { others += amount }
  }

  func makeStore(_ effect: Effect<Row>) throws -> Store<App> {
    let row = Feature<Row> {
      Constant(\.id)
      Self.answers
      effect
    }
    return try Store(initialState: App()) {
      Self.rows
      Self.others
      row.identified().lifted(\.rows)
      row.tagged(Left.self).lifted(\.left)
    }
  }

  @Test(.warnsOnPurpose) func `in a child, what is for another child is not for it`() async throws {
    let found = Recorder<String>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        let answer = try await context.next(
          Confirm.self, where: { _, row in row.answers == 1 })
        found.append("\(context.state.id) \(answer.isYes)")
      }.keepingChanges())
    let task = store.dispatch(Ask().row(7))
    store.dispatch(Confirm(isYes: false).row(8))
    store.dispatch(Confirm(isYes: false))
    store.dispatch(Confirm(isYes: false).tagged(Left.self))
    store.dispatch([Confirm(isYes: false).row(8), Confirm().row(7)])
    try await task.finish()
    let left = store.dispatch(Ask().tagged(Left.self))
    store.dispatch(Confirm().row(7))
    store.dispatch(Confirm(isYes: false).tagged(Left.self))
    // The condition holds of the first confirmation alone, and that came before.
    #expect(found.values == ["7 true"])
    left.cancel()
  }

  @Test func `in a tagged feature, the changes have its state and its actions`() async throws {
    let found = Recorder<String>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        for await change in context.changes() {
          found.append("\(change.action.map { "\($0)" } ?? "none") \(change.state.answers)")
          if change.state.answers == 1 { return }
        }
      }.keepingChanges())
    let task = store.dispatch(Ask().tagged(Left.self))
    store.dispatch(CountAction.add(1))
    store.dispatch(Confirm().tagged(Left.self))
    try await task.finish()
    #expect(found.values == ["add(1) 0", "Confirm(isYes: true) 1"])
  }

  @Test func `two children are asked at once, and each gets its own answer`() async throws {
    let found = Recorder<String>()
    let store = try makeStore(
      Effect(on: Ask.self, .latest) { _, context in
        let answer = try await context.next(Confirm.self)
        found.append("\(context.state.id) \(answer.isYes)")
      }.keepingChanges())
    let tasks = [store.dispatch(Ask().row(7)), store.dispatch(Ask().row(8))]
    store.dispatch(Confirm(isYes: false).row(8))
    store.dispatch(Confirm(isYes: true).row(7))
    for task in tasks { try await task.finish() }
    #expect(Set(found.values) == ["7 true", "8 false"])
  }

  @Test(.warnsOnPurpose) func `in a child, an effect of a changed value reads on from that change`()
    async throws
  {
    let (gate, found) = (Gate(), Recorder<String>())
    let store = try makeStore(
      Effect(whenChanged: \.answers) { answers, context in
        try await gate.wait()
        if answers == 1 { found.append("\(context.state.id) \(try await context.next(Ask.self))") }
      }.keepingChanges())
    store.dispatch(Confirm().row(7))
    store.dispatch(Confirm().row(8))
    store.dispatch(Ask().row(8))
    store.dispatch(Ask().row(7))
    gate.open()
    try await store.settled()
    #expect(Set(found.values) == ["7 Ask()", "8 Ask()"])
  }

  @Test func `when its child goes, it waits no longer`() async throws {
    let (begun, ended) = (Recorder<Bool>(), Recorder<String>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        begun.append(true)
        do {
          _ = try await context.next(Confirm.self)
        } catch {
          ended.append("\(type(of: error))")
        }
      }.keepingChanges())
    let task = store.dispatch(Ask().row(7))
    await begun.waitForCount(1)
    store.dispatch(List.remove(7))
    try await task.finish()
    await ended.waitForCount(1)
    #expect(ended.values == ["CancellationError"])
  }

  // MARK: Until

  @Test func `until returns at once where the condition holds already`() async throws {
    let found = Recorder<Int>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        found.append(try await context.until { $0.answers > 0 }.answers)
      })
    store.dispatch(Confirm().row(7))
    try await store.dispatch(Ask().row(7)).finish()
    #expect(found.values == [1])
  }

  @Test func `until sees every state, also one that the next commit replaces`() async throws {
    let (waits, found) = (Recorder<Bool>(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        found.append(
          try await context.until { row in
            waits.append(true)
            return row.answers == 2
          }.answers)
      })
    let task = store.dispatch(Ask().row(7))
    await waits.waitForCount(1)
    for _ in 0..<5 { store.dispatch(Confirm().row(7)) }
    try await task.finish()
    #expect(found.values == [2])
    // It asks no more.
    let count = waits.count
    store.dispatch(Confirm().row(7))
    #expect(waits.count == count)
  }

  @Test func `until gives up after its limit, and when its run ends`() async throws {
    let (clock, errors) = (ManualClock(), Recorder<String>())
    let store = try makeStore(
      Effect(on: Ask.self, .latest) { _, context in
        do {
          try await context.until(within: .seconds(5), clock: clock) { $0.answers == 2 }
        } catch let error as EffectTimeout {
          errors.append("\(error.awaited ?? "")")
        } catch {
          errors.append("\(type(of: error))")
        }
      }.named("waiting"))
    let first = store.dispatch(Ask().row(7))
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(5))
    try await first.finish()
    let second = store.dispatch(Ask().row(7))
    await clock.waitForSleepers(1)
    second.cancel()
    await errors.waitForCount(2)
    #expect(errors.values == ["a condition of the state", "CancellationError"])
  }

  @Test func `until ends with the store`() async throws {
    let (ended, waits) = (Recorder<String>(), Recorder<Bool>())
    var store: Store<App>? = try makeStore(
      Effect(on: Ask.self) { _, context in
        do {
          try await context.until { _ in
            waits.append(true)
            return false
          }
        } catch {
          ended.append("\(type(of: error))")
        }
      })
    store?.dispatch(Ask().row(7))
    await waits.waitForCount(1)
    store = nil
    await ended.waitForCount(1)
    #expect(ended.values == ["CancellationError"])
  }

  // MARK: Under test

  @Test func `a test store knows that an effect waits for what the test dispatches`() async throws {
    let clock = ManualClock()
    let test = try TestStore(initialState: App()) {
      Self.rows
      Self.others
      Feature<Row> {
        Constant(\.id)
        Self.answers
        Effect(on: Ask.self) { _, context in
          _ = try await context.next(Confirm.self, within: .seconds(5), clock: clock)
          try await context.until { $0.answers == 2 }
          return Confirm()
        }
        .keepingChanges()
      }
      .identified().lifted(\.rows)
      Constant(\.left)
    }
    await test.dispatch(Ask().row(7))
    await test.dispatch(Confirm().row(7)) { $0.rows[0].answers = 1 }
    await test.dispatch(Confirm().row(7)) { $0.rows[0].answers = 2 }
    await test.receive(Confirm().row(7)) { $0.rows[0].answers = 3 }
    await test.finish()
  }
}
