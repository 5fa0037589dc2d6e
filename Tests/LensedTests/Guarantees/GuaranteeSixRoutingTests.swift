import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A dispatch pays nothing for reducers and observers of other parts", .timeLimit(.minutes(30)))
struct GuaranteeSixRoutingTests {
  @Test(.warnsOnPurpose) func `mutators of other actions do not run`() throws {
    let (counts, titles) = (Counter(), Counter())
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\.count) { (_: inout Int, _: CountAction) in counts.increment() }
      Mutator(\.title) { (_: inout String, _: TitleAction) in titles.increment() }
    }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    store.dispatch(TitleAction.rename("T"))
    store.dispatch([CountAction.add(1), StrayAction()])
    #expect(counts.value == 4)
    #expect(titles.value == 1)
  }

  @Test func `observers of other sub-states are not called, nor their operators`() throws {
    let store = try Desk.makeStore()
    let (counts, titles) = (Counter(), Counter())
    let subscriptions = [
      store.states(\.count, repeats: .kept)
        .map { count in
          counts.increment()
          return count
        }
        .subscribe { _ in },
      store.states(\.title, repeats: .kept)
        .map { title in
          titles.increment()
          return title
        }
        .subscribe { _ in },
    ]
    for _ in 0..<10 { store.dispatch(CountAction.add(1)) }
    #expect(counts.value == 11)
    #expect(titles.value == 1)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `asynchronous readers of other sub-states are not woken`() async throws {
    let store = try Desk.makeStore()
    let drawn = Counter()
    let reading = Recording(
      store.states(\.title, repeats: .kept)
        .map { title in
          drawn.increment()
          return title
        })
    await reading.heard.waitForCount(1)
    for _ in 0..<100 {
      store.dispatch(CountAction.add(1))
      await Task.yield()
    }
    store.dispatch(TitleAction.rename("T"))
    #expect(await reading.heard.waitForCount(2) == ["", "T"])
    #expect(drawn.value == 2)
  }

  private struct Pair: Sendable {
    var sure = 0
    var maybe: Int?
    var byKey: [Int: Int] = [:]
  }

  private static func makePair() throws -> Store<Pair> {
    let add = Reducer { (number: inout Int, action: CountAction) in
      if case .add(let amount) = action { number += amount }
    }
    return try Store(initialState: Pair()) {
      Mutator(\.sure, add)
      Mutator(\.maybe, add.optional())
      Mutator(\.byKey, Reducer.combine(add.keyed()))
    }
  }

  @Test func `of several reducers of an action, those that did not run wake nobody`() throws {
    let store = try Self.makePair()
    let (sure, maybe, whole) = (Counter(), Counter(), Counter())
    let subscriptions = [
      store.states(\.sure, repeats: .kept).subscribe { _ in sure.increment() },
      store.states(\.maybe, repeats: .kept).subscribe { _ in maybe.increment() },
      store.states.subscribe { _ in whole.increment() },
    ]
    for _ in 0..<10 { store.dispatch(CountAction.add(1)) }
    #expect(sure.value == 11)
    #expect(maybe.value == 1)
    #expect(whole.value == 11)
    store.replaceState(Pair(maybe: 0))
    for _ in 0..<10 { store.dispatch(CountAction.add(1)) }
    #expect(sure.value == 22)
    #expect(maybe.value == 12)
    #expect(whole.value == 22)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `of several reducers of an action, those that did not run wake no reader`()
    async throws
  {
    var store: Store<Pair>? = try Self.makePair()
    var maybe = try #require(store).states(\.maybe, repeats: .kept).makeAsyncIterator()
    _ = await maybe.next()
    for _ in 0..<10 { store?.dispatch(CountAction.add(1)) }
    store = nil
    let late = await maybe.next()
    #expect(late == Int??.none)
  }

  @Test(.warnsOnPurpose) func `a reducer that did not run wakes nobody`() throws {
    struct Shelf: Sendable {
      var byKey: [String: Int] = ["a": 0]
      var list = [0]
      var maybe: Int?
    }
    let add = Reducer { (number: inout Int, action: CountAction) in
      if case .add(let amount) = action { number += amount }
    }
    let store = try Store(initialState: Shelf()) {
      Mutator(\.byKey, add.keyed())
      Mutator(\.list, add.offset())
      Mutator(\.maybe, add.optional())
    }
    let calls = Counter()
    let subscription = store.states.subscribe { _ in calls.increment() }
    store.dispatch(ElementAction(id: "missing", action: CountAction.add(1)))
    store.dispatch(ElementAction(id: 1, action: CountAction.add(1)))
    store.dispatch(ElementAction(id: -1, action: CountAction.add(1)))
    store.dispatch(CountAction.add(1))
    #expect(calls.value == 1)
    store.dispatch(ElementAction(id: "a", action: CountAction.add(1)))
    store.dispatch(ElementAction(id: 0, action: CountAction.add(1)))
    #expect(calls.value == 3)
    subscription.cancel()
  }
}
