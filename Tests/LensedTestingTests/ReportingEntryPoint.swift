import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A function of the test kit that reports, and a use of it that breaks a promise.
struct ReportingEntryPoint: Sendable {
  /// A part of its declaration that no other one has.
  let declaration: String
  /// The name that its reports begin with.
  let subject: String
  /// The beginning of what it reports.
  let says: String
  /// Breaks the promise.
  let misuse: @Sendable () async throws -> Void

  init(
    _ declaration: String, of subject: String, says: String,
    _ misuse: @escaping @Sendable () async throws -> Void
  ) {
    (self.declaration, self.subject, self.says) = (declaration, subject, says)
    self.misuse = misuse
  }

  /// A function of a test store of a desk.
  private static func step(
    _ declaration: String, says: String,
    _ misuse: @escaping @Sendable (TestStore<Desk>) async throws -> Void
  ) -> ReportingEntryPoint {
    ReportingEntryPoint(declaration, of: "a TestStore", says: says) {
      try await misuse(TestStore(initialState: Desk(), patience: .milliseconds(1)) { restless })
    }
  }

  /// An initialiser of test stores: what it makes is released before its end.
  private static func making(
    _ declaration: String, _ make: @escaping @Sendable () throws -> TestStore<Desk>
  ) -> ReportingEntryPoint {
    ReportingEntryPoint(
      declaration, of: "a TestStore", says: "A TestStore was released before `finish()`"
    ) {
      let test = try make()
      test.store.dispatch(CountAction.add(1))
      withExtendedLifetime(test) {}
    }
  }

  static let all = dispatching + receiving + ending + laws + explorations

  private static let dispatching = [
    making("init<Failure>(exhaustivity:") { try TestStore { try Desk.makeStore() } },
    making("init(initialState: State, _ feature:") {
      try TestStore(initialState: Desk(), Feature { restless })
    },
    making("init(initialState: State, coverage:") {
      try TestStore(initialState: Desk()) { restless }
    },
    step("dispatch<A>(_ action: A,", says: "`CountAction.add(1)` changed the state") {
      await $0.dispatch(CountAction.add(1))
    },
    step("dispatch(_ actions: [any Action],", says: "`[CountAction.add(1)]` changed the state") {
      await $0.dispatch([CountAction.add(1)] as [any Action])
    },
    step("S.Element : Action", says: "The store has not come to rest in") {
      await $0.dispatch(Endless(element: CountAction.keep))
    },
    step("S.Element == any Action", says: "The store has not come to rest in") {
      await $0.dispatch(Endless<any Action>(element: CountAction.keep))
    },
    step("perform(", says: "The step changed the state") { test in
      await test.perform { test.store.dispatch(CountAction.add(1)) }
    },
  ]
  private static let missing = "was expected, and does not come:"
  private static let unsent = "was expected to be sent, and does not come:"

  private static let receiving = [
    step("receive<A>(_ action: A,", says: "`CountAction.keep` \(missing)") {
      await $0.receive(CountAction.keep)
    },
    step("receive<A>(_ type: A.Type, sourceLocation:", says: "`CountAction` \(missing)") {
      await $0.receive(CountAction.self)
    },
    step("receive<A>(_ type: A.Type, where", says: "`CountAction` \(missing)") {
      await $0.receive(CountAction.self, where: { $0 == .keep })
    },
    step("receive<A, Value>(case", says: "A case of `CountAction` with a `Int` \(missing)") {
      await $0.receive(
        case: Prism(CountAction.add) { if case .add(let number) = $0 { number } else { nil } })
    },
    step("receive<Value>(outcomeOf", says: "An outcome of `count` \(missing)") {
      await $0.receive(outcomeOf: \.count)
    },
    step("receiveError<", says: "An error `Offline` \(missing)") {
      await $0.receiveError(Offline.self)
    },
    step("receiveReplacement(", says: "A replacement of the state \(missing)") {
      await $0.receiveReplacement()
    },
    step("expectSent<A>(_ type: A.Type, where", says: "`Lost` \(unsent)") {
      await $0.expectSent(Lost.self)
    },
    step("expectSent<A>(_ action: A,", says: "`Lost()` \(unsent)") {
      await $0.expectSent(Lost())
    },
    step("receiveWarning(", says: "A warning `missingElement` \(missing)") {
      await $0.receiveWarning(.missingElement)
    },
  ]

  private static let ending = [
    step("func rest(", says: "The store has not come to rest in") {
      $0.store.dispatch(TitleAction.rename("a"))
      await $0.rest()
    },
    step("skipReceived(", says: "The store has not come to rest in") {
      $0.store.dispatch(TitleAction.rename("a"))
      await $0.skipReceived()
    },
    step("func finish(", says: "`CountAction.add(1)` was not received by any step:") {
      $0.store.dispatch(CountAction.add(1))
      await $0.finish()
    },
    step("finishLeavingEffects(", says: "`CountAction.add(1)` was not received by any step:") {
      $0.store.dispatch(CountAction.add(1))
      await $0.finishLeavingEffects()
    },
  ]

