import Lensed
import LensedPresenters
import LensedTestSupport
import LensedTesting
import Testing

/// However an action is dispatched, everything that is shown it sees the same.
@Suite("Shapes of actions", .timeLimit(.minutes(30)))
struct ActionShapesTests {
  struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var total = 0
  }
  struct State: Sendable, Equatable {
    var total = 0
    var left = 0
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }
  struct Add: Action, Equatable { var amount = 1 }
  enum Left {}

  /// Ways to write the same actions.
  private static func shapes(of actions: [any Action]) -> [(name: String, action: any Action)] {
    let list = ActionList(actions)
    var shapes: [(String, any Action)] = [
      ("in a list", list), ("in a list in a list", ActionList([list])),
      ("between empty lists", ActionList([ActionList([]), list, [Add]()])),
      ("each in a list", ActionList(actions.map { ActionList([$0]) })),
      ("each in an array", ActionList(actions.map { inArray($0) })),
    ]
    if actions.count == 1 {
      shapes += [("alone", actions[0]), ("in an array", inArray(actions[0]))]
    }
    if actions.count > 1, let array = together(actions) { shapes.append(("in an array", array)) }
    return shapes
  }

  private static func inArray(_ action: some Action) -> any Action { [action] }

  private static func together(_ actions: [any Action]) -> (any Action)? {
    func array<A: Action>(_ first: A) -> any Action { actions.compactMap { $0 as? A } }
    return actions.first.map { array($0) }
  }

  /// Ways to address an action.
  private static let addresses: [(name: String, address: @Sendable (Add) -> any Action)] = [
    ("plain", { $0 }), ("tagged", { $0.tagged(Left.self) }),
    ("for an element", { ElementAction(id: 1, action: $0) }),
  ]

  /// Everything that is shown the actions of one dispatch, as text.
  private func seen(
    by way: String, _ dispatch: (Store<State>) async throws -> Void
  ) async throws -> [String] {
    let asked = Recorder<String>()
    let log = Recorder<String>()
    let triggered = Counter()
    let recorder = SessionRecorder<State>()
    let history = History<State>()
    let recorded = Recorder<String>()
    let part = History<State>(
      \.total,
      recording: { change in
        recorded.append("\(change.actions)")
        return true
      })
    struct Asked: Middleware {
      let asked: Recorder<String>
      func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
        asked.append("\(action)")
        return .proceed
      }
    }
    let logger = ActionLogger<State>(excluding: []) { text in
      log.append(text.split(separator: " at ").first.map(String.init) ?? "")
    }
    let silent = ActionLogger<State>(excluding: [Add.self]) { log.append("not left out: \($0)") }
    let blueprint = try StoreBlueprint<State> {
      Mutator(\.total) { (total: inout Int, action: Add) in total += action.amount }
      Mutator(\.left) { (left: inout Int, action: Tagged<Left, Add>) in
        left += action.action.amount
      }
      Feature<Row> {
        Constant(\Row.id)
        Mutator(\Row.total) { (total: inout Int, action: Add) in total += action.amount }
      }
      .identified().lifted(\State.rows)
      Effect(on: Add.self) { _, _ -> Void in triggered.increment() }
    }
    let store = blueprint.makeStore(
      initialState: State(),
      middleware: [Asked(asked: asked), logger, silent, recorder, history, part])
    var changes = store.changes().makeAsyncIterator()
    try await dispatch(store)
    try await store.settled()
    let change = try #require(await changes.next())
    let fresh = blueprint.makeStore(initialState: State())
    fresh.replay(try #require(recorder.session))
    #expect(fresh.state == store.state, "\(way)")
    #expect(!log.values.contains { $0.hasPrefix("not left out") }, "\(way)")
    return [
      "\(store.state)", "\(change.actions)", "\(asked.values)", "\(log.values)",
      "\(triggered.value)", "\(history.entries.map { "\($0.actions)" })", "\(recorded.values)",
      "\(history.entries.count) \(part.entries.count)",
    ]
  }

  @Test(arguments: [1, 3])
  func `each place that is shown an action is shown the same`(_ count: Int) async throws {
    for (name, address) in Self.addresses {
      let actions = (1...count).map { address(Add(amount: $0)) }
      let expected = try await seen(by: name) { $0.dispatch(ActionList(actions)) }
      for shape in Self.shapes(of: actions) {
        let found = try await seen(by: "\(name), \(shape.name)") { $0.dispatch(shape.action) }
        #expect(found == expected, "\(name), \(shape.name)")
      }
      let whole = try await seen(by: "\(name), as [any Action]") { $0.dispatch(actions) }
      #expect(whole == expected, "\(name), as [any Action]")
    }
  }

  @Test func `each place that takes an action takes every shape of it`() async throws {
    let actions = [Add(amount: 2), Add(amount: 3)]
    for shape in Self.shapes(of: actions) {
      for way in ["store", "scope", "focusing", "effect", "returned", "observed"] {
        let store = try Store(initialState: State(), coverage: .partial) {
          Mutator(\State.total) { (total: inout Int, action: Add) in total += action.amount }
          Effect(on: Tagged<Left, Add>.self) { [action = shape.action] _, context in
            if way == "effect" { context.dispatch(action) }
          }
          Effect(on: Tagged<Left, Add>.self) { [action = shape.action] _, _ -> (any Action)? in
            way == "returned" ? action : nil
          }
        }
        switch way {
        case "store": store.dispatch(shape.action)
        case "scope": store.asScope.dispatch(shape.action)
        case "focusing":
          #expect(store.dispatch([shape.action], focusingOn: \.total) == 5, "\(shape.name)")
        case "observed":
          await MainActor.run { _ = ObservedStore(store).dispatch(shape.action) }
        default: try await store.dispatch(Add().tagged(Left.self)).finish()
        }
        #expect(store.total == 5, "\(way), \(shape.name)")
      }
    }
  }

  private struct Showing: Presenter {
    let reactions: Recorder<String>

    func reaction(to change: Change<State>) -> Reaction {
      reactions.append("\(change.actions)")
      return .none
    }

    func props(for state: State, dispatch: Dispatcher) -> Int { state.total }
  }

  private func makeStore(_ middleware: [any Middleware<State>] = []) throws -> Store<State> {
    try Store(initialState: State(), middleware: middleware) {
      Mutator(\.total) { (total: inout Int, action: Add) in total += action.amount }
      Mutator(\.left) { (left: inout Int, action: Tagged<Left, Add>) in
        left += action.action.amount
      }
      Feature<Row> {
        Constant(\Row.id)
        Mutator(\Row.total) { (total: inout Int, action: Add) in total += action.amount }
      }
      .identified().lifted(\State.rows)
    }
  }

  /// What the grouping of a history and a presenter are shown of two dispatches, and what an exploration finds missing.
  @MainActor private func shown(_ action: any Action) async throws -> [String] {
    let (grouped, reactions, props) = (Recorder<String>(), Recorder<String>(), Recorder<Int>())
    let history = History<State>(
      Lens<State, State>.identity,
      grouping: { previous, next in
        grouped.append("\(previous.actions) \(next.actions)")
        return true
      })
    let store = try makeStore([history])
    let presentation = store.present(Showing(reactions: reactions)) { props.append($0) }
    presentation.start()
    await props.waitForCount(1)
    for count in 1...2 {
      store.dispatch(action)
      await reactions.waitForCount(count)
    }
    #expect(history.entries.count == 2)
    presentation.stop()
    let exploration = await explore(
      store: { [self] in try makeStore() }, actions: [action], invariants: [])
    return ["\(grouped.values)", "\(reactions.values)", "\(exploration.neverExercised)"]
  }

  @Test(arguments: [1, 3])
  func `the grouping of a history, a presenter and an exploration are shown the same of each shape`(
    _ count: Int
  ) async throws {
    for (name, address) in Self.addresses {
      let actions = (1...count).map { address(Add(amount: $0)) }
      let expected = try await shown(ActionList(actions))
      #expect(!expected[0].isEmpty && expected[0].contains("Add"))
      for shape in Self.shapes(of: actions) {
        let found = try await shown(shape.action)
        #expect(found == expected, "\(name), \(shape.name)")
      }
    }
  }

  @Test func `a step of a test receives an action in every shape`() async throws {
    for shape in Self.shapes(of: [Add(amount: 2), Add(amount: 3)]) {
      let test = try TestStore(initialState: State(), coverage: .partial) {
        Mutator(\State.total) { (total: inout Int, action: Add) in total += action.amount }
        Effect(on: Tagged<Left, Add>.self) { [action = shape.action] _, context in
          context.dispatch(action)
        }
      }
      await test.dispatch(Add().tagged(Left.self))
      let received = await test.receive(Add.self) { $0.total = 5 }
      #expect(received == Add(amount: 2), "\(shape.name)")
      await test.finish()
    }
  }
}
