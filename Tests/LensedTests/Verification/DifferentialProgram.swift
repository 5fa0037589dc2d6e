import Lensed
import LensedTestSupport

/// One random program, which a seed repeats, run against a store with or without onlookers.
///
/// The program is drawn from the seed alone, so each form runs the same one.
struct DifferentialProgram: Sendable {
  /// What stands beside the store, and must make no difference.
  enum Form: CaseIterable, Sendable {
    case plain
    /// A reader of `changes` that reads nothing.
    case changes, changesWithPrevious
    case middleware
    /// An effect of an action that never comes.
    case absentEffect
    /// An effect of the same actions that does nothing.
    case idleEffect
    /// A `whenChanged:` effect that does nothing.
    case idleWatch
    /// An asynchronous reader that waits.
    case asyncReader
    /// Derived values that are observed, with an observer that does nothing.
    case derived
  }

  /// What came of it.
  struct Outcome: Sendable, Equatable {
    var calls: [Call] = []
    var states: [Maze] = []
    var steps: [String] = []
  }

  struct Call: Sendable, Equatable, CustomStringConvertible {
    let observer: Int
    let value: Int
    var description: String { "\(observer):\(value)" }
  }

  private struct Idle: Middleware {
    typealias State = Maze
  }

  /// What a step says that reads a derived value of another state.
  static let stale = "read the stale"

  let seed: UInt64
  let steps: Int

  private final class Run {
    let store: Store<Maze>
    let history: History<Maze>?
    let calls = Recorder<Call>()
    let echoes = Counter()
    var subscriptions: [StoreSubscription] = []
    var observers = 0
    let hasEffect: Bool
    var random: SeededGenerator

    init(seed: UInt64, form: Form) throws {
      var random = SeededGenerator(seed: seed)
      history = Int.random(in: 0..<3, using: &random) == 0 ? History(limit: 8) : nil
      let actsItself = Int.random(in: 0..<3, using: &random) == 0
      hasEffect = actsItself
      let parts = Maze.parts(using: &random)
      var middleware: [any Middleware<Maze>] = history.map { [$0] } ?? []
      if form == .middleware { middleware.append(Idle()) }
      store = try Store(initialState: Maze(), coverage: .partial, middleware: middleware) {
        parts
        if actsItself {
          // One line for all of them: what they dispatch comes in one order.
          Effect<Maze>(on: Maze.SetX.self, .serial) { set, _ in Maze.AddA(amount: set.x) }
        }
      }
      self.random = random
    }

    func observe() {
      let (number, depth) = (observers, Int.random(in: 0..<4, using: &random))
      observers += 1
      // An effect and an observer that both dispatch would do so in an order of their own.
      let isEcho = Int.random(in: 0..<6, using: &random) == 0 && !hasEffect
      let stream = Maze.stream(of: store, depth: depth, using: &random)
      subscriptions.append(
        stream.subscribe { [calls, echoes, weak store] value in
          calls.append(Call(observer: number, value: value))
          // An observer that dispatches, a few times in all.
          if isEcho, value % 3 == 0, echoes.value < 6 {
            echoes.increment()
            store?.dispatch(Maze.AddA(amount: 1))
          }
        })
    }
  }

