import Lensed
import LensedTestSupport
import Testing

@Suite("A recorded session, where parts come and go", .timeLimit(.minutes(30)))
struct RecorderRegistrationTests {
  private struct Scene {
    let recorder = SessionRecorder<Desk>()
    let history = History<Desk>(limit: 1_000)
    let store: Store<Desk>

    init() throws {
      store = Store(
        initialState: Desk(), coverage: .partial, middleware: [recorder, history])
      try store.register(Desk.countMutator)
    }

    /// The states of both recordings, each replayed in a store with the parts of the first action.
    func replayed(
      _ parts: [Mutator<Desk, Int>] = [Desk.countMutator]
    ) throws -> (recorded: Desk, kept: Desk) {
      let fresh = [0, 1].map { _ in Store(initialState: Desk(), coverage: .partial) }
      for store in fresh { for part in parts { try store.register(part) } }
      fresh[0].replay(try #require(recorder.session))
      fresh[1].replay(try #require(RecordedSession(history)))
      return (fresh[0].state, fresh[1].state)
    }
  }

  @Test(.warnsOnPurpose)
  func `a part that was registered after a commit replays to the same state`() throws {
    let scene = try Scene()
    scene.store.dispatch(CountAction.add(1))
    // Nobody answers it yet.
    scene.store.dispatch(TitleAction.rename("too early"))
    try scene.store.register(Desk.titleMutator)
    scene.store.dispatch(TitleAction.rename("in time"))
    scene.store.dispatch(CountAction.add(2))
    scene.store.dispatch(ClearAction())
    scene.store.dispatch([CountAction.add(7), TitleAction.rename("last")] as [any Action])
    let (recorded, kept) = try scene.replayed()
    #expect(scene.store.state == Desk(count: 7, title: "last"))
    #expect(recorded == scene.store.state)
    #expect(kept == scene.store.state)
  }

  @Test(.warnsOnPurpose)
  func `a part that was unregistered after a commit replays to the same state`() throws {
    let scene = try Scene()
    scene.store.dispatch(CountAction.add(1))
    #expect(scene.store.unregister(\.count))
    scene.store.dispatch(CountAction.add(10))
    let (recorded, kept) = try scene.replayed()
    #expect(scene.store.state == Desk(count: 1))
    #expect(recorded == scene.store.state)
    #expect(kept == scene.store.state)
  }

  @Test func `a part that got another reducer after a commit replays to the same state`() throws {
    let scene = try Scene()
    scene.store.dispatch(CountAction.add(1))
    scene.store.unregister(\.count)
    try scene.store.register(Self.subtracting)
    scene.store.dispatch(CountAction.add(10))
    let (recorded, kept) = try scene.replayed()
    #expect(scene.store.state == Desk(count: -9))
    #expect(recorded == scene.store.state)
    #expect(kept == scene.store.state)
  }

  @Test func `a part whose reducer was replaced after a commit replays to the same state`() throws {
    let scene = try Scene()
    scene.store.dispatch(CountAction.add(1))
    try scene.store.replace(Self.subtracting)
    scene.store.dispatch(CountAction.add(10))
    let (recorded, kept) = try scene.replayed()
    #expect(scene.store.state == Desk(count: -9))
    #expect(recorded == scene.store.state)
    #expect(kept == scene.store.state)
  }

  private static let subtracting = Mutator(\Desk.count) {
    (count: inout Int, action: CountAction) in
    if case .add(let amount) = action { count -= amount }
  }

  @Test(.warnsOnPurpose)
  func `another store with other parts, which goes on with the session, replays too`() throws {
    let recorder = SessionRecorder<Desk>()
    var first: Store<Desk>? = Store(
      initialState: Desk(), coverage: .partial, middleware: [recorder])
    try first?.register(Desk.countMutator)
    first?.dispatch(CountAction.add(1))
    first = nil
    let second = Store(initialState: Desk(count: 5), coverage: .partial, middleware: [recorder])
    try second.register(Desk.titleMutator)
    second.dispatch(CountAction.add(1))
    second.dispatch(TitleAction.rename("x"))
    let fresh = Store(initialState: Desk(), coverage: .partial)
    try fresh.register(Desk.countMutator)
    fresh.replay(try #require(recorder.session))
    #expect(second.state == Desk(count: 5, title: "x"))
    #expect(fresh.state == second.state)
  }

  @Test(.warnsOnPurpose)
  func `whatever is registered, replaced or unregistered, it replays to every state`()
    throws
  {
    for seed in 1...40 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let recorder = SessionRecorder<Desk>()
      let store = Store(initialState: Desk(), coverage: .partial, middleware: [recorder])
      var parts: Set<Int> = [0, 1]
      try store.register(Desk.countMutator)
      try store.register(Desk.titleMutator)
      store.dispatch(CountAction.add(1))
      var states = [store.state]
      for _ in 0..<60 {
        let part = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 8 where parts.contains(0):
          try store.replace(Bool.random(using: &random) ? Self.subtracting : Desk.countMutator)
          continue
        case 0 where !parts.contains(part):
          parts.insert(part)
          switch part {
          case 0: try store.register(Desk.countMutator)
          case 1: try store.register(Desk.titleMutator)
          default: try store.register(Desk.notesMutator)
          }
          continue
        case 1 where parts.contains(part):
          parts.remove(part)
          switch part {
          case 0: store.unregister(\.count)
          case 1: store.unregister(\.title)
          default: store.unregister(\.notes)
          }
          continue
        case 2: store.dispatch(ClearAction())
        case 3: store.dispatch(TitleAction.rename("\(states.count)"))
        case 4: store.dispatch(NoteAction.append(states.count))
        case 5: store.dispatch([CountAction.add(2), NoteAction.append(1)] as [any Action])
        default: store.dispatch(CountAction.add(1))
        }
        states.append(store.state)
      }
      let fresh = Store(initialState: Desk(), coverage: .partial)
      try fresh.register(Desk.countMutator)
      try fresh.register(Desk.titleMutator)
      var replayed: [Desk] = []
      fresh.replay(try #require(recorder.session)) { _, state in replayed.append(state) }
      #expect(replayed == states, "seed \(seed)")
    }
  }
}
