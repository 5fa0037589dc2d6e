import Lensed
import LensedTestSupport
import Testing

@Suite("changes: bounds, drops, and the end", .timeLimit(.minutes(30)))
struct ChangeBufferTests {
  private func drain<State>(
    _ changes: inout StateChanges<State>.Iterator
  ) async -> [Change<State>] {
    var taken: [Change<State>] = []
    while let change = await changes.next() { taken.append(change) }
    return taken
  }

  @Test func `what was buffered is delivered before the end`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    var changes = try #require(store).changes(buffering: .unbounded).makeAsyncIterator()
    for _ in 0..<100 { store?.dispatch(CountAction.add(1)) }
    store = nil
    let taken = await drain(&changes)
    #expect(taken.map(\.state.count) == Array(1...100))
    #expect(taken.map(\.revision) == Array(1...100))
    #expect(taken.allSatisfy { $0.droppedCount == 0 })
  }

  @Test func `a full buffer drops the oldest, and counts them on the next`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    var changes = try #require(store).changes(buffering: .bounded(2, dropping: .oldest))
      .makeAsyncIterator()
    for _ in 0..<5 { store?.dispatch(CountAction.add(1)) }
    let first = await changes.next()
    #expect(first?.state.count == 4)
    #expect(first?.droppedCount == 3)
    for _ in 0..<2 { store?.dispatch(CountAction.add(1)) }
    store = nil
    let rest = await drain(&changes)
    #expect(rest.map(\.state.count) == [6, 7])
    #expect(rest.map(\.droppedCount) == [1, 0])
  }

  @Test func `a full buffer drops the newest, and counts them on the one after`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    var changes = try #require(store).changes(buffering: .bounded(2, dropping: .newest))
      .makeAsyncIterator()
    for _ in 0..<5 { store?.dispatch(CountAction.add(1)) }
    #expect(await changes.next()?.state.count == 1)
    store?.dispatch(CountAction.add(1))
    store = nil
    let rest = await drain(&changes)
    #expect(rest.map(\.state.count) == [2, 6])
    #expect(rest.map(\.droppedCount) == [0, 3])
  }

  @Test(arguments: [ChangeBuffering.End.oldest, .newest], [51, 52, 53] as [UInt64])
  func `the gap between two revisions is what was dropped`(
    end: ChangeBuffering.End, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try Desk.makeStore()
    var changes = store.changes(buffering: .bounded(3, dropping: end)).makeAsyncIterator()
    var (last, committed, waiting) = (0 as UInt64, 0 as UInt64, 0)
    for step in 0..<500 {
      if waiting == 0 || Int.random(in: 0..<3, using: &random) > 0 {
        store.dispatch(CountAction.add(1))
        committed += 1
        waiting = min(waiting + 1, 3)
      } else {
        let change = try #require(await changes.next())
        waiting -= 1
        #expect(
          change.revision - last - 1 == UInt64(change.droppedCount), "seed \(seed), step \(step)")
        #expect(change.state.count == Int(change.revision), "seed \(seed), step \(step)")
        last = change.revision
      }
      #expect(last <= committed)
    }
  }

  @Test func `readers are independent`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let stream = try #require(store).changes(buffering: .bounded(1, dropping: .oldest))
    var first = stream.makeAsyncIterator()
    store?.dispatch(CountAction.add(1))
    var second = stream.makeAsyncIterator()
    #expect(await first.next()?.revision == 1)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(await drain(&first).map(\.revision) == [2])
    #expect(await drain(&second).map(\.revision) == [2])
  }

  @Test func `an iterator made after the store went ends at once`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let stream = try #require(store).changes()
    store?.dispatch(CountAction.add(1))
    store = nil
    var changes = stream.makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test func `cancelling the reading task ends the loop`() async throws {
    let store = try Desk.makeStore()
    let reading = Recording(store.changes())
    let other = Recording(store.changes())
    // Each loop has to have begun before its first commit.
    while reading.heard.count == 0 || other.heard.count == 0 {
      store.dispatch(CountAction.add(1))
      await Task.yield()
    }
    reading.cancel()
    let before = await reading.waitForEnd().count
    store.dispatch(CountAction.add(1))
    let last = store.count
    while other.heard.last?.state.count != last { await Task.yield() }
    #expect(reading.heard.count == before)
  }

  @Test(.warnsOnPurpose) func `a reader that goes leaves nothing installed`() async throws {
    final class Token: Sendable {}
    struct Keep: Action { let token: Token }
    let store = Store(initialState: 0, coverage: .partial)
    weak var seen: Token?
    do {
      var changes: StateChanges<Int>.Iterator? = store.changes().makeAsyncIterator()
      let token = Token()
      seen = token
      store.dispatch(Keep(token: token))
      _ = await changes?.next()
      store.dispatch(Keep(token: token))
      changes = nil
    }
    #expect(seen == nil)
  }
}
