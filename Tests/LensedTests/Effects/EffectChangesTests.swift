import Lensed
import LensedTestSupport
import Testing

@Suite("An effect reads the commits after its trigger", .timeLimit(.minutes(30)))
struct EffectChangesTests {
  struct Ask: Action {}
  struct Answer: Action, Equatable { let id: Int }
  struct App: Sendable, Equatable {
    var answers: [Int] = []
    var asked = 0
    static let answers = Mutator(\App.answers) { (answers: inout [Int], action: Answer) in
      answers.append(action.id)
    }
    static let asked = Mutator(\App.asked) { (asked: inout Int, _: Ask) in asked += 1 }
  }

  func makeStore(
    onEffectError: (@Sendable (EffectError) -> Void)? = nil, _ effect: Effect<App>
  ) throws -> Store<App> {
    try Store(initialState: App(), onEffectError: onEffectError) {
      App.answers
      App.asked
      effect
    }
  }

  @Test func `it finds an action that was dispatched right after the trigger, before it began`()
    async throws
  {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        found.append(try await context.next(Answer.self).id)
      }.keepingChanges())
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 7))
    gate.open()
    try await task.finish()
    #expect(found.values == [7])
  }

  @Test func `what came before the trigger, and the trigger itself, is not among them`()
    async throws
  {
    let (gate, found) = (Gate(), Recorder<UInt64>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        for await change in context.changes() {
          found.append(change.revision)
          if change.revision == context.change.revision + 3 { return }
        }
      }.keepingChanges())
    store.dispatch(Answer(id: 1))
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    store.dispatch([Answer(id: 3), Answer(id: 4)])
    store.replaceState(App())
    gate.open()
    try await task.finish()
    #expect(found.values == [3, 4, 5])
  }

  @Test func `each change has its state, its action and its cause`() async throws {
    let found = Recorder<String>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        for await change in context.changes() {
          let action = change.action.map { "\(type(of: $0))" } ?? "none"
          found.append("\(action) \(change.state.answers) \(change.cause)")
          if change.cause == .replacement { return }
        }
      }.keepingChanges())
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    store.dispatch([Answer(id: 3), Answer(id: 4)])
    store.replaceState(App())
    try await task.finish()
    #expect(
      found.values == [
        "Answer [2] action", "Array<Answer> [2, 3, 4] action", "none [] replacement",
      ])
  }

  @Test func `each call of next goes on where the one before ended, within an array too`()
    async throws
  {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        for _ in 0..<4 { found.append(try await context.next(Answer.self).id) }
      }.keepingChanges())
    let task = store.dispatch(Ask())
    store.dispatch([Answer(id: 1), Answer(id: 2)])
    store.dispatch([Answer(id: 3)])
    gate.open()
    store.dispatch(Answer(id: 4))
    try await task.finish()
    #expect(found.values == [1, 2, 3, 4])
  }

  @Test func `next takes the first one that meets the condition, on the state after it`()
    async throws
  {
    let found = Recorder<Int>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        let answer = try await context.next(
          Answer.self, where: { answer, state in answer.id > 1 && state.answers.count == 3 })
        found.append(answer.id)
      }.keepingChanges())
    let task = store.dispatch(Ask())
    for id in 1...5 { store.dispatch(Answer(id: id)) }
    try await task.finish()
    #expect(found.values == [3])
  }

  @Test func `two sequences that are made at once read the same changes`() async throws {
    let found = Recorder<Int>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        let (first, second) = (context.changes(), context.changes())
        async let one = first.next(Answer.self, where: { answer, _ in answer.id == 1 })
        async let two = second.next(Answer.self, where: { answer, _ in answer.id == 2 })
        found.append(try await one.id)
        found.append(try await two.id)
      }.keepingChanges())
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    store.dispatch(Answer(id: 1))
    try await task.finish()
    #expect(found.values == [1, 2])
  }

  @Test func `next gives up after its limit, and says what it waited for`() async throws {
    let (clock, errors, found) = (ManualClock(), Recorder<String>(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        do {
          _ = try await context.next(Answer.self, within: .seconds(5), clock: clock)
        } catch let error as EffectTimeout {
          errors.append("\(error.awaited ?? "") after \(error.limit): \(error)")
        }
        // It reads on afterwards.
        found.append(try await context.next(Answer.self, within: .seconds(5), clock: clock).id)
      }.keepingChanges().named("asking"))
    let task = store.dispatch(Ask())
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(5))
    await errors.waitForCount(1)
    store.dispatch(Answer(id: 9))
    try await task.finish()
    #expect(
      errors.values == [
        "`Answer` after 5.0 seconds: the effect asking waited longer than 5.0 seconds for `Answer`"
      ])
    #expect(found.values == [9])
  }

  @Test func `what is kept before it asks is bounded, and what was dropped is counted`()
    async throws
  {
    let (gate, found) = (Gate(), Recorder<String>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        do {
          _ = try await context.next(Answer.self)
        } catch let error as ChangesDropped {
          found.append("\(error.count)")
        }
        // What is left is still read.
        found.append("\(try await context.next(Answer.self).id)")
        var dropped: [Int] = []
        for await change in context.changes() {
          dropped.append(change.droppedCount)
          if change.state.answers.last == 9 { break }
        }
        found.append("\(dropped)")
      }.keepingChanges(limit: 3))
    let task = store.dispatch(Ask())
    for id in 0..<10 { store.dispatch(Answer(id: id)) }
    gate.open()
    try await task.finish()
    #expect(found.values == ["7", "7", "[0, 0]"])
  }

  @Test func `while it reads, nothing is dropped`() async throws {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        var dropped = 0
        for await change in context.changes() {
          if change.state.answers.count == 1 { try await gate.wait() }
          dropped += change.droppedCount
          if change.state.answers.count == 50 { break }
        }
        found.append(dropped)
      }.keepingChanges(limit: 2))
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 0))
    await gate.waitForWaiters(1)
    for id in 1..<50 { store.dispatch(Answer(id: id)) }
    gate.open()
    try await task.finish()
    #expect(found.values == [0])
  }

  @Test func `the sequence ends with the run, for whoever reads it`() async throws {
    let (readers, gate) = (Recorder<EffectChanges<App>>(), Gate())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        readers.append(context.changes())
        try await gate.wait()
      }.keepingChanges())
    let task = store.dispatch(Ask())
    let reading = Recording(await readers.waitForCount(1)[0])
    store.dispatch(Answer(id: 1))
    await reading.heard.waitForCount(1)
    gate.open()
    try await task.finish()
    store.dispatch(Answer(id: 2))
    #expect(await reading.waitForEnd().count == 1)
  }

  @Test func `a run that is cancelled waits no longer, and that is no error`() async throws {
    let (errors, begun) = (Recorder<String>(), Recorder<Bool>())
    let store = try makeStore(
      onEffectError: { errors.append("\($0)") },
      Effect(on: Ask.self, .latest) { _, context in
        begun.append(true)
        _ = try await context.next(Answer.self)
      }.keepingChanges())
    let first = store.dispatch(Ask())
    await begun.waitForCount(1)
    let second = store.dispatch(Ask())
    try await first.finish()
    store.dispatch(Answer(id: 1))
    try await second.finish()
    #expect(errors.values.isEmpty)
  }

  @Test func `a run that waits for its turn keeps what comes meanwhile`() async throws {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self, .serial) { _, context in
        try await gate.wait()
        found.append(try await context.next(Answer.self).id)
      }.keepingChanges())
    let first = store.dispatch(Ask())
    store.dispatch(Answer(id: 1))
    let second = store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    gate.open()
    try await first.finish()
    try await second.finish()
    #expect(found.values == [1, 2])
  }

  @Test func `a debounced run reads from its trigger on`() async throws {
    let (clock, found) = (ManualClock(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        found.append(try await context.next(Answer.self).id)
      }.keepingChanges().debounced(for: .seconds(1), clock: clock))
    store.dispatch(Ask())
    await clock.waitForSleepers(1)
    store.dispatch(Answer(id: 1))
    let task = store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(found.values == [2])
  }

  @Test func `an effect of a changed value reads on from that change`() async throws {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(whenChanged: \.asked) { _, context in
        try await gate.wait()
        found.append(try await context.next(Answer.self).id)
      }.keepingChanges())
    store.dispatch(Answer(id: 1))
    store.dispatch(Ask())
    store.dispatch(Answer(id: 2))
    gate.open()
    try await store.settled()
    #expect(found.values == [2])
  }
}
