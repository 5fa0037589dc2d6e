import Lensed
import LensedTestSupport
import Testing

/// A state whose reducers all have reasons not to run.
private struct Ghosts: Sendable, Equatable {
  var keyed: [String: Int] = ["a": 1]
  var offset: [Int] = [1]
  var identified: [Item] = [Item(id: 1)]
  var optional: Int?
  var page = Page.empty
  var wide = 0
  var plain = 0

  struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Page: Sendable, Equatable {
    case empty
    case loaded(Int)

    static let loaded = Prism<Page, Int>(
      embed: Page.loaded, extract: { if case .loaded(let count) = $0 { count } else { nil } })
  }
}

private enum WideAction: Action {
  case count(CountAction)
  case other

  static let count = Prism<WideAction, CountAction>(
    embed: WideAction.count, extract: { if case .count(let action) = $0 { action } else { nil } })
}

private enum Mine {}
private enum Maybe {}
private enum Paged {}

/// An action that finds nothing to reduce, and why.
private struct Miss: Sendable, CustomStringConvertible {
  let description: String
  let action: any Action

  init(_ description: String, _ action: any Action) {
    (self.description, self.action) = (description, action)
  }
}

@Suite("Where a reducer does not run, the state is untouched and nobody is woken")
struct UntouchedTests {
  private static let misses: [Miss] = [
    Miss("an action that nobody handles", StrayAction()),
    Miss("a missing key", ElementAction(id: "z", action: CountAction.add(1))),
    Miss("an offset out of range", ElementAction(id: 9, action: CountAction.add(1))),
    Miss("a negative offset", ElementAction(id: -1, action: CountAction.add(1))),
    Miss("a missing identity", ElementAction(id: 9, action: CountAction.add(1)).tagged(Mine.self)),
    Miss("a nil", CountAction.add(1).tagged(Maybe.self)),
    Miss("a prism that does not match", CountAction.add(1).tagged(Paged.self)),
    Miss("an action prism that does not match", WideAction.other),
    Miss("a tag of nobody's", CountAction.add(1).tagged(Int.self)),
    Miss("a list of these", ActionList([StrayAction(), WideAction.other])),
  ]

