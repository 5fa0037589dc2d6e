import Lensed
import LensedTestSupport
import Testing

@Suite("Hostile sequences", .timeLimit(.minutes(30)))
struct HostileSequenceTests {
  /// Says that it has another number of elements than it has.
  private struct Liar: Sequence {
    let count: Int
    let claim: Int

    var underestimatedCount: Int { claim }

    func makeIterator() -> AnyIterator<CountAction> {
      var left = count
      return AnyIterator {
        left -= 1
        return left < 0 ? nil : .add(1)
      }
    }
  }

  @Test(arguments: [(3, 0), (3, 1_000_000), (0, 7), (1_000, -1)])
  func `a sequence that lies about its count is believed in what it gives`(
    count: Int, claim: Int
  ) throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatchEach(Liar(count: count, claim: claim))
    #expect(heard.values == Array(0...count))
    subscription.cancel()
  }

  /// Ends, and would then go on: it gives one element, an end, and elements for ever.
  private struct Undead: AsyncSequence, Sendable {
    let pulls = Counter()

    struct Iterator: AsyncIteratorProtocol {
      let pulls: Counter

      func next() async throws -> CountAction? { pulls.increment() == 1 ? nil : .add(1) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pulls: pulls) }
  }

  @Test func `a sequence that gives more after its end is not asked again`() async throws {
    let store = try Desk.makeStore()
    let undead = Undead()
    try await store.dispatch(undead).finish()
    #expect([store.count, undead.pulls.value] == [1, 2])
    let (left, right) = (Undead(), Undead())
    try await store.dispatch(AsyncActions.merge(left, right)).finish()
    #expect([store.count, left.pulls.value, right.pulls.value] == [3, 2, 2])
    let (first, second) = (Undead(), Undead())
    try await store.dispatch(AsyncActions.concat(first, second)).finish()
    #expect([store.count, first.pulls.value, second.pulls.value] == [5, 2, 2])
    let last = Undead()
    try await store.dispatch([AsyncActions(last), CountAction.add(1)] as [any Action]).finish()
    #expect([store.count, last.pulls.value] == [7, 2])
  }

  /// Does not look whether it is cancelled, and never ends.
  private struct Deaf: AsyncSequence, Sendable {
    let pulls = Recorder<Int>()

    struct Iterator: AsyncIteratorProtocol {
      let pulls: Recorder<Int>

      func next() async throws -> CountAction? {
        pulls.append(0)
        await Task.yield()
        return .add(1)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pulls: pulls) }
  }

  @Test func `a sequence that ignores cancellation applies nothing more, alone or merged`()
    async throws
  {
    for isMerged in [false, true] {
      let store = try Desk.makeStore()
      let deaf = Deaf()
      let task =
        isMerged ? store.dispatch(AsyncActions.merge(deaf, Deaf())) : store.dispatch(deaf)
      await deaf.pulls.waitForCount(10)
      task.cancel()
      let count = store.count
      await #expect(throws: CancellationError.self) { try await task.finish() }
      // One more may have been on its way from each when it was cancelled.
      #expect(store.count - count <= 2)
      let (end, pulls) = (store.count, deaf.pulls.count)
      for _ in 0..<100 { await Task.yield() }
      #expect([store.count, deaf.pulls.count] == [end, pulls])
    }
  }

  @Test func `a sequence that ignores cancellation ends with its store`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let deaf = Deaf()
    let task = try #require(store?.dispatch(deaf))
    await deaf.pulls.waitForCount(10)
    store = nil
    try await task.finish()
  }

  @Test func `a sequence that fails at once has applied nothing`() async throws {
    let store = try Desk.makeStore()
    let failing = { ScriptedActions<CountAction>(.fail(Mishap("at once"))) }
    let tasks = [
      store.dispatch(failing()), store.dispatch(AsyncActions.merge(failing(), Deaf())),
      store.dispatch(AsyncActions.concat(failing(), Deaf())),
      store.dispatch([AsyncActions(failing()), TitleAction.rename("T")] as [any Action]),
    ]
    for task in tasks {
      await #expect(throws: Mishap("at once")) { try await task.finish() }
    }
    #expect(store.title == "")
    store.dispatch(TitleAction.rename("U"))
    #expect(store.title == "U")
  }

  @Test func `a list in a list, 1,000 deep, is one commit`() throws {
    let store = try Desk.makeStore()
    var list = ActionList([CountAction.add(1)])
    for _ in 0..<1_000 { list = ActionList([list]) }
    store.dispatch(list)
    #expect(store.count == 1)
  }
}
