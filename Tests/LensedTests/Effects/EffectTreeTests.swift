import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: what finish() waits for, and what it must not wait for", .timeLimit(.minutes(5)))
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

  @Test func `finish waits for effects of effects; finish(.applied) for the action alone`()
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
    `it waits for what the elements of a sequence started, and then throws the sequence's error`()
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

  @Test func `it does not throw the errors of effects`() async throws {
    struct Broken: Error {}
    let store = try store {
      Effect(on: TitleAction.self) { _, _ in throw Broken() }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(errors.count == 1)
  }

  @Test func `cancel reaches effects of effects, and what is added later`() async throws {
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

  @Test func `an effect that waits for the dispatch it belongs to is told so`() async throws {
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
  func `a limited line all of whose places wait for it is told so; with a free place it goes on`()
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

  @Test func `two effects that wait for each other's dispatches are told so`() async throws {
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

  @Test func `a sequence that awaits its own end is told so`() async throws {
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

  @Test func `waiting for another dispatch is no circle`() async throws {
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

@Suite("Effects: errors never go into silence", .timeLimit(.minutes(5)))
struct EffectErrorTests {
  private struct Broken: Error {}

  @Test func `catch: is asked first, and then nobody else`() async throws {
    let errors = Recorder<String>()
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Mutator(\Desk.count) { (count: inout Int, _: CountAction) in count += 1 }
      Effect<Desk>(
        on: TitleAction.self, catch: { _, context in context.dispatch(CountAction.keep) }
      ) { _, _ in throw Broken() }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.count == 1)
    #expect(errors.values == [])
  }

  @Test func `else the store's handler, with the effect's name, the action and the error`()
    async throws
  {
    let errors = Recorder<EffectError>()
    let store = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { errors.append($0) }
    ) {
      Effect<Desk>(on: TitleAction.self) { _, _ in throw Broken() }.named("upload")
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    let error = try #require(errors.last)
    #expect(error.effect.contains("upload"))
    #expect(error.action as? TitleAction == .rename("x"))
    #expect(error.underlying is Broken)
    #expect(error.description.contains("upload") && error.description.contains("rename"))
  }

  @Test func `without a handler, one line on standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Effect<Desk>(on: TitleAction.self) { _, _ in throw Broken() }.named("upload")
      }
      try await store.dispatch(TitleAction.rename("two\nlines")).finish()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.split(separator: "\n").filter { $0.contains("upload") }.count == 1)
    #expect(text.hasSuffix("\n"))
  }

  @Test func `a cancellation is no error`() async throws {
    let errors = Recorder<String>()
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Effect<Desk>(on: TitleAction.self) { _, _ in
        try await Gate().wait()
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(errors.values == [])
  }
}

@Suite("Effects: many at once, each where it is told to run", .timeLimit(.minutes(5)))
struct EffectConcurrencyTests {
  @Test func `100,000 concurrent increments end at exactly 100,000`() async throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Effect<Desk>(on: TitleAction.self) { _, context in
        for _ in 0..<100 { context.dispatch(CountAction.add(1)) }
      }
    }
    let actions = (0..<250).map { TitleAction.rename("\($0)") }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try await store.dispatch(actions).finish() }
      }
      try await group.waitForAll()
    }
    #expect(store.count == 100_000)
  }

  @Test func `an effect runs off the main actor, though the main actor dispatched`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Effect<Desk>(on: TitleAction.self) { _, _ in MainActor.preconditionIsolated() }
      }
      try await store.dispatch(TitleAction.rename("x")).finish()
    }
  }

  @Test func `an observer of what an effect dispatched runs where it was told to`() async throws {
    let heard = Recorder<Int>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, _: CountAction) in count += 1 }
      Effect<Desk>(on: TitleAction.self) { _, _ in CountAction.keep }
    }
    let subscription = store.states(\.count).subscribe(onMain: { count in
      MainActor.preconditionIsolated()
      heard.append(count)
    })
    try await store.dispatch(TitleAction.rename("x")).finish()
    // It may be told of what was there first.
    while heard.last != 1 { await Task.yield() }
    #expect(heard.count <= 2)
    subscription.cancel()
  }

  @Test func `an endless effect keeps no trace of what it has done`() async throws {
    let gone = Recorder<WeakReference<Mark>>()
    final class Mark: Sendable {}
    struct Marked: Action { let mark: Mark }
    let gate = Gate()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, _: Marked) in count += 1 }
      Effect<Desk>(on: Marked.self) { _, _ in }
      Effect<Desk>(on: TitleAction.self) { _, context in
        for _ in 0..<1_000 {
          let mark = Mark()
          gone.append(WeakReference(mark))
          try await context.dispatch(Marked(mark: mark)).finish()
        }
        try await gate.wait()
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    #expect(store.count == 1_000)
    // What ran last may be on its way out.
    #expect(gone.values.filter { $0.object != nil }.count <= 1)
    gate.open()
    try await task.finish()
  }
}
