import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("A derived value is observed like a property", .timeLimit(.minutes(30)))
struct DerivedObservationTests {
  static let isEven = Derived(\Desk.count) { $0.isMultiple(of: 2) }

  @Test(.warnsOnPurpose) func `a subscription is called when it differs, and for nothing else`()
    throws
  {
    let (store, heard, runs) = (try Desk.makeStore(), Recorder<Int>(), Counter())
    let tens = Derived(\Desk.count) { count in
      runs.increment()
      return count / 10
    }
    let subscription = store.states(tens).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(5))
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.add(5))
    store.dispatch(StrayAction())
    #expect(heard.values == [0, 1])
    #expect(runs.value == 3)
    subscription.cancel()
    store.dispatch(CountAction.add(50))
    #expect(runs.value == 3)
  }

  @Test func `a hundred subscriptions compute it once for each commit`() throws {
    let (store, calls, runs) = (try Desk.makeStore(), Counter(), Counter())
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    let subscriptions = (0..<100).map { _ in
      store.states(double).subscribe { _ in calls.increment() }
    }
    for _ in 0..<10 { store.dispatch(CountAction.add(1)) }
    #expect(calls.value == 1_100)
    #expect(runs.value == 11)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `an asynchronous reader is given the newest value`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let derived = Derived(\Desk.count) { $0 * 2 }
    var values = try #require(store?.states(derived).makeAsyncIterator())
    #expect(await values.next() == 0)
    store?.dispatch(CountAction.add(1))
    store?.dispatch(CountAction.add(1))
    #expect(await values.next() == 4)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(await values.next() == 6)
    #expect(await values.next() == nil)
  }

  @Test func `repeats can be kept`() throws {
    let (store, heard) = (try Desk.makeStore(), Recorder<Bool>())
    let subscription = store.states(Self.isEven, repeats: .kept).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(2))
    store.dispatch(TitleAction.rename("T"))
    #expect(heard.values == [true, true])
    subscription.cancel()
  }

  @Test func `combined with a property, one commit emits once, and both are of it`() throws {
    let (store, heard) = (try Desk.makeStore(), Recorder<String>())
    let double = Derived(\Desk.count) { 2 * $0 }
    let subscription = store.states(double).combineLatest(store.states(\.title))
      .subscribe { heard.append("\($0.0)\($0.1)") }
    store.dispatch([CountAction.add(1), TitleAction.rename("T")])
    store.dispatch(TitleAction.rename("U"))
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["0", "2T", "2U", "4U"])
    subscription.cancel()
  }

  @Test func `an asynchronous reader never sees a pair that no commit made`() async throws {
    let store = try Desk.makeStore(Desk(count: 0, title: "0"))
    let double = Derived(\Desk.count) { 2 * $0 }
    let done = Threads.start {
      for count in 1...2_000 {
        store.dispatch([CountAction.add(1), TitleAction.rename("\(2 * count)")])
      }
    }
    var pairs = store.states(double).combineLatest(store.states(\.title)).makeAsyncIterator()
    var last = -1
    while last < 4_000 {
      let pair = try #require(await pairs.next())
      #expect("\(pair.0)" == pair.1)
      #expect(pair.0 > last)
      last = pair.0
    }
    done.wait()
  }

  @Test func `who delivers late delivers the value of the commit, not a newer one`() throws {
    let (store, heard) = (try Desk.makeStore(), Recorder<String>())
    let double = Derived(\Desk.count) { 2 * $0 }
    let subscription = store.states(double).subscribe { [weak store] value in
      heard.append("\(value) of \(store?.count ?? -1)")
      if value == 2 { store?.dispatch(CountAction.add(1)) }
    }
    let other = store.states(double).subscribe { heard.append("other \($0)") }
    store.dispatch(CountAction.add(1))
    #expect(
      heard.values == ["0 of 0", "other 0", "2 of 1", "other 2", "4 of 2", "other 4"])
    subscription.cancel()
    other.cancel()
  }

  @Test @MainActor func `an observed store notifies its readers when it differs`() throws {
    let (store, runs) = (try Desk.makeStore(), Counter())
    let tens = Derived(\Desk.count) { count in
      runs.increment()
      return count / 10
    }
    let observed = ObservedStore(store)
    let notices = Counter()
    func watch() -> Int {
      withObservationTracking {
        observed[tens]
      } onChange: {
        notices.increment()
      }
    }
    #expect(watch() == 0)
    observed.dispatch(CountAction.add(5))
    observed.dispatch(TitleAction.rename("T"))
    #expect((notices.value, runs.value) == (0, 2))
    observed.dispatch(CountAction.add(5))
    #expect(notices.value == 1)
    #expect(watch() == 1)
    #expect(runs.value == 3)
    observed.dispatch(CountAction.add(10))
    #expect(notices.value == 2)
    // Nobody has read it since, so it is released, and computed for the next reader.
    observed.dispatch(CountAction.add(10))
    observed.dispatch(CountAction.add(10))
    let before = runs.value
    #expect(watch() == 4)
    #expect(runs.value == before + 1)
  }

  @Test @MainActor func `what no view reads any more is computed for nobody`() throws {
    let (store, runs, notices) = (try Desk.makeStore(), Counter(), Counter())
    let isLarge = Derived(\Desk.count) { count in
      runs.increment()
      return count > 1_000
    }
    let observed = ObservedStore(store)
    func watch() -> Bool {
      withObservationTracking {
        _ = observed.title
        return observed[isLarge]
      } onChange: {
        notices.increment()
      }
    }
    #expect(!watch())
    observed.dispatch(CountAction.add(1))
    #expect((notices.value, runs.value) == (0, 2))
    // The view is notified of the title, and reads neither any more.
    observed.dispatch(TitleAction.rename("T"))
    #expect(notices.value == 1)
    for _ in 0..<20 { observed.dispatch(CountAction.add(1)) }
    #expect(runs.value == 2)
    observed.dispatch(CountAction.add(2_000))
    #expect(runs.value == 2)
    #expect(watch())
    #expect(runs.value == 3)
    observed.dispatch(CountAction.add(-2_000))
    #expect((notices.value, runs.value) == (2, 4))
    #expect(!watch())
    #expect(runs.value == 4)
  }

  @Test @MainActor func `who is not notified of it reads what is there now`() throws {
    let (store, runs) = (try Desk.makeStore(), Counter())
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    let observed = ObservedStore(store)
    for round in 0..<10 {
      #expect(observed[double] == 2 * round)
      #expect(observed[double] == 2 * round)
      observed.dispatch(CountAction.add(1))
    }
    #expect(runs.value == 10)
    for _ in 0..<10 { observed.dispatch(CountAction.add(1)) }
    #expect((runs.value, observed[double]) == (10, 40))
  }

  @Test @MainActor func `an observed store of a scope shows the value of the scope`() throws {
    let store = try DerivedScopeTests.makeStore()
    let double = Derived(\Desk.count) { 2 * $0 }
    let (left, right) = (
      ObservedStore(store.scope(\.left, actions: .tagged(DerivedScopeTests.Left.self))),
      ObservedStore(store.scope(\.right, actions: .tagged(DerivedScopeTests.Right.self)))
    )
    #expect((left[double], right[double]) == (2, 4))
    left.dispatch(CountAction.add(1))
    right.dispatch(CountAction.add(2))
    #expect((left[double], right[double]) == (4, 8))
    let whole = ObservedStore(store)
    #expect(whole[double.lifted(\.left)] == 4)
    #expect(whole[double.lifted(\.right)] == 8)
  }

  @Test func `an effect begins when it differs`() async throws {
    let (store, heard, runs) = (try Desk.makeStore(), Recorder<String>(), Counter())
    let tens = Derived(\Desk.count) { count in
      runs.increment()
      return count / 10
    }
    let installed = store.install(
      Effect(whenChanged: tens) { value, context in
        heard.append("\(value) \(context[tens]) \(context.change[tens])")
      })
    let subscription = store.states(tens).subscribe { _ in }
    try await store.dispatch(CountAction.add(5)).finish()
    try await store.dispatch(TitleAction.rename("T")).finish()
    try await store.dispatch(CountAction.add(5)).finish()
    store.replaceState(Desk(count: 50))
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(heard.values == ["1 1 1"])
    // One for the start of the effect, one for that of the subscription, and one for each of four commits.
    #expect(runs.value == 6)
    installed.cancel()
    subscription.cancel()
  }

  @Test func `an effect in a lifted feature knows the value of its part`() async throws {
    let (store, heard) = (try DerivedScopeTests.makeStore(), Recorder<Int>())
    let double = Derived(\Desk.count) { 2 * $0 }
    let effect = Effect<Desk>(whenChanged: double) { value, context in
      heard.append(value)
      heard.append(context[double])
    }
    let installed = store.install(effect.lifted(Lens(\DerivedScopeTests.House.right)))
    try await store.dispatch(Tagged<DerivedScopeTests.Left, CountAction>(.add(1))).finish()
    try await store.dispatch(Tagged<DerivedScopeTests.Right, CountAction>(.add(1))).finish()
    #expect(heard.values == [6, 6])
    installed.cancel()
  }

  @Test func `a change tells whether it was touched, and whether it differs`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.add(2))
    store.dispatch(TitleAction.rename("U"))
    store.dispatch(CountAction.add(1))
    var told: [[Bool]] = []
    for _ in 0..<4 {
      let change = try #require(await changes.next())
      told.append([change.touches(Self.isEven), change.didChange(Self.isEven), change[Self.isEven]])
    }
    #expect(
      told == [
        [false, true, true], [true, false, true], [false, false, true], [true, true, false],
      ])
  }
}
