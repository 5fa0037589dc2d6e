import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "A change that a full buffer drops copies nothing, and is counted", .timeLimit(.minutes(30)))
struct RefusedChangeTests {
  /// A state that knows whether somebody else holds it while it is reduced.
  private struct Shared: Sendable {
    final class Memory: Sendable {}

    var memory = Memory()
    var count = 0
    var copies = 0
  }

  private struct Count: Action {}

  private static func makeStore() throws -> Store<Shared> {
    try Store(initialState: Shared()) {
      Mutator(lens: Lens<Shared, Shared>.identity) { (shared: inout Shared, action: Count) in
        shared.count += 1
        if !isKnownUniquelyReferenced(&shared.memory) {
          shared.memory = Shared.Memory()
          shared.copies += 1
        }
      }
    }
  }

  @Test func `the state before a commit is not copied for a buffer that is full`() async throws {
    var store: Store<Shared>? = try Self.makeStore()
    var changes = try #require(store).changes(
      buffering: .bounded(2, dropping: .newest), keepingPrevious: true
    ).makeAsyncIterator()
    for _ in 0..<100 { store?.dispatch(Count()) }
    // The first two commits are kept with the states before them, and the third finds those still held.
    #expect(store?.copies == 3)
    for _ in 0..<2 { _ = await changes.next() }
    store?.dispatch(Count())
    store = nil
    let change = try #require(await changes.next())
    #expect((change.revision, change.droppedCount) == (101, 98))
    #expect((change.previous?.count, change.state.count) == (100, 101))
    #expect(await changes.next() == nil)
  }

  @Test(.enabled(if: isOptimized && countsAllocations))
  func `a dispatch allocates nothing while the buffer is full`() async {
    await #expect(processExitsWith: .success) {
      let alone = try RefusedChangeTests.allocationsWhileFull(keepsPrevious: false)
      let withPrevious = try RefusedChangeTests.allocationsWhileFull(keepsPrevious: true)
      #expect((alone, withPrevious) == (0, 0))
    }
  }

  private static func allocationsWhileFull(keepsPrevious: Bool) throws -> UInt64 {
    let store = try Desk.makeStore()
    let changes = store.changes(
      buffering: .bounded(4, dropping: .newest), keepingPrevious: keepsPrevious
    ).makeAsyncIterator()
    defer { withExtendedLifetime(changes) {} }
    return allocations(500) { store.dispatch(CountAction.add(1)) }
  }

  @Test(arguments: [ChangeBuffering.End.oldest, .newest], [false, true])
  func `a reader beside threads that dispatch gets each commit, or its number`(
    end: ChangeBuffering.End, keepsPrevious: Bool
  ) async throws {
    let (threads, turns) = (3, 2_000)
    var store: Store<Shared>? = try Self.makeStore()
    let stream = try #require(store).changes(
      buffering: .bounded(3, dropping: end), keepingPrevious: keepsPrevious)
    let isReading = Gate()
    let reading = Task {
      var (changes, last, dropped) = (stream.makeAsyncIterator(), 0 as UInt64, 0)
      isReading.open()
      while let change = await changes.next() {
        #expect(change.revision == last + 1 + UInt64(change.droppedCount))
        #expect(change.state.count == Int(change.revision))
        if keepsPrevious { #expect(change.previous?.count == change.state.count - 1) }
        (last, dropped) = (change.revision, dropped + change.droppedCount)
      }
      return (last, dropped)
    }
    try await isReading.wait()
    if let store {
      Threads.run(threads) { _ in
        for _ in 0..<turns { store.dispatch(Count()) }
      }
    }
    // What is buffered is still given.
    store = nil
    let (last, dropped) = await reading.value
    #expect(dropped < threads * turns)
    if end == .oldest { #expect(last == UInt64(threads * turns)) }
  }
}
