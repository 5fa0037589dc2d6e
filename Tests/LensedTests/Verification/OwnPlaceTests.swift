import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Whatever a store says to whoever develops the app, the places in it are the app's.
@Suite("No warning and no error names a place in Lensed", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct OwnPlaceTests {
  private struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }
  private struct App: Sendable, Equatable {
    var count = 0
    var items: [Item] = [Item(id: 1)]
    var left = Item(id: 2)
    var right = Item(id: 3)
    var sheet: Item? = Item(id: 4)
  }
  private struct Count: Action {}
  private struct Ping: Action {}
  private struct Stray: Action {}
  private struct Close: Action {}
  private struct Name: Action {}
  private struct Rename: Action { let title: String }
  private struct Broken: Error {}

  private static let item = Feature<Item> {
    Constant(\.id)
    Mutator(\.title) { (title: inout String, _: Name) in title += "." }
  }

  /// A store, and what it says.
  private struct Scene: Sendable {
    let said = Recorder<String>()
    let kinds = Recorder<StoreWarning.Kind>()

    func makeStore(
      clock: ManualClock = ManualClock(), middleware: [any Middleware<App>] = [],
      @StoreBuilder<App> _ more: () -> [StorePart<App>] = { [] }
    ) throws -> Store<App> {
      try Store(
        initialState: App(), coverage: .partial, middleware: middleware,
        onEffectError: { said.append("\($0)") },
        onWarning: { warning in
          kinds.append(warning.kind)
          said.append("\(warning)")
        }
      ) {
        Mutator(\.count) { (count: inout Int, _: Count) in count += 1 }
        Mutator(\.sheet) { (sheet: inout Item?, _: Close) in sheet = nil }
        more()
      }
    }
  }

  /// The places that a text names.
  private static func places(in text: String) -> [Substring] {
    text.matches(of: /[\w+]+\/[\w+ ]+\.swift(?::\d+)?/).map(\.output)
  }

  private static func expectOwn(
    _ texts: [String], naming isNamed: Bool = true, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!texts.isEmpty, comment, sourceLocation: sourceLocation)
    for text in texts {
      let places = places(in: text)
      #expect(
        places.allSatisfy { $0.hasPrefix("LensedTests/OwnPlaceTests.swift:") },
        "\(comment): \(text)", sourceLocation: sourceLocation)
      #expect(
        places.isEmpty != isNamed, "\(comment): \(text)", sourceLocation: sourceLocation)
    }
  }

  private static func stream<A: Action>(_ action: A) -> AsyncStream<A> {
    AsyncStream { stream in
      stream.yield(action)
      stream.finish()
    }
  }

  // MARK: Warnings

  /// Does what is warned of.
  private static func commit(_ kind: StoreWarning.Kind, _ scene: Scene) async throws {
    switch kind {
    case .unhandledAction: try scene.makeStore().dispatch(Stray())
    case .missingElement:
      let store = try scene.makeStore { item.identified().lifted(\.items) }
      store.dispatch(Name().element(7))
      // By an effect, by its sequence, and by the action of its end.
      let effects = try scene.makeStore {
        item.identified().lifted(\.items)
        Effect(on: Ping.self) { _, context in
          context.dispatch(Name().element(8))
          return Name().element(9)
        }
        Effect(on: Stray.self) { _, _ in stream(Name().element(11)) }
        Effect(whenChanged: \.count) { _, _ in [Name().element(12)] }
      }
      for action: any Action in [Ping(), Stray(), Count()] {
        try await effects.dispatch(action).finish()
      }
      try await effects.dispatch(stream(Name().element(13))).finish()
      try await effects.settled()
    case .foreignElement:
      try scene.makeStore { item.identified().lifted(\.items) }.dispatch(Name().element("a"))
    case .endedEffect:
      let contexts = Recorder<EffectContext<App>>()
      let store = try scene.makeStore {
        Effect(on: Ping.self) { _, context in contexts.append(context) }
      }
      try await store.dispatch(Ping()).finish()
      contexts.values[0].dispatch(Count())
    case .endlessEffects:
      let store = try scene.makeStore {
        Effect(whenChanged: \.count) { count, _ in if count < 1_100 { Count() } else { nil } }
      }
      store.dispatch(Count())
      try await store.settled()
    case .lostEffect:
      let clock = ManualClock()
      let store = try scene.makeStore {
        Effect(on: Ping.self) { _, _ in }.debounced(for: .seconds(1), clock: clock)
      }
      store.dispatch(Ping())
      await clock.waitForSleepers()
    case .departedScope:
      let store = try scene.makeStore { item.optional().lifted(\.sheet) }
      let sheet = try #require(store.scope(\.sheet))
      store.dispatch(Close())
      sheet.dispatch(Name())
    case .uselessDerived:
      let store = try scene.makeStore()
      let sign = Derived(\App.count) { $0 >= 0 }
      for _ in 0..<10 {
        _ = store[sign]
        store.dispatch(Count())
      }
    case .crowdedFamily:
      let store = try scene.makeStore()
      let family = DerivedFamily<App, Int, Int>(limit: 2) { key in
        Derived(\App.count) { (count: Int) in count + key }
      }
      for _ in 0..<4 { for key in 0..<20 { _ = store[family[key]] } }
    case .dispatchInReplay, .divergedReplay:
      let recorder = SessionRecorder<App>()
      let store = try scene.makeStore(middleware: [recorder])
      store.dispatch(Count())
      let session = try #require(recorder.session)
      let other = try Store(
        initialState: App(), coverage: .partial,
        onWarning: { warning in
          scene.kinds.append(warning.kind)
          scene.said.append("\(warning)")
        }
      ) {
        Mutator(\.count) { (count: inout Int, _: Count) in
          count += kind == .divergedReplay ? 2 : 1
        }
      }
      let observer =
        kind == .divergedReplay
        ? nil
        : other.states(\.count).subscribe { [weak other] _ in
          if other?.isReplaying == true { other?.dispatch(Count()) }
        }
      other.replay(session)
      observer?.cancel()
    case .sharedFeature:
      _ = try scene.makeStore {
        item.lifted(\.left)
        item.lifted(\.right)
      }
    case .overdueDeliveries:
      let store = try scene.makeStore()
      let observer = store.states(\.count).subscribe { [weak store] count in
        if count == 1 { for _ in 0..<100_002 { store?.dispatch(Count()) } }
      }
      for _ in 0..<2 { store.dispatch(Count()) }
      observer.cancel()
    case .unneededGiven:
      _ = try scene.makeStore { Feature<Item> { Constant(\.id) }.lifted(\.left, giving: \.count) }
    }
  }

  /// Kinds that are about no place of the source.
  private static let placeless: Set<StoreWarning.Kind> = [
    .sharedFeature, .overdueDeliveries,
  ]

  /// As many commits as are overdue take seconds where the code is not optimised.
  private static let kinds = StoreWarning.Kind.allCases.filter {
    isOptimized || $0 != .overdueDeliveries
  }

  @Test(arguments: kinds) func `a warning names the places of the app`(
    _ kind: StoreWarning.Kind
  ) async throws {
    let scene = Scene()
    try await Self.commit(kind, scene)
    #expect(Set(scene.kinds.values).contains(kind))
    #expect(scene.kinds.values.count { $0 == kind } == (kind == .missingElement ? 6 : 1))
    Self.expectOwn(scene.said.values, naming: !Self.placeless.contains(kind), "\(kind)")
  }

  // MARK: Errors

  @Test func `an error of an effect names them, whatever it came from`() async throws {
    let scene = Scene()
    let store = try scene.makeStore {
      Effect(on: Ping.self) { _, _ in throw Broken() }
      Effect(on: Ping.self) { _, _ in
        AsyncThrowingStream<Count, any Error> { $0.finish(throwing: Broken()) }
      }
      Effect(on: Ping.self) { _, context in
        try await context.dispatch(
          AsyncThrowingStream<Count, any Error> { $0.finish(throwing: Broken()) }
        ).finish()
      }
      Effect(whenChanged: \.count) { _, _ in throw Broken() }
      Feature<Item> { Effect(on: Name.self) { _, _ in throw Broken() } }.identified()
        .lifted(\.items)
      AsyncMutator(\App.left.title) { (_: String, _: Stray) in AsyncResult { throw Broken() } }
    }
    for action: any Action in [Ping(), Count(), Name().element(1), Stray()] {
      try await store.dispatch(action).finish()
    }
    store.dispatch(AsyncThrowingStream<Count, any Error> { $0.finish(throwing: Broken()) })
    try await store.settled()
    #expect(scene.said.count >= 7)
    Self.expectOwn(scene.said.values, "an error of an effect")
  }

  @Test func `a registration error names them`() throws {
    final class Object: Action {}
    let effects = Feature<Item> { Effect(on: Name.self) { _, _ in } }
    let faults: [String] = try [
      { try Scene().makeStore { Effect(on: [Count].self) { _, _ in } } },
      { try Scene().makeStore { Effect(on: Object.self) { _, _ in } } },
      { try Scene().makeStore { Effect(on: Ping.self) { _, _ in }.cancelled(on: [Count].self) } },
      {
        try Scene().makeStore {
          effects.lifted(\.left)
          effects.lifted(\.left)
        }
      },
      {
        try Scene().makeStore {
          Mutator(\App.left.title) { (_: inout String, _: Name) in }
            .on(Stray.self, given: Int.self) { _, _, _ in }
        }
      },
      { try Scene().makeStore { Effect(whenChanged: .given(Int.self)) { (_: Int, _) in } } },
      { try Scene().makeStore { Feature<App> {}.needing(Int.self) } },
      { try Scene().makeStore { Effect<App>(on: Ping.self) { _, _ in }.needing(Int.self) } },
    ].map { (make: () throws -> Store<App>) in
      let error = try #require(throws: RegistrationError.self) { _ = try make() }
      return error.description
    }
    Self.expectOwn(faults, "a registration error")
  }

  // MARK: Places of commits

  @Test @MainActor
  func `a binding of an observed store dispatches from where it is written`() async throws {
    let store = try Scene().makeStore {
      Mutator(\App.left.title) { (title: inout String, action: Rename) in title = action.title }
    }
    var changes = store.changes().makeAsyncIterator()
    @Bindable var observed = ObservedStore(store)
    let first: UInt = #line + 1
    observed[\.left.title, send: Rename.init] = "a"
    observed[\.left.title, send: .action(Rename.init)] = "b"
    observed[\.left.title, send: .action("title", Rename.init)] = "c"
    $observed[\.left.title, send: .action(Rename.init)].value = "d"
    observed.set(\.left.title, to: "e", as: Rename.init)
    for (index, title) in ["a", "b", "c", "d", "e"].enumerated() {
      let change = try #require(await changes.next())
      #expect(change.state.left.title == title)
      let site = try #require(change.site)
      #expect("\(site)" == "LensedTests/OwnPlaceTests.swift:\(first + UInt(index))")
      #expect(site.function.hasPrefix("a binding of an observed store"))
    }
  }

  @Test(arguments: [nil, 7] as [UInt64?]) func `an exploration dispatches from the test`(
    _ seed: UInt64?
  ) async throws {
    let scene = Scene()
    let sites = Recorder<String>()
    await explore(
      store: {
        try scene.makeStore {
          Effect(on: Ping.self) { _, context in
            sites.append(context.change.site.map { "\($0)" } ?? "nowhere")
          }
        }
      }, actions: [Ping(), Stray(), [Ping(), Ping()]], seed: seed, invariants: [])
    Self.expectOwn(sites.values, "the place of a commit")
    Self.expectOwn(scene.said.values, "a warning")
  }
}
