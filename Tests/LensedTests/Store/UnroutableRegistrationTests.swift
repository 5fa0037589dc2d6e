import Lensed
import LensedTestSupport
import Testing

/// What can never, or not always, be reached by an action is refused, wherever it is given to a store.
@Suite("RegistrationError: effects and reducers that no action would reach")
struct UnroutableRegistrationTests {
  private final class Order: Action {}
  private enum Wide: Action { case title(TitleAction), count(CountAction) }

  private static let titles = Prism<Wide, TitleAction>(
    embed: Wide.title, extract: { if case .title(let action) = $0 { action } else { nil } })
  private static let counts = Prism<Wide, CountAction>(
    embed: Wide.count, extract: { if case .count(let action) = $0 { action } else { nil } })

  private static func effect<A: Action>(_ type: A.Type) -> Effect<Desk> {
    Effect(on: type) { _, _ -> Void in }.named("search")
  }

  private static func ended<A: Action>(by type: A.Type) -> Effect<Desk> {
    Effect(on: TitleAction.self) { _, _ -> Void in }.named("search").cancelled(on: type)
  }

  /// One of each kind of type that no effect can be of.
  private static let refused: [(name: String, effect: Effect<Desk>)] = [
    ("Array<CountAction>", effect([CountAction].self)), ("ActionList", effect(ActionList.self)),
    (
      "ElementAction<Int, Array<CountAction>>",
      effect(ElementAction<Int, [CountAction]>.self)
    ),
    ("Tagged<Wide, ActionList>", effect(Tagged<Wide, ActionList>.self)),
    (
      "AsyncActions<AsyncStream<CountAction>>",
      effect(AsyncActions<AsyncStream<CountAction>>.self)
    ),
    ("Order", effect(Order.self)), ("Array<CountAction>", ended(by: [CountAction].self)),
    ("Order", ended(by: Order.self)),
    ("Tagged<Wide, ActionList>", effect(ActionList.self).tagged(Wide.self)),
    ("ActionList", effect(ActionList.self).lifted(Lens(\Desk.self))),
    ("Order", effect(Order.self).lifted(action: counts)),
  ]

  private func faults(
    @StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]
  ) throws -> RegistrationError {
    let parts = parts()
    let built = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Desk(), coverage: .partial) { parts }
    }
    let planned = try #require(throws: RegistrationError.self) {
      _ = try StoreBlueprint<Desk>(coverage: .partial) { parts }
    }
    let store = Store(initialState: Desk(), coverage: .partial)
    let late = try #require(throws: RegistrationError.self) {
      try store.register(Feature { parts })
    }
    #expect(built == planned)
    #expect(built == late)
    return built
  }

  @Test func `an effect of a list, of a sequence, of a class`() throws {
    for (name, effect) in Self.refused {
      let error = try faults { effect }
      #expect(error.faults.count == 1, "\(name)")
      #expect(error.description.contains("effect search"), "\(name)")
      #expect(error.description.contains("`\(name)`"), "\(error)")
    }
  }

  @Test func `an effect of a service, by the name of both`() throws {
    let error = try faults {
      Service<Desk>("library") { Self.effect([CountAction].self) }
    }
    #expect(error.description.contains("effect library/search"))
  }

  @Test func `all faults at once, those of reducers too`() throws {
    let error = try faults {
      Desk.countMutator
      Desk.countMutator
      Self.effect(ActionList.self)
      Self.effect(Order.self)
    }
    #expect(error.faults.count == 3)
    #expect(
      "\(error)".split(separator: "\n").dropFirst().allSatisfy {
        $0.hasPrefix("- ") && $0.hasSuffix(".")
      })
  }

  @Test func `what is refused leaves the store as it was`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    #expect(throws: RegistrationError.self) {
      try store.register(
        Feature {
          Desk.countMutator
          Self.effect(ActionList.self)
        })
    }
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `installed in a store that runs, it traps with the same sentence`() async throws {
    let list = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      _ = store.install(Self.effect([CountAction].self))
    }
    #expect(list.message.contains("effect search"))
    #expect(list.message.contains("`Array<CountAction>`"))
    #expect(list.message.contains("member by member"))
    let service = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      _ = store.install(Service("library") { Self.effect(Order.self) })
    }
    #expect(service.message.contains("effect library/search"))
    #expect(service.message.contains("class"))
  }

  @Test func `an asynchronous mutator of a list, of a class`() throws {
    func mutator<A: Action>(_ type: A.Type) -> AsyncMutator<Desk, Int> {
      AsyncMutator(\Desk.count) { (count: Int, _: A) in AsyncResult(value: count) }
    }
    for error in [
      try faults { mutator([CountAction].self) }, try faults { mutator(ActionList.self) },
      try faults { mutator(Order.self) },
      try faults {
        mutator(CountAction.self).on(ActionList.self) { count, _ in AsyncResult(value: count) }
      },
    ] {
      #expect(error.faults.count == 1)
      #expect(error.description.contains("`count`"))
    }
  }

  @Test func `a prism that fits no reducer`() throws {
    let lifted = Desk.countMutator.lifted(action: Self.titles)
    let error = try faults { lifted }
    #expect(error.faults.count == 1)
    for word in ["`count`", "`Wide`", "`TitleAction`"] {
      #expect(error.description.contains(word), "\(error)")
    }
    let reducer = Reducer { (count: inout Int, action: CountAction) in count += 1 }
    _ = try faults { Mutator(\.count, reducer.lifted(action: Self.titles)) }
    _ = try faults {
      AsyncMutator(\Desk.count) { (count: Int, _: CountAction) in AsyncResult(value: count) }
        .lifted(action: Self.titles)
    }
    let deep = Reducer<[Int]>.combine(reducer.lifted(action: Self.titles).offset())
    _ = try faults { Mutator(\Desk.notes, deep) }
  }

  @Test func `a prism that fits one of several reducers, or none where there is none`() throws {
    let every = Reducer<String>(everyAction: { title, _ in title += "x" })
    let both = Desk.countMutator.on(TitleAction.self) { count, _ in count += 100 }
    let store = try Store(initialState: Desk(), coverage: .partial) {
      both.lifted(action: Self.titles)
      Mutator(\.notes, Reducer<[Int]>.identity.lifted(action: Self.titles))
      Mutator(\.title, every.lifted(action: Self.counts))
    }
    store.dispatch(Wide.title(.rename("x")))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 101)
  }
}
