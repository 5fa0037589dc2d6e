import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("ObservedStore: its own dispatch is reflected before it returns", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreDispatchTests {
  private let store: Store<Desk>
  private let observed: ObservedStore<Desk>

  init() throws {
    store = try Desk.makeStore()
    observed = ObservedStore(store)
    _ = (observed.count, observed.title)
  }

  @Test func `what reflects is given the store that it was made from, or the scope`() throws {
    let store = try Desk.makeStore()
    #expect(ObservedStore(store).reflecting { $0 as? Store<Desk> === store })
    #expect(ObservedStore(store.asScope).reflecting { $0 is ScopedStore<Desk> })
  }

  @Test func `whatever form it has`() async throws {
    observed.dispatch(CountAction.add(1))
    #expect(observed.count == 1)
    observed.dispatch([CountAction.add(1), .add(1)])
    #expect(observed.count == 3)
    observed.dispatch([CountAction.add(1), TitleAction.rename("t")])
    #expect(observed.count == 4)
    #expect(observed.title == "t")
    let any: any Action = CountAction.add(1)
    observed.dispatch(any)
    #expect(observed.count == 5)
    let list: [any Action] = [CountAction.add(1), [CountAction.add(1), .add(1)]]
    observed.dispatch(list)
    #expect(observed.count == 8)
    observed.dispatchEach([CountAction.add(1), .add(1)])
    observed.dispatchEach([CountAction.add(1), TitleAction.rename("u")] as [any Action])
    #expect(observed.count == 11)
    #expect(observed.title == "u")
    let id = observed.reflecting { $0.dispatch(CountAction.add(1), focusingOn: \.count) }
    #expect(id == 12)
    #expect(observed.count == 12)
  }

  @Test func `a sequence arrives like the commits of others`() async throws {
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe(onMain: { heard.append($0) })
    try await observed.dispatch(
      AsyncStream<CountAction> { continuation in
        continuation.yield(.add(1))
        continuation.yield(.add(1))
        continuation.finish()
      }
    ).finish()
    while observed.count < 2 { await Task.yield() }
    #expect(observed.count == 2)
    subscription.cancel()
  }

  @Test func `also while another thread is delivering`() async throws {
    let (inside, leave) = (ThreadGate(), ThreadGate())
    let subscription = store.states(\.notes).subscribe { notes in
      if notes == [1] {
        inside.open()
        leave.wait()
      }
    }
    let other = Threads.start { [store] in store.dispatch(NoteAction.append(1)) }
    inside.wait()
    // The other thread holds the role of the deliverer, so this commit is not delivered here.
    observed.dispatch(CountAction.add(1))
    #expect(observed.count == 1)
    leave.open()
    other.wait()
    subscription.cancel()
  }

  @Test func `also inside an observer on the main actor`() {
    let seen = Recorder<Int>()
    let subscription = store.states(\.title).subscribe { [observed] title in
      guard title == "go" else { return }
      MainActor.assumeIsolated {
        observed.dispatch(CountAction.add(1))
        seen.append(observed.count)
      }
    }
    observed.dispatch(TitleAction.rename("go"))
    #expect(seen.values == [1])
    #expect(observed.title == "go")
    subscription.cancel()
  }

  @Test func `it includes what others have committed before`() {
    store.dispatch(CountAction.add(5))
    #expect(observed.count == 0, "it has not arrived")
    observed.dispatch(CountAction.add(1))
    #expect(observed.count == 6)
  }

  @Test func `while threads commit without a pause`() async {
    let (store, observed) = (store, observed)
    let storm = Task.detached {
      Threads.run(2) { _ in
        for _ in 0..<2_000 { store.dispatch(CountAction.add(1)) }
      }
    }
    var (own, last) = (0, 0)
    for _ in 0..<2_000 {
      let before = observed.count
      observed.dispatch(NoteAction.append(own))
      own += 1
      #expect(observed.notes.count == own)
      #expect(observed.count >= before)
      last = observed.count
    }
    #expect(last <= 4_000)
    await storm.value
    while observed.count < 4_000 { await Task.yield() }
    #expect(observed.count == 4_000)
  }
}

@Suite("ObservedStore: other commits arrive on the main actor", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreArrivalTests {
  private let store: Store<Desk>
  private let observed: ObservedStore<Desk>

  init() throws {
    store = try Desk.makeStore()
    observed = ObservedStore(store)
  }

  /// Looks at the count until it is `goal`, and notes each change.
  private func watch(until goal: Int) async -> [Int] {
    var seen = [observed.count]
    while seen.last != goal {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = observed.count
        } onChange: {
          continuation.resume()
        }
      }
      // Told before it is shown: a turn later it is.
      await Task.yield()
      while observed.count == seen.last { await Task.yield() }
      seen.append(observed.count)
    }
    return seen
  }

  @Test func `what another thread commits arrives`() async {
    let store = store
    let onlooker = Onlooker { [observed] in _ = observed.count }
    await Task.detached { _ = store.dispatch(CountAction.add(3)) }.value
    while observed.count == 0 { await Task.yield() }
    #expect(observed.count == 3)
    #expect(onlooker.count == 1)
  }

  @Test func `in order, conflated`() async {
    let store = store
    let storm = Task.detached {
      for _ in 0..<1_000 { store.dispatch(CountAction.add(1)) }
    }
    let seen = await watch(until: 1_000)
    await storm.value
    #expect(seen == seen.sorted())
    #expect(Set(seen).count == seen.count)
  }

  @Test func `what came while the main actor was busy arrives as one change`() async {
    _ = observed.count
    let onlooker = Onlooker { [observed] in _ = observed.count }
    for _ in 0..<100 { store.dispatch(CountAction.add(1)) }
    #expect(observed.count == 0)
    while observed.count == 0 { await Task.yield() }
    #expect(observed.count == 100)
    #expect(onlooker.count == 1)
  }

  @Test func `a replacement arrives for all that differs`() async {
    let (counts, titles) = (
      Onlooker { [observed] in _ = observed.count }, Onlooker { [observed] in _ = observed.title }
    )
    store.replaceState(Desk(count: 0, title: "new"))
    while observed.title != "new" { await Task.yield() }
    #expect(titles.count == 1)
    #expect(counts.count == 0)
  }

  @Test func `a property that is read for the first time is as the store has it`() {
    store.dispatch([CountAction.add(1), TitleAction.rename("t")])
    #expect(observed.count == 1)
    #expect(observed.title == "t")
  }

  @Test func `a feature that is registered later is seen`() async throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    let observed = ObservedStore(store)
    let counts = Onlooker { _ = observed.count }
    try store.register(Desk.countMutator)
    observed.dispatch(CountAction.add(1))
    #expect(counts.count == 1)
    #expect(observed.count == 1)
  }
}

