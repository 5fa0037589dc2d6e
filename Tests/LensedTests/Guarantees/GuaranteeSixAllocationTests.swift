import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A concrete action allocates nothing after warm-up",
  .enabled(if: countsAllocations), .timeLimit(.minutes(30)))
struct GuaranteeSixAllocationTests {
  private enum Left {}

  private struct Shelf: Sendable {
    var desk = Desk()
    var byKey: [Int: Int] = [1: 0, 2: 0]
    var maybe: Int? = 0
  }

  private static func makeShelf() throws -> Store<Shelf> {
    let add = Reducer { (number: inout Int, action: CountAction) in
      if case .add(let amount) = action { number += amount }
    }
    return try Store(initialState: Shelf()) {
      Desk.countMutator.lifted(Lens(\Shelf.desk)).tagged(Left.self)
      Desk.titleMutator.lifted(Lens(\Shelf.desk))
      Desk.notesMutator.lifted(Lens(\Shelf.desk))
      Mutator(\.byKey, add.keyed())
      Mutator(\.maybe, add.optional())
    }
  }

  @Test(.enabled(if: isOptimized)) func `through an observed store that shows it`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let observed = ObservedStore(try Desk.makeStore(Desk(notes: [0])))
      _ = (observed.count, observed.title)
      #expect(allocations(500) { observed.dispatch(CountAction.add(1)) } == 0)
      #expect(observed.count == 520)
      #expect(allocations(500) { observed.dispatch(NoteAction.write(at: 0, 1)) } == 0)
    }
  }

  @Test func `among 100 effects of other actions, and of values that others own`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let installed = (0..<50).flatMap { _ in
        [
          store.install(Effect(on: TitleAction.self) { _, _ in }),
          store.install(Effect(whenChanged: \Desk.title) { _, _ in }),
        ]
      }
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      for one in installed { one.cancel() }
    }
  }

  @Test func `without an observer`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(allocations(500) { store.dispatch(ClearAction()) } == 0)
      #expect(allocations(500) { store.dispatch(StrayAction()) } == 0)
    }
  }

  @Test(.enabled(if: isOptimized))
  func `with synchronous observers of the whole, of its part, of other parts`() async {
    await #expect(processExitsWith: .success) {
      let (store, calls) = (try Desk.makeStore(), Counter())
      let subscriptions = [
        store.states.subscribe { _ in calls.increment() },
        store.states(\.count).subscribe { _ in calls.increment() },
        store.states(\.count, repeats: .kept).subscribe { _ in calls.increment() },
        store.states(\.title).subscribe { _ in calls.increment() },
      ]
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(calls.value == 4 + 3 * 520)
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  @Test(.enabled(if: isOptimized))
  func `with observers behind operators`() async {
    await #expect(processExitsWith: .success) {
      let (store, calls) = (try Desk.makeStore(), Counter())
      let subscription = store.states(\.count).map { $0 * 2 }.filter { $0 > 0 }.removeDuplicates()
        .combineLatest(store.states(\.title)) { count, _ in count }
        .subscribe { _ in calls.increment() }
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(calls.value == 520)
      subscription.cancel()
    }
  }

  @Test func `an array of one type`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let actions = (0..<100).map { CountAction.add($0) }
      #expect(allocations(500) { store.dispatch(actions) } == 0)
      #expect(store.count == 520 * 4_950)
    }
  }

  @Test(.enabled(if: isOptimized))
  func `an array of one type, with an observer`() async {
    await #expect(processExitsWith: .success) {
      let (store, calls) = (try Desk.makeStore(), Counter())
      let actions = (0..<100).map { CountAction.add($0) }
      let subscription = store.states(\.count).subscribe { _ in calls.increment() }
      #expect(allocations(500) { store.dispatch(actions) } == 0)
      #expect(calls.value == 1 + 520)
      subscription.cancel()
    }
  }

  @Test(.enabled(if: isOptimized))
  func `a dispatch that an observer makes`() async {
    await #expect(processExitsWith: .success) {
      let (store, calls) = (try Desk.makeStore(), Counter())
      let title = TitleAction.rename("T")
      let subscriptions = [
        store.states(\.count).subscribe { [weak store] _ in store?.dispatch(title) },
        store.states(\.title, repeats: .kept).subscribe { _ in calls.increment() },
      ]
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(calls.value == 1 + 520)
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  @Test func `with asynchronous readers that are not waiting`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      var whole = store.states.makeAsyncIterator()
      var part = store.states(\.count, repeats: .kept).makeAsyncIterator()
      _ = await whole.next()
      _ = await part.next()
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(await whole.next()?.count == 520)
      #expect(await part.next() == 520)
    }
  }

  @Test func `with asynchronous readers that wait for other parts`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let readings = (0..<20).map { _ in Recording(store.states(\.title)) }
      for reading in readings { await reading.heard.waitForCount(1) }
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      for reading in readings { #expect(reading.heard.values == [""]) }
    }
  }

  @Test func `tagged, for an element, for an optional, through a scope`() async {
    await #expect(processExitsWith: .success) {
      let store = try GuaranteeSixAllocationTests.makeShelf()
      let scope = store.scope(\.desk, actions: .tagged(Left.self))
      #expect(allocations(500) { store.dispatch(CountAction.add(1).tagged(Left.self)) } == 0)
      #expect(
        allocations(500) { store.dispatch(ElementAction(id: 2, action: CountAction.add(1))) } == 0)
      #expect(allocations(500) { store.dispatch(CountAction.add(1)) } == 0)
      #expect(allocations(500) { scope.dispatch(CountAction.add(1)) } == 0)
      #expect(store.desk.count == 2 * 520)
      #expect(store.byKey == [1: 0, 2: 520])
      #expect(store.maybe == 520)
    }
  }

  @Test func `with its own result`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let path: any KeyPath<Desk, Int> & Sendable = \.count
      #expect(allocations(500) { store.dispatch(CountAction.add(1), focusingOn: path) } == 0)
      #expect(store.count == 520)
    }
  }
}
