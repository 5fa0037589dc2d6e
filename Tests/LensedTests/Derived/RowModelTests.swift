import Lensed
import LensedTestSupport
import Testing

@Suite("Rows against a model", .timeLimit(.minutes(30)))
struct RowModelTests {
  typealias Row = RowScene.Row

  /// What each observer of a row is to hear, written down plainly.
  private struct Model {
    var rows: [Row]
    var heard: [Int: [String?]] = [:]
    /// The rows that are observed, with every repeat.
    var observed: Set<Int> = []

    func title(_ id: Int) -> String? { rows.first { $0.id == id }?.title }

    mutating func notify(_ ids: some Sequence<Int>) {
      for id in ids where observed.contains(id) { heard[id, default: []].append(title(id)) }
    }

    mutating func begin(_ id: Int) {
      observed.insert(id)
      notify([id])
    }

    mutating func rename(_ id: Int, _ title: String) -> Bool {
      guard let index = rows.firstIndex(where: { $0.id == id }) else { return false }
      rows[index].title = title
      return true
    }
  }

  @Test(.warnsOnPurpose, arguments: 0..<200 as Range<UInt64>)
  func `observers come and go, rows are edited one by one and together`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try RowScene.makeStore(0..<6)
    var model = Model(rows: (0..<6).map { Row(id: $0, title: "\($0)") })
    let heard = (0..<10).map { _ in Recorder<String?>() }
    var subscriptions: [Int: StoreSubscription] = [:]
    for step in 0..<100 {
      let id = Int.random(in: 0..<10, using: &random)
      let title = "\(step)"
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        if subscriptions.removeValue(forKey: id) != nil { model.observed.remove(id) }
      case 1 where subscriptions[id] == nil:
        model.begin(id)
        subscriptions[id] = store.states(\.rows, id: id, repeats: .kept)
          .subscribe { [heard = heard[id]] in heard.append($0?.title) }
      case 2:
        store.dispatch(RowScene.ListAction.insert(id, title))
        if !model.rows.contains(where: { $0.id == id }) {
          model.rows.append(Row(id: id, title: title))
        }
        model.notify(0..<10)
      case 3:
        store.dispatch(RowScene.ListAction.remove(id))
        model.rows.removeAll { $0.id == id }
        model.notify(0..<10)
      case 4:
        let second = Int.random(in: 0..<10, using: &random)
        store.dispatch([RowScene.rename(id, title), RowScene.rename(second, title)])
        let ran = [id, second].filter { model.rename($0, title) }
        model.notify(Set(ran))
      case 5:
        store.dispatch([RowScene.rename(id, title), RowScene.Count(amount: 1)] as [any Action])
        if model.rename(id, title) { model.notify([id]) }
      case 6 where step.isMultiple(of: 7):
        let rows = model.rows.shuffled(using: &random)
        store.replaceState(RowScene.State(rows: try Entities(rows)))
        model.rows = rows
        model.notify(0..<10)
      default:
        store.dispatch(RowScene.rename(id, title))
        if model.rename(id, title) { model.notify([id]) }
      }
      #expect(Array(store.rows) == model.rows, "seed \(seed), step \(step)")
      for id in 0..<10 {
        #expect(heard[id].values == model.heard[id] ?? [], "seed \(seed), step \(step), row \(id)")
      }
    }
  }

  @Test func `threads that edit rows notify each row of its last value`() async throws {
    let store = try RowScene.makeStore(0..<64)
    let last = (0..<64).map { _ in Recorder<String>() }
    let subscriptions = (0..<64).map { id in
      store.states(\.rows, id: id).subscribe { [last = last[id]] in last.append($0?.title ?? "-") }
    }
    let threads = (0..<4).map { thread in
      Threads.start {
        var random = SeededGenerator(seed: UInt64(thread))
        for step in 0..<500 {
          // A thread alone writes its rows.
          let id = Int.random(in: 0..<16, using: &random) * 4 + thread
          store.dispatch(RowScene.rename(id, "\(step)"))
          if step.isMultiple(of: 50) {
            store.states(\.rows, id: id + 1).subscribe { _ in }.cancel()
          }
        }
      }
    }
    for thread in threads { await Threads.apart { thread.wait() } }
    store.dispatch(RowScene.ListAction.reverse)
    // A task may be delivering what the threads left to it.
    try await store.settled()
    for id in 0..<64 {
      #expect(last[id].last == store[\.rows, id: id]?.title)
      let steps = last[id].values.dropFirst().compactMap { Int($0) }
      #expect(steps == steps.sorted())
    }
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a store that goes releases who observes its rows`() throws {
    let live = LiveCount()
    var store: Store<RowScene.State>? = try RowScene.makeStore()
    let subscriptions = (0..<10).compactMap { id in
      store?.states(\.rows, id: id).subscribe { [token = live.token()] _ in _ = token }
    }
    #expect(live.value == 10)
    store = nil
    #expect(live.value == 0)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `rows that nobody observes any more leave nothing behind`() throws {
    let live = LiveCount()
    final class Key: Hashable, Sendable {
      let token: LiveCount.Token
      let number: Int
      init(_ number: Int, _ live: LiveCount) { (self.number, token) = (number, live.token()) }
      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    struct Add: Action {}
    do {
      let store = try Store(initialState: [Key: Int]()) {
        Mutator(
          lens: Lens<[Key: Int], [Key: Int]>.identity,
          reducer: Reducer { (value: inout Int, _: Add) in value += 1 }.keyed(by: Key.self))
      }
      for number in 0..<1_000 {
        store.states(\[Key: Int].self, id: Key(number, live)).subscribe { _ in }.cancel()
      }
      #expect(live.value <= 40)
    }
    #expect(live.value == 0)
  }

  @Test(.enabled(if: isOptimized && countsAllocations))
  func `ten thousand observers of other rows cost an action nothing`() async {
    await #expect(processExitsWith: .success) {
      func cost(observing count: Int) throws -> UInt64 {
        let store = try RowScene.makeStore(0..<10_001)
        let subscriptions = (1..<(count + 1)).map { id in
          store.states(\.rows, id: id).subscribe { _ in }
        }
        defer { for subscription in subscriptions { subscription.cancel() } }
        return allocations(500) { store.dispatch(RowScene.rename(0, "y")) }
      }
      let (many, none) = (try cost(observing: 10_000), try cost(observing: 0))
      #expect(many == none)
    }
  }
}
