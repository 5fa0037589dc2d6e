import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: inside an app", .timeLimit(.minutes(30)))
struct EffectLiftTests {
  private struct EffectFailure: Error {}

  private struct App: Sendable, Equatable {
    var left = Desk()
    var right = Desk()
  }
  private enum Left {}
  private enum Wide: Action { case title(TitleAction), count(CountAction) }

  private let feature = Effect<Desk>(
    on: TitleAction.self, when: { _, change in change.state.count == 0 }
  ) {
    _, context in
    CountAction.add(context.state.title.count + 1)
  }

  private static let counting = Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
    if case .add(let amount) = action { count += amount }
  }

  @Test(.warnsOnPurpose)
  func `lifted and tagged, it reads its part, hears its tag and answers with it`()
    async throws
  {
    let store = try Store(initialState: App(), coverage: .partial) {
      Self.counting.lifted(Lens(\App.left)).tagged(Left.self)
      Self.counting.lifted(Lens(\App.right))
      feature.lifted(Lens(\App.left)).tagged(Left.self)
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.state == App())
    try await store.dispatch(TitleAction.rename("x").tagged(Left.self)).finish()
    #expect(store.left.count == 1)
    #expect(store.right.count == 0)
  }

  @Test func `lifted to a wide action, its answers are embedded`() async throws {
    let titles = Prism<Wide, TitleAction>(
      embed: Wide.title, extract: { if case .title(let action) = $0 { action } else { nil } })
    let counts = Prism<Wide, CountAction>(
      embed: Wide.count, extract: { if case .count(let action) = $0 { action } else { nil } })
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Self.counting.lifted(action: counts)
      feature.lifted(action: titles).lifted(action: counts)
    }
    try await store.dispatch(Wide.title(.rename("x"))).finish()
    #expect(store.count == 1)
  }

  /// An effect of a changed title, with all that can be lifted along.
  private func watching(_ log: Recorder<String>, _ gate: Gate) -> Effect<Desk> {
    Effect<Desk>(
      whenChanged: \.title, .latest, when: { title, _ in !title.isEmpty },
      catch: { error, context in
        log.append("\(error) with \(context.state.count)")
        context.dispatch(CountAction.add(100))
      }
    ) { title, context -> Void in
      if title == "bad" { throw EffectFailure() }
      do { try await gate.wait() } catch { log.append("cancelled \(title)") }
    }
    .tied(to: \.notes.first)
    .cancelled(on: CountAction.self)
  }

  @Test(.warnsOnPurpose)
  func `a watch of a value, its ties, its endings and its errors are lifted too`()
    async throws
  {
    let (log, gate) = (Recorder<String>(), Gate())
    let store = try Store(
      initialState: App(left: Desk(notes: [1])), coverage: .partial
    ) {
      Desk.titleMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Desk.countMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Mutator(\App.left.notes) { (notes: inout [Int], _: ClearAction) in notes = [] }
      watching(log, gate).lifted(Lens(\App.left)).tagged(Left.self)
    }
    try await store.dispatch(TitleAction.rename("bad").tagged(Left.self)).finish()
    #expect(log.values.last?.hasSuffix("with 0") == true)
    #expect(store.left.count == 100)
    let second = store.dispatch(TitleAction.rename("b").tagged(Left.self))
    await gate.waitForWaiters()
    store.dispatch(CountAction.add(1))
    #expect(log.count == 1)
    store.dispatch(CountAction.add(1).tagged(Left.self))
    try await second.finish()
    #expect(log.values.last == "cancelled b")
    let third = store.dispatch(TitleAction.rename("c").tagged(Left.self))
    await gate.waitForWaiters()
    store.dispatch(ClearAction())
    try await third.finish()
    #expect(log.values.last == "cancelled c")
    try await store.dispatch(TitleAction.rename("d").tagged(Left.self)).finish()
    #expect(log.count == 3)
  }

  @Test func `a watch of what a lens focuses on is lifted, and answers`() async throws {
    let second = Lens<Desk, Int>(
      get: { $0.notes.count > 1 ? $0.notes[1] : 0 }, set: { desk, _ in desk })
    let store = try Store(initialState: App(), coverage: .partial) {
      Desk.notesMutator.lifted(Lens(\App.right))
      Desk.countMutator.lifted(Lens(\App.right))
      Effect<Desk>(whenChanged: second) { value, context -> Void in
        context.dispatch(CountAction.add(value))
      }
      .lifted(Lens(\App.right))
    }
    try await store.dispatch(NoteAction.append(5)).finish()
    #expect(store.right.count == 0)
    try await store.dispatch(NoteAction.append(7)).finish()
    #expect(store.right.count == 7)
  }

  @Test func `a service is lifted whole, and so is what it does when it comes and goes`()
    async throws
  {
    let removals = Counter()
    let service = Feature<Desk>(
      "sums", onInstall: { $0.dispatch(CountAction.add($0.state.notes.count)) },
      onRemove: { removals.increment() }
    ) {
      Effect(on: TitleAction.self) { _, _ in CountAction.add(10) }
    }
    let store = try Store(initialState: App(left: Desk(notes: [1, 2])), coverage: .partial) {
      Desk.countMutator.lifted(Lens(\App.left)).tagged(Left.self)
    }
    let installed = store.install(service.lifted(Lens(\App.left)).tagged(Left.self))
    #expect(store.left.count == 2)
    try await store.dispatch(TitleAction.rename("x").tagged(Left.self)).finish()
    #expect(store.left.count == 12)
    installed.cancel()
    #expect(removals.value == 1)
    let counts = Prism<Wide, CountAction>(
      embed: Wide.count, extract: { if case .count(let action) = $0 { action } else { nil } })
    let wide = try Store(initialState: Desk(notes: [1, 2, 3]), coverage: .partial) {
      Self.counting.lifted(action: counts)
      service.lifted(action: counts)
    }
    #expect(wide.count == 3)
    try await wide.dispatch(TitleAction.rename("x")).finish()
    #expect(wide.count == 13)
  }
}
