import Lensed
import LensedTestSupport
import Testing

/// Every place of a child in which another one with the same ids may follow it.
@Suite("What was made for a child reaches no other that takes its place", .timeLimit(.minutes(30)))
struct ReplacedChildTests {
  struct Child: Sendable, Equatable, Identifiable {
    let id: Int
    /// Tells it from others, whatever its id.
    let number: Int
    var log: [String] = []
  }
  enum Screen: Sendable, Equatable { case none, child(Child) }
  struct Session: Sendable, Equatable, Identifiable {
    let id: Int
    var rows: Entities<Child> = []
  }
  struct App: Sendable, Equatable {
    var sheet: Child?
    var screen = Screen.none
    var byKey: [String: Child] = [:]
    var list: [Child] = []
    var session: Session?
    var heard: [String] = []
  }

  struct Put: Action { let number: Int? }
  struct Load: Action {}
  struct Line: Action { let text: String }

  private static let screen = Prism<Screen, Child>(Screen.child) {
    if case .child(let child) = $0 { child } else { nil }
  }

  enum Place: CaseIterable, Sendable {
    case optional, matching, keyed, offset
    /// A row with the id of the row before, in another session.
    case outer

    func lift(_ feature: Feature<Child>) -> Feature<App> {
      switch self {
      case .optional: feature.optional().lifted(\.sheet)
      case .matching: feature.matching(ReplacedChildTests.screen).lifted(\.screen)
      case .keyed: feature.keyed().lifted(\.byKey)
      case .offset: feature.offset().lifted(\.list)
      case .outer:
        (feature.identified().lifted(\.rows) as Feature<Session>).optional().lifted(\.session)
      }
    }

    func put(_ number: Int?, into app: inout App) {
      let child = number.map { Child(id: self == .outer ? 7 : $0, number: $0) }
      switch self {
      case .optional: app.sheet = child
      case .matching: app.screen = child.map { .child($0) } ?? .none
      case .keyed: app.byKey["a"] = child
      case .offset: app.list = child.map { [$0] } ?? []
      case .outer: app.session = child.map { Session(id: $0.number, rows: [$0]) }
      }
    }

    func child(in app: App) -> Child? {
      switch self {
      case .optional: app.sheet
      case .matching: ReplacedChildTests.screen.extract(app.screen)
      case .keyed: app.byKey["a"]
      case .offset: app.list.first
      case .outer: app.session?.rows[id: 7]
      }
    }

    /// An action for the child.
    func address(_ action: some Action) -> any Action {
      switch self {
      case .optional, .matching: action
      case .keyed: action.element("a")
      case .offset: action.element(0)
      case .outer: action.element(7)
      }
    }
  }

  private let warnings = Recorder<StoreWarning>()

  /// A store with the child 1, whose owner handles what is for the child, too.
  private func makeStore(_ place: Place, _ feature: Feature<Child>) throws -> Store<App> {
    var app = App()
    place.put(1, into: &app)
    return try Store(
      initialState: app, coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      place.lift(feature)
      Mutator(\App.self) { (app: inout App, put: Put) in place.put(put.number, into: &app) }
        .on(Line.self) { app, line in app.heard.append(line.text) }
        .on(ElementAction<String, Line>.self) { app, line in app.heard.append(line.action.text) }
        .on(ElementAction<Int, Line>.self) { app, line in app.heard.append(line.action.text) }
    }
  }

  /// A feature whose log has the lines and the loads of its child.
  private func logging(@StoreBuilder<Child> _ parts: () -> [StorePart<Child>]) -> Feature<Child> {
    Feature<Child>("f", onInstall: nil) {
      Mutator(\Child.log) { (log: inout [String], line: Line) in log.append(line.text) }
        .on(Load.self) { log, _ in log.append("load") }
      parts()
    }
  }

  private static func name(_ end: EffectEnd) -> String {
    if case .gone = end { "gone" } else { "\(end)" }
  }

  @Test(arguments: Place.allCases, [false, true])
  func `the end of a run is not told to the next child`(_ place: Place, isSequence: Bool)
    async throws
  {
    let (gate, begun, triggered) = (Gate(), Recorder<Int>(), Recorder<String>())
    let store = try makeStore(
      place,
      logging {
        Effect<Child>(on: Load.self) { _, context in
          begun.append(context.number)
          try await gate.wait()
        }
        .ended { end, context in
          let line = Line(text: "\(Self.name(end)) \(context.number)")
          return isSequence ? AsyncActions(AsyncStream { stream(line, $0) }) : line
        }
        Effect<Child>(on: Line.self) { line, _ in triggered.append(line.text) }
      })
    store.dispatch([place.address(Load())])
    _ = await begun.waitForCount(1)
    let change = store.dispatch([Put(number: 2), place.address(Load())])
    _ = await begun.waitForCount(2)
    #expect(begun.values == [1, 2])
    #expect(place.child(in: store.state)?.log == ["load"])
    // With nothing in its place, the owner above hears it.
    let removal = store.dispatch(Put(number: nil))
    gate.open()
    try await change.finish()
    try await removal.finish()
    try await store.settled()
    #expect(store.heard == ["gone 2"])
    #expect(triggered.values.isEmpty)
    #expect(warnings.values.isEmpty)
  }

