import Lensed
import LensedTestSupport
import Testing

/// A job that waits at a gate of its own, and logs when it begins and ends.
private final class Bench: Sendable {
  let log = Recorder<String>()
  let gates: [String: Gate]

  init(_ names: String...) {
    gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate()) })
  }

  func work(_ name: String, _ context: EffectContext<Desk>) async throws {
    log.append("begin \(name)")
    do {
      try await gates[name]?.wait()
    } catch {
      log.append("cancelled \(name)")
      context.dispatch(NoteAction.append(-1))
      throw error
    }
    context.dispatch(NoteAction.append(log.count))
    log.append("end \(name)")
  }

  func open(_ name: String) { gates[name]?.open() }
  func waitForWaiter(at name: String) async { await gates[name]?.waitForWaiters() }

  func store(_ policy: EffectPolicy) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.notes) { (notes: inout [Int], action: NoteAction) in
        if case .append(let note) = action { notes.append(note) }
      }
      Effect(on: TitleAction.self, policy) { action, context in
        guard case .rename(let name) = action else { return }
        try await self.work(name, context)
      }
    }
  }
}

@Suite(
  "An effect policy decides about a new trigger while one run is under way",
  .timeLimit(.minutes(30))
)
struct EffectPolicyTests {
  @Test func `concurrent runs jobs side by side`() async throws {
    let bench = Bench("a", "b")
    let store = try bench.store(.concurrent)
    let a = store.dispatch(TitleAction.rename("a"))
    let b = store.dispatch(TitleAction.rename("b"))
    await bench.waitForWaiter(at: "a")
    await bench.waitForWaiter(at: "b")
    bench.open("b")
    try await b.finish()
    bench.open("a")
    try await a.finish()
    #expect(bench.log.values.suffix(2) == ["end b", "end a"])
    #expect(store.notes.count == 2)
  }

  @Test func `latest cancels the older run, ignores its dispatches, and starts at once`()
    async throws
  {
    let bench = Bench("a", "b")
    let store = try bench.store(.latest)
    let a = store.dispatch(TitleAction.rename("a"))
    await bench.waitForWaiter(at: "a")
    let b = store.dispatch(TitleAction.rename("b"))
    await bench.waitForWaiter(at: "b")
    try await a.finish()
    bench.open("b")
    try await b.finish()
    #expect(Set(bench.log.values) == ["begin a", "cancelled a", "begin b", "end b"])
    #expect(store.notes.count == 1)
    #expect(!store.notes.contains(-1))
  }

  @Test func `first ignores triggers while one run is under way`()
    async throws
  {
    let bench = Bench("a")
    let store = try bench.store(.first)
    let a = store.dispatch(TitleAction.rename("a"))
    await bench.waitForWaiter(at: "a")
    try await store.dispatch(TitleAction.rename("b")).finish()
    bench.open("a")
    try await a.finish()
    try await store.dispatch(TitleAction.rename("c")).finish()
    #expect(bench.log.values == ["begin a", "end a", "begin c", "end c"])
  }

  @Test func `serial runs jobs one after another, in commit order`() async throws {
    let bench = Bench("a")
    let store = try bench.store(.serial)
    let all = store.dispatch(["a", "b", "c", "d"].map(TitleAction.rename))
    await bench.waitForWaiter(at: "a")
    #expect(bench.log.values == ["begin a"])
    bench.open("a")
    try await all.finish()
    #expect(
      bench.log.values == ["a", "b", "c", "d"].flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test func `limited runs that many jobs, and the others wait in order`() async throws {
    let bench = Bench("a", "b", "c", "d")
    let store = try bench.store(.limited(2))
    let all = store.dispatch(["a", "b", "c", "d"].map(TitleAction.rename))
    await bench.waitForWaiter(at: "a")
    await bench.waitForWaiter(at: "b")
    #expect(Set(bench.log.values) == ["begin a", "begin b"])
    bench.open("b")
    await bench.waitForWaiter(at: "c")
    #expect(!bench.log.values.contains("begin d"))
    for name in ["a", "c", "d"] { bench.open(name) }
    try await all.finish()
    #expect(bench.log.values.filter { $0.hasPrefix("end") }.count == 4)
  }

  @Test func `a limit of none traps with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Effect<Desk>(on: TitleAction.self, .limited(0)) { _, _ in }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("could never run"))
  }
}

@Suite(
  "Cancelling reaches effects that run, effects that wait, and their children",
  .timeLimit(.minutes(30)))
struct EffectCancellingTests {
  @Test func `cancelling a dispatch removes its queued job`() async throws {
    let bench = Bench("a")
    let store = try bench.store(.serial)
    let a = store.dispatch(TitleAction.rename("a"))
    await bench.waitForWaiter(at: "a")
    let b = store.dispatch(TitleAction.rename("b"))
    let c = store.dispatch(TitleAction.rename("c"))
    b.cancel()
    #expect(b.isCancelled)
    await #expect(throws: CancellationError.self) { try await b.finish() }
    bench.open("a")
    try await a.finish()
    try await c.finish()
    #expect(bench.log.values == ["begin a", "end a", "begin c", "end c"])
  }

  @Test func `cancelling the task that waits cancels the effects of the dispatch`() async throws {
    let bench = Bench("a")
    let store = try bench.store(.concurrent)
    let task = store.dispatch(TitleAction.rename("a"))
    let waiter = Task { try await task.finish() }
    await bench.waitForWaiter(at: "a")
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(bench.log.values == ["begin a", "cancelled a"])
    #expect(store.notes == [])
  }

  @Test(.warnsOnPurpose) func `releasing the subscription cancels running and queued jobs`()
    async throws
  {
    let bench = Bench("a")
    let store = Store(initialState: Desk(), coverage: .partial)
    var installed: StoreSubscription? = store.install(
      Effect(on: TitleAction.self, .serial) { action, context in
        guard case .rename(let name) = action else { return }
        try await bench.work(name, context)
      })
    let both = store.dispatch([TitleAction.rename("a"), .rename("b")])
    await bench.waitForWaiter(at: "a")
    #expect(installed != nil)
    installed = nil
    try? await both.finish()
    try await store.dispatch(TitleAction.rename("c")).finish()
    #expect(bench.log.values == ["begin a", "cancelled a"])
  }

  @Test
  func `cancelled(on:) in an array ends the effects of earlier members and not of later ones`()
    async throws
  {
    let log = Recorder<String>()
    let gate = Gate()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Effect<Desk>(on: TitleAction.self, .serial) { action, _ in
        guard case .rename(let name) = action else { return }
        if name == "wait" { try await gate.wait() }
        log.append(name)
      }
      .cancelled(on: ClearAction.self)
    }
    let waiting = store.dispatch(TitleAction.rename("wait"))
    await gate.waitForWaiters()
    let mixed = store.dispatch([
      TitleAction.rename("before"), ClearAction(), TitleAction.rename("after"),
    ])
    try? await waiting.finish()
    try? await mixed.finish()
    #expect(log.values == ["after"])
  }

  @Test func `releasing the store ends its effects, and leaks nothing`() async throws {
    let bench = Bench("a")
    var store: Store<Desk>? = try bench.store(.concurrent)
    let gone = WeakReference(store)
    let task = store?.dispatch(TitleAction.rename("a"))
    await bench.waitForWaiter(at: "a")
    store = nil
    try await task?.finish()
    #expect(gone.object == nil)
    // The run itself ends when its code has seen that.
    while bench.log.count < 2 { await Task.yield() }
    #expect(bench.log.values == ["begin a", "cancelled a"])
  }
}
