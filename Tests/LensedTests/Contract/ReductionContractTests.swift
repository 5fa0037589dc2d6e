import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias CounterState = Contract.CounterState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

private struct Item: Sendable, Equatable, Identifiable {
  let id: String
  var count = 0
}

private enum Left {}

private enum Wide: Action {
  case app(AppAction)

  static let app = Prism<Wide, AppAction>(
    embed: Wide.app, extract: { if case .app(let action) = $0 { action } else { nil } })
}

@Suite("Reducers run alone, combine and lift")
struct ReducerContractTests {
  private let reducer = Reducer { (count: inout Int, action: AppAction) in
    if case .increase(let amount) = action { count += amount }
  }

  @Test func `in place and pure, and it runs alone`() {
    let pure = Reducer(pure: { (count: Int, action: AppAction) in
      if case .increase(let amount) = action { count + amount } else { count }
    })
    for reducer in [reducer, pure] {
      var count = 1
      reducer.reduce(&count, AppAction.increase(2))
      #expect(count == 3)
    }
  }

  @Test func `on, combine, identity`() {
    let both = reducer.on(OtherAction.self) { count, action in
      if action == .reset { count = 0 }
    }
    let all = Reducer<Int>.combine(both, .identity, reducer)
    var count = 1
    all.reduce(&count, AppAction.increase(2))
    #expect(count == 5)
    all.reduce(&count, OtherAction.reset)
    #expect(count == 0)
  }

  @Test func `optional, keyed, offset, identified`() {
    let optional: Reducer<Int?> = reducer.optional()
    let keyed: Reducer<[String: Int]> = reducer.keyed()
    let offset: Reducer<[Int]> = reducer.offset()
    let identified: Reducer<[Item]> = reducer.lifted(Lens(\Item.count)).identified()
    let action = AppAction.increase(2)
    var (some, none): (Int?, Int?) = (1, nil)
    optional.reduce(&some, action)
    optional.reduce(&none, action)
    #expect(some == 3)
    #expect(none == nil)
    var counts = ["a": 1]
    keyed.reduce(&counts, ElementAction(id: "a", action: action))
    #expect(counts == ["a": 3])
    var list = [1, 1]
    offset.reduce(&list, ElementAction(id: 1, action: action))
    #expect(list == [1, 3])
    var items = [Item(id: "x"), Item(id: "y")]
    identified.reduce(&items, ElementAction(id: "y", action: action))
    #expect(items == [Item(id: "x"), Item(id: "y", count: 2)])
  }

  @Test func `lifted by lens, by prism, by action prism, and tagged`() {
    let byLens: Reducer<AppState> = reducer.lifted(Lens(\AppState.counter.value))
    let byPrism: Reducer<Int?> = reducer.matching(
      Prism<Int?, Int>(embed: { Optional($0) }, extract: { $0 }))
    let byAction: Reducer<Int> = reducer.lifted(action: Wide.app)
    let tagged: Reducer<Int> = reducer.tagged(Left.self)
    var state = AppState()
    byLens.reduce(&state, AppAction.increase(2))
    #expect(state.counter.value == 2)
    var some: Int? = 1
    byPrism.reduce(&some, AppAction.increase(2))
    #expect(some == 3)
    var count = 0
    byAction.reduce(&count, Wide.app(.increase(2)))
    tagged.reduce(&count, AppAction.increase(3).tagged(Left.self))
    #expect(count == 5)
  }
}

@Suite("Mutators own what their lens focuses on")
struct MutatorContractTests {
  private static let counting = Reducer { (counter: inout CounterState, action: AppAction) in
    if case .increase(let amount) = action { counter.value += amount }
  }

  private static let forms: [Mutator<AppState, CounterState>] = [
    Mutator(\.counter) { (counter: inout CounterState, action: AppAction) in
      if case .increase(let amount) = action { counter.value += amount }
    },
    Mutator(
      lens: Lens(\.counter),
      reducer: { (counter: inout CounterState, action: AppAction) in
        if case .increase(let amount) = action { counter.value += amount }
      }),
    Mutator(lens: Lens(\.counter), reducer: whole),
    Mutator(lens: Lens(\.counter), everyAction: every),
    Mutator(lens: Lens(\.counter), reducer: every),
    Mutator(lens: Lens(\.counter), reducer: counting),
    Mutator(\.counter, counting),
  ]

  private static func whole(_ state: AppState, _ action: AppAction) -> CounterState {
    guard case .increase(let amount) = action else { return state.counter }
    return CounterState(value: state.counter.value + amount)
  }

  private static func every(_ state: AppState, _ action: any Action) -> CounterState {
    guard case .increase(let amount)? = action as? AppAction else { return state.counter }
    return CounterState(value: state.counter.value + amount)
  }

  @Test(arguments: Self.forms.indices)
  func `each form reduces, takes on, lifted and tagged`(_ index: Int) throws {
    let mutator = Self.forms[index]
    let store = try Store(initialState: AppState(), coverage: .partial) {
      mutator.on(OtherAction.self) { counter, action in
        if action == .reset { counter.value = 0 }
      }
    }
    store.dispatch(AppAction.increase(3))
    #expect(store.counter.value == 3)
    store.dispatch(OtherAction.reset)
    #expect(store.counter.value == 0)

    struct Apps: Sendable {
      var first = AppState()
      var second = AppState()
    }
    let apps = try Store(initialState: Apps(), coverage: .partial) {
      mutator.lifted(Lens(\Apps.first))
      mutator.lifted(Lens(\Apps.second)).tagged(Left.self)
    }
    apps.dispatch(AppAction.increase(1))
    apps.dispatch(AppAction.increase(2).tagged(Left.self))
    #expect(apps.first.counter.value == 1)
    #expect(apps.second.counter.value == 2)
  }

  @Test func `lifted by an action prism`() throws {
    let store = try Store(initialState: AppState(), coverage: .partial) {
      Self.forms[0].lifted(action: Wide.app)
    }
    store.dispatch(Wide.app(.increase(2)))
    #expect(store.counter.value == 2)
  }

  @Test func `a reducer of a list type is a registration error`() {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: AppState(), coverage: .partial) {
        Mutator(\.counter) { (_: inout CounterState, _: [AppAction]) in }
        Mutator(\.user) { (_: inout Contract.UserState, _: ActionList) in }
      }
    }
    #expect(
      error?.faults == [
        .listReducer(property: "counter", action: "Array<AppAction>"),
        .listReducer(property: "user", action: "ActionList"),
      ])
  }

  @Test func `elements reduced by a reducer of every action are a registration error`() {
    struct Lists: Sendable {
      var keyed: [String: Int] = [:]
      var offset: [Int] = []
      var identified: [Item] = []
    }
    let every = Reducer(everyAction: { (_: inout Int, _: any Action) in })
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: Lists()) {
        Mutator(\.keyed, every.keyed())
        Mutator(\.offset, every.offset())
        Mutator(\.identified, every.lifted(Lens(\Item.count)).identified())
      }
    }
    #expect(
      error?.faults == [
        .everyActionOverElements(property: "keyed"), .everyActionOverElements(property: "offset"),
        .everyActionOverElements(property: "identified"),
      ])
  }
}
