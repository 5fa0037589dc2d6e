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
  private static let refused: [(name: String, part: any StorePartConvertible<Desk> & Sendable)] = [
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
    for (name, part) in Self.refused {
      let error = try faults { part }
      #expect(error.faults.count == 1, "\(name)")
      #expect(error.description.contains("effect search"), "\(name)")
      #expect(error.description.contains("`\(name)`"), "\(error)")
    }
  }

  @Test func `an effect of a feature, by the name of both`() throws {
    let error = try faults {
      Feature<Desk>("library") { Self.effect([CountAction].self) }
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
    let named = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      _ = store.install(Feature("library") { Self.effect(Order.self) })
    }
    #expect(named.message.contains("effect library/search"))
    #expect(named.message.contains("class"))
  }

  @Test func `what owns a part of the state is for register(), and traps where it is installed`()
    async throws
  {
    let owner = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store(initialState: Desk(), coverage: .partial)
      _ = store.install(
        Feature("library") {
          Effect(on: TitleAction.self) { _, _ in }
          Desk.countMutator
        })
    }
    #expect(
      owner.message.contains(/This one owns `count` at \w+\/\w+\.swift:\d+: give it to `register/))
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

  /// A reducer of a class, as a part of a store, by the lift that hides the class.
  private enum HidingLift: String, CaseIterable, Codable {
    case none, tag, offset, keyed, identified, tagOverElements, optionalTag, feature

    private struct Row: Sendable, Identifiable {
      var id = 0
      var count = 0
    }

    private struct App: Sendable {
      var count = 0
      var counts = [0]
      var byKey = ["a": 0]
      var rows = [Row()]
      var sheet: Int? = 0
    }

    func register() throws {
      let reducer = Reducer { (count: inout Int, _: Order) in count += 1 }
      let row = Reducer { (row: inout Row, _: Order) in row.count += 1 }
      _ = try Store(initialState: App(), coverage: .partial) {
        switch self {
        case .none: Mutator(\.count, reducer)
        case .tag: Mutator(\.count, reducer.tagged(Wide.self))
        case .offset: Mutator(\.counts, reducer.offset())
        case .keyed: Mutator(\.byKey, reducer.keyed())
        case .identified: Mutator(\.rows, row.identified())
        case .tagOverElements: Mutator(\.counts, reducer.tagged(Wide.self).offset())
        case .optionalTag: Mutator(\.sheet, reducer.optional().tagged(Wide.self))
        case .feature:
          Feature { Mutator(\Row.count, reducer) }.identified().tagged(Wide.self).lifted(\.rows)
        }
      }
    }
  }

  @Test(arguments: HidingLift.allCases)
  private func `a reducer of a class traps, however it is lifted`(lift: HidingLift) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [lift = lift as HidingLift] in
      try lift.register()
    }
    #expect(result.message.contains("handles `Order`, which is a class"))
    #expect(result.message.contains(/` at \w+\/UnroutableRegistrationTests\.swift:\d+ handles/))
  }

  @Test func `an effect, and an asynchronous mutator, of a tagged class or of one for an element`()
    throws
  {
    func mutator<A: Action>(_ type: A.Type) -> AsyncMutator<Desk, Int> {
      AsyncMutator(\Desk.count) { (count: Int, _: A) in AsyncResult(value: count) }
    }
    for error in [
      try faults { Self.effect(Tagged<Wide, Order>.self) },
      try faults { Self.effect(ElementAction<Int, Tagged<Wide, Order>>.self) },
      try faults { Self.effect(Order.self).tagged(Wide.self) },
      try faults { Self.ended(by: Tagged<Wide, Order>.self) },
      try faults { mutator(Tagged<Wide, Order>.self) },
      try faults { mutator(Order.self).tagged(Wide.self) },
    ] {
      #expect(error.faults.count == 1)
      #expect(error.description.contains("class"))
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