  private static func makeStore() throws -> Store<Ghosts> {
    let counter = Reducer { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
    return try Store(initialState: Ghosts()) {
      Mutator(\.keyed, counter.keyed())
      Mutator(\.offset, counter.offset())
      Mutator(
        \.identified, counter.lifted(Lens(\Ghosts.Item.count)).identified().tagged(Mine.self))
      Mutator(\.optional, counter.optional().tagged(Maybe.self))
      Mutator(\.page, counter.matching(Ghosts.Page.loaded).tagged(Paged.self))
      Mutator(\.wide, counter.lifted(action: WideAction.count))
      Mutator(\.plain, counter)
    }
  }

  @Test(.warnsOnPurpose, arguments: Self.misses)
  private func `no observer hears of it, and changes shows it as not handled`(
    _ miss: Miss
  ) async throws {
    let store = try Self.makeStore()
    let (states, parts) = (Recorder<Ghosts>(), Recorder<String>())
    var subscriptions: Set<StoreSubscription> = []
    store.states.subscribe { states.append($0) }.keep(in: &subscriptions)
    store.states(\.keyed, repeats: .kept).subscribe { _ in parts.append("keyed") }
      .keep(in: &subscriptions)
    store.states(\.offset, repeats: .kept).subscribe { _ in parts.append("offset") }
      .keep(in: &subscriptions)
    store.states(\.identified, repeats: .kept).subscribe { _ in parts.append("identified") }
      .keep(in: &subscriptions)
    store.states(\.optional, repeats: .kept).subscribe { _ in parts.append("optional") }
      .keep(in: &subscriptions)
    store.states(\.page, repeats: .kept).subscribe { _ in parts.append("page") }
      .keep(in: &subscriptions)
    store.states(\.wide, repeats: .kept).subscribe { _ in parts.append("wide") }
      .keep(in: &subscriptions)
    var changes = store.changes().makeAsyncIterator()

    store.dispatch(miss.action)

    #expect(store.state == Ghosts())
    #expect(states.count == 1, "the first value alone")
    #expect(parts.count == 6, "the first values alone")
    let change = try #require(await changes.next())
    #expect(!change.isHandled)
    #expect(!change.touches(\.keyed) && !change.touches(\.offset))
    #expect(change.revision == 1)
    store.dispatch(CountAction.add(1))
    #expect(states.count == 2)
    #expect(parts.count == 6)
  }

  @Test func `one that runs beside one that does not wakes its own observers alone`() throws {
    let counter = Reducer { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
    let store = try Store(initialState: Ghosts(), coverage: .partial) {
      Mutator(\.plain, counter)
      Mutator(\.optional, counter.optional())
    }
    let (plain, optional) = (Recorder<Int>(), Recorder<Int?>())
    var subscriptions: Set<StoreSubscription> = []
    store.states(\.plain, repeats: .kept).subscribe { plain.append($0) }.keep(in: &subscriptions)
    store.states(\.optional, repeats: .kept).subscribe { optional.append($0) }
      .keep(in: &subscriptions)
    store.dispatch(CountAction.add(1))
    store.dispatch([CountAction.add(1), .add(1)])
    #expect(plain.values == [0, 1, 3])
    #expect(optional.values == [nil])
  }

  @Test(.warnsOnPurpose) func `a waiting reader is not woken`() async throws {
    let store = try Self.makeStore()
    let reading = Recording(store.states(\.keyed, repeats: .kept))
    await reading.heard.waitForCount(1)
    store.dispatch(ElementAction(id: "z", action: CountAction.add(1)))
    store.dispatch(ElementAction(id: "a", action: CountAction.add(1)))
    #expect(await reading.heard.waitForCount(2) == [["a": 1], ["a": 2]])
  }

  @Test(.warnsOnPurpose) func `an observed property is not written, so its observer does not run`()
    throws
  {
    struct Watched: Sendable, Equatable {
      var writes = 0
      var counts = ["a": 1] {
        didSet { writes += 1 }
      }
    }
    let counter = Reducer { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
    let store = try Store(initialState: Watched(), coverage: .partial) {
      Mutator(lens: Lens(name: "counts", \.counts), reducer: counter.keyed())
    }
    store.dispatch(ElementAction(id: "z", action: CountAction.add(1)))
    #expect(store.state == Watched())
    store.dispatch(ElementAction(id: "a", action: CountAction.add(1)))
    #expect(store.writes == 1)
    #expect(store.counts == ["a": 2])
  }

  @Test(.warnsOnPurpose) func `nothing is copied, even while somebody holds the state`() throws {
    struct Lists: Sendable {
      var keyed = ["a": 1]
      var offset = Array(0..<1000)
      var identified = (0..<1000).map { Ghosts.Item(id: $0) }
      var optional: [Int]? = Array(0..<1000)
    }
    let counter = Reducer { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
    let store = try Store(initialState: Lists()) {
      Mutator(\.keyed, counter.keyed())
      Mutator(\.offset, counter.offset())
      Mutator(
        \.identified, counter.lifted(Lens(\Ghosts.Item.count)).identified().tagged(Mine.self))
      Mutator(\.optional, counter.offset().optional().tagged(Maybe.self))
    }
    let held = store.state
    let miss = ElementAction(id: 5000, action: CountAction.add(1))
    store.dispatch(miss)
    store.dispatch(miss.tagged(Mine.self))
    store.dispatch(miss.tagged(Maybe.self))
    store.dispatch(ElementAction(id: "z", action: CountAction.add(1)))
    #expect(store.offset.address == held.offset.address)
    #expect(store.identified.address == held.identified.address)
    #expect(store.state.optional?.address == held.optional?.address)
  }
}
