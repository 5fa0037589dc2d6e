import Lensed
import LensedTestSupport
import Testing

/// Several reducers answer one action, and the trap names the one that ran: it is found by what the
/// commit has noted, differently for few reducers that always run, for many, and for some that might not.
@Suite("The trap of a re-entrant reducer names the reducer", .timeLimit(.minutes(30)))
struct GuaranteeFiveCulpritTests {
  struct App: Sendable {
    var first = 0
    var second = 0
    var third = 0
    var maybe: Int? = 0
  }

  enum Step: Action { case all }
  enum Poke: Action { case all }
  enum Look: Action { case look }

  /// How many reducers there are, which of them dispatches, and what came before.
  struct Plan: Sendable, Codable, CustomTestStringConvertible {
    var reducers: [String]
    var culprit: String
    var pokes = 0
    var steps = 0
    var isArray = false

    var testDescription: String {
      "\(culprit) of \(reducers)\(isArray ? ", in an array" : ""), after \(steps) and \(pokes) others"
    }
  }

  static let plans: [Plan] = {
    var plans: [Plan] = []
    for reducers in [
      ["first"], ["first", "second"], ["first", "second", "third"], ["maybe"], ["first", "maybe"],
      ["maybe", "second"],
    ] {
      for culprit in reducers {
        plans.append(Plan(reducers: reducers, culprit: culprit))
        plans.append(Plan(reducers: reducers, culprit: culprit, pokes: 3, steps: 2))
        plans.append(Plan(reducers: reducers, culprit: culprit, pokes: 1, steps: 1, isArray: true))
      }
    }
    return plans
  }()

  /// A store whose culprit dispatches in the step after those of the plan.
  static func makeStore(_ plan: Plan) throws -> Store<App> {
    let own = WeakReference<Store<App>>()
    let reduce = { @Sendable (name: String, number: inout Int) in
      number += 1
      if name == plan.culprit, number > plan.steps { own.object?.dispatch(Look.look) }
    }
    func mutator(_ name: String, _ path: any WritableKeyPath<App, Int> & Sendable) -> Mutator<
      App, Int
    > {
      let answers = Mutator(path) { (number: inout Int, _: Poke) in number += 0 }
      guard plan.reducers.contains(name) else { return answers }
      return answers.on(Step.self) { number, _ in reduce(name, &number) }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      mutator("first", \.first)
      mutator("second", \.second)
      mutator("third", \.third)
      Mutator(
        \App.maybe,
        plan.reducers.contains("maybe")
          ? Reducer { (number: inout Int, _: Step) in reduce("maybe", &number) }.optional()
          : .identity)
    }
    own.refer(to: store)
    return store
  }

  @Test(arguments: plans)
  func `whichever it is`(plan: Plan) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [plan] in
      let store = try Self.makeStore(plan)
      for _ in 0..<plan.pokes { store.dispatch(Poke.all) }
      for _ in 0..<plan.steps { store.dispatch(Step.all) }
      if plan.isArray { store.dispatch([Step.all]) } else { store.dispatch(Step.all) }
    }
    #expect(result.message.contains("The reducer of `\(plan.culprit)`"))
    #expect(result.message.contains("while `Step` was being reduced"))
    #expect(result.message.contains("dispatched `Look`"))
  }

  @Test(arguments: [false, true])
  func `one owner that answers twice is named for either answer`(isSecond: Bool) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isSecond = isSecond as Bool] in
      let own = WeakReference<Store<App>>()
      let store = try Store(initialState: App(), coverage: .partial) {
        Mutator(\.first) { (_: inout Int, _: Step) in
          if !isSecond { own.object?.dispatch(Look.look) }
        }
        .on(Step.self) { _, _ in own.object?.dispatch(Look.look) }
      }
      own.refer(to: store)
      store.dispatch(Step.all)
    }
    #expect(result.message.contains("The reducer of `first`"))
  }
}