  /// Runs the program.
  func run(_ form: Form) async throws -> Outcome {
    let run = try Run(seed: seed, form: form)
    let store = run.store
    var onlookers: [Any] = []
    switch form {
    case .plain, .middleware: break
    case .changes: onlookers = [store.changes().makeAsyncIterator()]
    case .changesWithPrevious:
      onlookers = [store.changes(keepingPrevious: true).makeAsyncIterator()]
    case .absentEffect:
      onlookers = [store.install(Effect(on: Maze.Never.self) { _, _ -> Void in })]
    case .idleEffect:
      onlookers = [
        store.install(Effect(on: Maze.AddA.self) { _, _ -> Void in }),
        store.install(Effect(on: Maze.SetX.self, .latest) { _, _ -> Void in }),
        store.install(Effect(on: Maze.Mix.self, when: { _, _ in true }) { _, _ -> Void in }),
        store.install(Effect(on: Maze.Stray.self) { _, _ -> Void in }),
      ]
    case .idleWatch:
      onlookers = [store.install(Effect(whenChanged: \.a) { _, _ -> Void in })]
    case .asyncReader:
      var reader = store.states(\.digest).makeAsyncIterator()
      _ = await reader.next()
      onlookers = [reader]
    case .derived:
      onlookers = [
        store.states(Maze.parity).subscribe { _ in }, store.states(Maze.weight).subscribe { _ in },
      ]
    }
    var outcome = Outcome()
    for _ in 0..<3 { run.observe() }
    for _ in 0..<steps {
      outcome.steps.append(try await step(run))
      outcome.states.append(store.state)
    }
    outcome.calls = run.calls.values
    for subscription in run.subscriptions { subscription.cancel() }
    withExtendedLifetime(onlookers) {}
    return outcome
  }

  private func step(_ run: Run) async throws -> String {
    let store = run.store
    func action() -> any Action { Maze.action(using: &run.random) }
    switch Int.random(in: 0..<18, using: &run.random) {
    case 0..<4:
      let one = action()
      try await store.dispatch(one).finish()
      return "dispatch(\(one))"
    case 4:
      let (first, second) = (
        Int.random(in: 0..<4, using: &run.random), Int.random(in: 0..<4, using: &run.random)
      )
      try await store.dispatch([Maze.AddA(amount: first), .init(amount: second)]).finish()
      return "dispatch([AddA(\(first)), AddA(\(second))])"
    case 5:
      let number = Int.random(in: 0..<4, using: &run.random)
      let seen = store.dispatch(Maze.AddA(amount: number), focusingOn: \.digest)
      return "dispatch(AddA(\(number)), focusingOn:) == \(seen)"
    case 6, 7:
      let list = [action(), action(), action()]
      try await store.dispatch(list).finish()
      return "dispatch(\(list))"
    case 8:
      let list = ActionList([action(), ActionList([action(), [Maze.SetX(x: 2), .init(x: 3)]])])
      try await store.dispatch(list).finish()
      return "dispatch(\(list))"
    case 9:
      // With effects, what they dispatch would fall between the elements by chance.
      let elements = [Maze.Push(element: 1), Maze.Push(element: 2)]
      for element in elements { try await store.dispatch(element).finish() }
      return "push 1, then 2"
    case 10:
      var state = store.state
      state.a = Int.random(in: 0..<4, using: &run.random)
      state.inner.x = Int.random(in: 0..<4, using: &run.random)
      store.replaceState(state)
      return "replaceState(\(state))"
    case 11:
      guard let history = run.history else { return "nothing" }
      let didUndo = history.undo()
      return "undo() == \(didUndo)"
    case 12:
      guard let history = run.history else { return "nothing" }
      let entries = history.entries
      if Bool.random(using: &run.random) { return "redo() == \(history.redo())" }
      let index = Int.random(in: 0..<max(1, entries.count), using: &run.random)
      if entries.isEmpty { return "nothing" }
      return "jump(\(index)) == \(history.jump(to: entries[index].revision))"
    case 13:
      run.observe()
      return "observe"
    case 14:
      if run.subscriptions.isEmpty { return "nothing" }
      let index = Int.random(in: 0..<run.subscriptions.count, using: &run.random)
      run.subscriptions.remove(at: index).cancel()
      return "cancel observer \(index)"
    case 15, 16:
      let (weight, parity) = (store[Maze.weight], store[Maze.parity])
      let state = store.state
      let isRight =
        weight == Maze.weight.value(in: state) && parity == Maze.parity.value(in: state)
      return isRight ? "read \(weight), \(parity)" : "\(Self.stale) \(weight), \(parity)"
    default:
      // One element: with more, an effect's answer would fall between them by chance.
      let sequence = AsyncStream<Maze.SetX> { stream in
        stream.yield(Maze.SetX(x: 1))
        stream.finish()
      }
      try await store.dispatch(sequence).finish()
      return "a sequence"
    }
  }
}