@Suite("ObservedStore: what runs on the way may lead back", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreReentrancyTests {
  /// A value whose comparison does something.
  private struct Nosy: Sendable, Equatable {
    var number = 0
    let onCompare: @Sendable () -> Void

    static func == (left: Nosy, right: Nosy) -> Bool {
      left.onCompare()
      return left.number == right.number
    }
  }

  private struct App: Sendable {
    var nosy: Nosy
    var bell: Bell?
    var count = 0
  }

  private static func makeStore(_ app: App) throws -> Store<App> {
    try Store(initialState: app, coverage: .partial) {
      Mutator(\.nosy) { (nosy: inout Nosy, action: NoteAction) in
        if case .append(let number) = action { nosy.number = number }
      }
      Mutator(\.bell) { (bell: inout Bell?, _: ClearAction) in bell = nil }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
    }
  }

  @Test func `a comparison that reads and dispatches through the observed store`() throws {
    let reference = WeakReference<ObservedStore<App>>()
    let calls = Counter()
    let nosy = Nosy {
      guard calls.increment() == 0 else { return }
      MainActor.assumeIsolated {
        _ = reference.object?.nosy
        reference.object?.dispatch(CountAction.add(1))
      }
    }
    let observed = ObservedStore(try Self.makeStore(App(nosy: nosy)))
    reference.refer(to: observed)
    _ = (observed.nosy, observed.count)
    observed.dispatch(NoteAction.append(7))
    #expect(observed.nosy.number == 7)
    #expect(observed.count == 1)
  }

  @Test func `a deinit of a released value dispatches through the observed store`() throws {
    let reference = WeakReference<ObservedStore<App>>()
    let bell = { @MainActor in
      Bell { MainActor.assumeIsolated { _ = reference.object?.dispatch(CountAction.add(1)) } }
    }
    let observed = ObservedStore(
      try Self.makeStore(App(nosy: Nosy(onCompare: {}), bell: bell())))
    reference.refer(to: observed)
    _ = (observed.count, observed.bell == nil)
    // The observed store's copy is the last one.
    observed.dispatch(ClearAction())
    #expect(observed.bell == nil)
    #expect(observed.count == 1)
  }
}
