import Lensed
import LensedTestSupport
import Testing

@Suite(
  "finish() waits for all effects of a dispatch, and never for its own caller",
  .timeLimit(.minutes(30)))
struct EffectTreeTests {
  private let gate = Gate()
  private let errors = Recorder<String>()
  private let tasks = Recorder<DispatchTask>()

  private func store(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk> {
    try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { [errors] in errors.append("\($0)") }
    ) {
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Mutator(\Desk.notes) { (notes: inout [Int], action: NoteAction) in
        if case .append(let note) = action { notes.append(note) }
      }
      parts()
    }
  }

  @Test func `finish waits for effects of effects, and finish(.applied) for the action alone`()
    async throws
  {
    let store = try store {
      Effect(on: TitleAction.self) { _, context in context.dispatch(CountAction.add(1)) }
      Effect(on: CountAction.self) { [gate] _, context in
        try await gate.wait()
        context.dispatch(NoteAction.append(1))
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    try await task.finish(.applied)
    await gate.waitForWaiters()
    #expect(store.notes == [])
    gate.open()
    try await task.finish()
    #expect(store.notes == [1])
  }

  @Test
  func
    `finish waits for the effects of a sequence's elements, then throws the sequence's error`()
    async throws
  {
    struct Broken: Error {}
    let store = try store {
      Effect(on: CountAction.self) { [gate] _, context in
        try await gate.wait()
        context.dispatch(NoteAction.append(1))
      }
    }
    let actions = AsyncThrowingStream<CountAction, any Error> { stream in
      stream.yield(.add(1))
      stream.yield(.add(1))
      stream.finish(throwing: Broken())
    }
    let task = store.dispatch(AsyncActions(Sent(base: actions)))
    await #expect(throws: Broken.self) { try await task.finish(.applied) }
    await gate.waitForWaiters(2)
    gate.open()
    await #expect(throws: Broken.self) { try await task.finish() }
    #expect(store.notes == [1, 1])
  }

  private struct Sent: AsyncSequence, Sendable {
    let base: AsyncThrowingStream<CountAction, any Error>
    func makeAsyncIterator() -> AsyncThrowingStream<CountAction, any Error>.Iterator {
      base.makeAsyncIterator()
    }
  }

  @Test func `finish does not throw the errors of effects`() async throws {
    struct Broken: Error {}
    let store = try store {
      Effect(on: TitleAction.self) { _, _ in throw Broken() }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(errors.count == 1)
  }

  @Test func `cancel reaches effects of effects, and actions that they dispatch later`()
    async throws
  {
    let ended = Recorder<String>()
    let store = try store {
      Effect(on: TitleAction.self) { [gate] _, context in
        context.dispatch(CountAction.add(1))
        do { try await gate.wait() } catch { ended.append("outer") }
        context.dispatch(NoteAction.append(1))
      }
      Effect(on: CountAction.self) { [gate] _, _ in
        do { try await gate.wait() } catch { ended.append("inner") }
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(Set(ended.values) == ["outer", "inner"])
    #expect(store.notes == [])
    #expect(errors.values == [])
  }

  @Test func `an effect that waits for its own dispatch gets a deadlock error`() async throws {
    let store = try store {
      Effect(on: TitleAction.self) { [gate, tasks] _, _ in
        try await gate.wait()
        try await tasks.values[0].finish()
      }
    }
    tasks.append(store.dispatch(TitleAction.rename("x")))
    gate.open()
    try await tasks.values[0].finish()
    #expect(errors.last?.contains("cannot end before") == true)
  }

  @Test
  func `a full limited queue whose jobs wait for it gets a deadlock error; one with room does not`()
    async throws
  {
    let store = try store {
      Effect<Desk>(on: TitleAction.self, .limited(2)) { [gate] action, context in
        guard case .rename(let name) = action, name != "inner" else { return }
        if name == "both" { try await gate.wait() }
        try await context.dispatch(TitleAction.rename("inner")).finish()
      }
    }
    try await store.dispatch(TitleAction.rename("one")).finish()
    #expect(errors.values == [])
    let both = store.dispatch([TitleAction.rename("both"), .rename("both")])
    await gate.waitForWaiters(2)
    gate.open()
    try await both.finish()
    #expect(errors.count >= 1)
    #expect(errors.values.allSatisfy { $0.contains("cannot end before") })
  }

  @Test func `one of two effects that wait for each other's dispatches gets a deadlock error`()
    async throws
  {
    let store = try store {
      Effect<Desk>(on: NoteAction.self) { [gate, tasks] action, _ in
        guard case .append(let other) = action else { return }
        try await gate.wait()
        try await tasks.values[other].finish()
      }
    }
    tasks.append(store.dispatch(NoteAction.append(1)))
    tasks.append(store.dispatch(NoteAction.append(0)))
    await gate.waitForWaiters(2)
    gate.open()
    try await tasks.values[0].finish()
    try await tasks.values[1].finish()
    #expect(errors.count == 1)
  }

  @Test func `a sequence that waits for its own end gets a deadlock error`() async throws {
    let tasks = tasks
    let gate = gate
    let store = try store { [StorePart<Desk>]() }
    let actions = Unfolding {
      try await gate.wait()
      try await tasks.values[0].finish()
    }
    tasks.append(store.dispatch(AsyncActions(actions)))
    gate.open()
    await #expect(throws: DispatchDeadlock.self) { try await tasks.values[0].finish() }
  }

  private struct Unfolding: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let step: @Sendable () async throws -> Void
    init(_ step: @escaping @Sendable () async throws -> Void) { self.step = step }
    func makeAsyncIterator() -> Unfolding { self }
    mutating func next() async throws -> CountAction? {
      try await step()
      return nil
    }
  }

  @Test func `an effect may wait for another dispatch`() async throws {
    let store = try store {
      Effect(on: TitleAction.self) { [tasks] _, context in
        try await tasks.values[0].finish()
        context.dispatch(CountAction.add(1))
      }
      Effect(on: NoteAction.self) { [gate] _, _ in try await gate.wait() }
    }
    tasks.append(store.dispatch(NoteAction.append(1)))
    let waiting = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    gate.open()
    try await waiting.finish()
    #expect(store.count == 1)
    #expect(errors.values == [])
  }
}