  @Test(arguments: Place.allCases)
  func `the scope that onInstall was given shows its child, and writes to no other`(
    _ place: Place
  ) throws {
    let (scopes, seen) = (Recorder<ScopedStore<Child>>(), Recorder<[String]>())
    let store = try makeStore(
      place, Feature<Child>("g", onInstall: { scopes.append($0) }) { logging {} })
    let old = try #require(scopes.values.first)
    let subscription = old.states(\.log).subscribe { seen.append($0) }
    old.dispatch(Line(text: "a"))
    #expect(place.child(in: store.state)?.log == ["a"])
    store.dispatch(Put(number: 2))
    #expect((old.number, old.log) == (1, []), "as it came")
    #expect(seen.values == [[], ["a"]])
    old.dispatch(Line(text: "late"))
    old.dispatch([Line(text: "late"), Line(text: "later")])
    #expect(place.child(in: store.state)?.log == [])
    #expect(Set(warnings.values.map(\.kind)) == [.departedScope])
    let text = try #require(warnings.values.first?.description)
    #expect(
      text.contains("made for the child `1`, and `2` is in its place") == (place != .outer),
      "\(text)")
    scopes.values[1].dispatch(Line(text: "b"))
    #expect(place.child(in: store.state)?.log == ["b"])
    // It is the child's again when that is back.
    store.dispatch(Put(number: 1))
    old.dispatch(Line(text: "c"))
    #expect((old.log, place.child(in: store.state)?.log) == (["c"], ["c"]))
    #expect(store.heard == ["a", "b", "c"])
    subscription.cancel()
  }

  @Test(arguments: Place.allCases)
  func `a context that was kept after its run shows its child, and writes to no other`(
    _ place: Place
  ) async throws {
    let contexts = Recorder<EffectContext<Child>>()
    let store = try makeStore(
      place, logging { Effect<Child>(on: Load.self) { _, context in contexts.append(context) } })
    try await store.dispatch([place.address(Load())]).finish()
    let kept = try #require(contexts.values.first)
    store.dispatch(Put(number: 2))
    #expect((kept.number, kept.asScope.number) == (1, 1))
    kept.dispatch(Line(text: "late"))
    kept.asScope.dispatch(Line(text: "late"))
    #expect(place.child(in: store.state)?.log == [])
    #expect(Set(warnings.values.map(\.kind)) == [.departedScope])
    // Another run in the next child is no way there, either.
    try await store.dispatch([place.address(Load())]).finish()
    kept.dispatch(Line(text: "late"))
    #expect(place.child(in: store.state)?.log == ["load"])
    store.dispatch(Put(number: 1))
    kept.dispatch(Line(text: "back"))
    #expect((kept.log, place.child(in: store.state)?.log) == (["back"], ["back"]))
    #expect(Set(warnings.values.map(\.kind)) == [.departedScope, .endedEffect])
  }

  @Test func `the scope of onInstall goes the way of one that the store makes`() throws {
    let scopes = Recorder<ScopedStore<Child>>()
    let feature = Feature<Child>("g", onInstall: { scopes.append($0) }) { logging {} }
    let store = try makeStore(.optional, feature)
    let made = try #require(store.scope(\.sheet))
    #expect(scopes.values.first?.dispatchTarget == made.dispatchTarget)
    store.dispatch(Put(number: 2))
    #expect(scopes.values[1].dispatchTarget != made.dispatchTarget)
  }

  // MARK: Without an id

  struct Plain: Sendable, Equatable { var log: [String] = [] }
  struct Bare: Sendable { var plain: Plain? = Plain() }
  struct Renew: Action {}

  @Test func `of children without an id, each that follows is the same`() async throws {
    let (scopes, contexts) = (
      Recorder<ScopedStore<Plain>>(), Recorder<EffectContext<Plain>>()
    )
    let plain = Feature<Plain>("plain", onInstall: { scopes.append($0) }) {
      Mutator(\Plain.log) { (log: inout [String], line: Line) in log.append(line.text) }
      Effect<Plain>(on: Load.self) { _, context in contexts.append(context) }
        .ended { _, _ in Line(text: "end") }
    }
    let store = try Store(
      initialState: Bare(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      plain.optional().lifted(\.plain)
      Mutator(\Bare.plain) { (plain: inout Plain?, _: Renew) in plain = Plain() }
    }
    try await store.dispatch(Load()).finish()
    #expect(store.plain?.log == ["end"])
    store.dispatch(Renew())
    scopes.values.first?.dispatch(Line(text: "scope"))
    contexts.values.first?.dispatch(Line(text: "context"))
    #expect(store.plain?.log == ["scope", "context"])
    #expect(scopes.count == 1)
    #expect(warnings.values.map(\.kind) == [.endedEffect])
  }
}

/// A sequence of one action, which has ended.
private func stream<A: Action>(_ action: A, _ continuation: AsyncStream<A>.Continuation) {
  continuation.yield(action)
  continuation.finish()
}