  private static let laws = [
    ReportingEntryPoint(
      "expectLawful<Root, Value>(_ lens:", of: "`expectLawful`",
      says: "The lens `count` breaks a law: what was written is what is read."
    ) {
      expectLawful(
        Lens<Desk, Int>(name: "count", get: { $0.count }, set: { desk, _ in desk }),
        over: [Desk()], writing: [1])
    },
    ReportingEntryPoint(
      "expectLawful<Root, Value>(_ keyPath:", of: "`expectLawful`",
      says: "The lens `an unnamed lens to Int` breaks a law: what was written is what is read."
    ) {
      expectLawful(\Desk.never, over: [Desk()], writing: [1])
    },
    ReportingEntryPoint(
      "expectLawful<State, Value>(_ derived:", of: "`expectLawful`",
      says: "The derived value breaks a law: it is the plain function of the first state."
    ) {
      expectLawful(Derived(\Desk.count) { $0 }, over: [Desk()]) { _ in -1 }
    },
    ReportingEntryPoint(
      "expectLawful<Root, Value>(_ prism:", of: "`expectLawful`",
      says: "The prism from Desk to Int breaks a law: what was embedded is what is extracted."
    ) {
      expectLawful(
        Prism<Desk, Int>(embed: { _ in Desk() }, extract: { _ in nil }), over: [],
        embedding: [1])
    },
    ReportingEntryPoint(
      "expectLawful<Element>(", of: "`expectLawful`",
      says: "Entities of Row breaks a law: edit 0 keeps the id of its element."
    ) {
      struct Row: Identifiable { var id: Int }
      expectLawful([[Row(id: 1)] as Entities], editing: [{ $0.id = 2 }])
    },
    ReportingEntryPoint(
      "expectOwned<State>(", of: "`expectOwned`", says: "The store cannot be built of these parts:"
    ) {
      expectOwned(Desk()) { Desk.countMutator }
    },
    ReportingEntryPoint(
      "expectOwned<State, Value>(", of: "`expectOwned`",
      says: "The owner of `count` does not handle `NoteAction`."
    ) {
      expectOwned(\.count, in: try Desk.makeStore(), by: NoteAction.self)
    },
  ]

  private static let explorations: [ReportingEntryPoint] = {
    let never = Invariant("nothing is counted", of: \Desk.count) { $0 == 0 }
    let adding = Generator.any(.always(CountAction.add(1)))
    func exploration(
      _ declaration: String, _ misuse: @escaping @Sendable () async throws -> Void
    ) -> ReportingEntryPoint {
      ReportingEntryPoint(
        declaration, of: "`explore`", says: "“nothing is counted” does not hold", misuse)
    }
    return [
      exploration("() throws -> Store<State>, actions: Generator<any Action>") {
        await explore(
          store: { try Desk.makeStore() }, actions: adding, seed: 1, invariants: [never])
      },
      exploration("(ManualClock) throws -> Store<State>, actions: Generator<any Action>") {
        await explore(
          store: { (_: ManualClock) in try Desk.makeStore() }, actions: adding, seed: 1,
          invariants: [never], threads: 2)
      },
      exploration("() throws -> Store<State>, actions: [any Action]") {
        await explore(
          store: { try Desk.makeStore() }, actions: [CountAction.add(1)], invariants: [never])
      },
      exploration("(ManualClock) throws -> Store<State>, actions: [any Action]") {
        await explore(
          store: { (_: ManualClock) in try Desk.makeStore() }, actions: [CountAction.add(1)],
          invariants: [never])
      },
      exploration("replaying actions:") {
        await explore(
          store: { try Desk.makeStore() }, replaying: [CountAction.add(1)], invariants: [never])
      },
      exploration("session: RecordedSession<State>") {
        await explore(
          store: { try Desk.makeStore() },
          session: RecordedSession(
            initial: Desk(), steps: [.actions([CountAction.add(1)], from: nil)]),
          invariants: [never])
      },
    ]
  }()
}

/// The parts of a desk, with an effect of `TitleAction` that never waits.
@StoreBuilder<Desk>
private var restless: [StorePart<Desk>] {
  Desk.countMutator
  Desk.titleMutator
  Desk.notesMutator
  Effect(on: TitleAction.self) { _, _ in while !Task.isCancelled { await Task.yield() } }
}

extension Desk {
  /// A number that forgets what is written.
  fileprivate var never: Int {
    get { 0 }
    set {}
  }
}

/// A sequence that never waits, and never ends.
private struct Endless<Element: Sendable>: AsyncSequence, Sendable {
  let element: Element

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(element: element) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let element: Element
    func next() async -> Element? { element }
  }
}
