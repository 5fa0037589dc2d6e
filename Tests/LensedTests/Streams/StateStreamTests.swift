import Lensed
import LensedTestSupport
import Testing

@Suite("StateStream: first the current value, then each newer one", .timeLimit(.minutes(30)))
struct StateStreamTests {
  @Test func `it starts with the current value`() async throws {
    let store = try Desk.makeStore(Desk(count: 3, title: "T"))
    var whole = store.states.makeAsyncIterator()
    var count = store.states(\.count).makeAsyncIterator()
    var title = store.states(Lens(\Desk.title)).makeAsyncIterator()
    store.dispatch(CountAction.add(1))
    #expect(await whole.next() == Desk(count: 4, title: "T"))
    #expect(await count.next() == 4)
    #expect(await title.next() == "T")
  }

  @Test func `a waiting reader is woken by each commit`() async throws {
    let store = try Desk.makeStore()
    let reading = Recording(store.states(\.count))
    for count in 0..<100 {
      #expect(await reading.heard.waitForCount(count + 1) == Array(0...count))
      store.dispatch(CountAction.add(1))
    }
  }

  @Test func `a slow reader skips to the newest value`() async throws {
    let store = try Desk.makeStore()
    var counts = store.states(\.count).makeAsyncIterator()
    #expect(await counts.next() == 0)
    for _ in 1...5 { store.dispatch(CountAction.add(1)) }
    #expect(await counts.next() == 5)
    store.dispatch(CountAction.add(1))
    #expect(await counts.next() == 6)
  }

  @Test func `it ends when the store goes away`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let whole = Recording(try #require(store).states)
    let part = Recording(try #require(store).states(\.count))
    await whole.heard.waitForCount(1)
    await part.heard.waitForCount(1)
    store = nil
    #expect(await whole.waitForEnd() == [Desk()])
    #expect(await part.waitForEnd() == [0])
  }

  @Test func `a lagging reader gets the newest value before the end`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    var counts = try #require(store).states(\.count).makeAsyncIterator()
    #expect(await counts.next() == 0)
    store?.dispatch(CountAction.add(7))
    store = nil
    #expect(await counts.next() == 7)
    #expect(await counts.next() == nil)
    #expect(await counts.next() == nil)
  }

  @Test func `an iterator made before the store went gets the newest value, asked or not`()
    async throws
  {
    var store: Store<Desk>? = try Desk.makeStore(Desk(count: 9))
    var counts = try #require(store).states(\.count).makeAsyncIterator()
    store = nil
    #expect(await counts.next() == 9)
    #expect(await counts.next() == nil)
  }

  @Test func `an iterator made after the store went ends at once`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let (whole, part) = try (#require(store).states, #require(store).states(\.count))
    var early = part.makeAsyncIterator()
    _ = await early.next()
    store = nil
    var (late, lateWhole) = (part.makeAsyncIterator(), whole.makeAsyncIterator())
    #expect(await late.next() == nil)
    #expect(await lateWhole.next() == nil)
  }

  @Test func `iterators of one stream are independent`() async throws {
    let store = try Desk.makeStore()
    let stream = store.states(\.count)
    var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
    #expect(await first.next() == 0)
    store.dispatch(CountAction.add(1))
    #expect(await first.next() == 1)
    #expect(await second.next() == 1)
    store.dispatch(CountAction.add(1))
    #expect(await second.next() == 2)
    #expect(await first.next() == 2)
  }

  @Test func `cancelling the reading task ends the loop, and nobody else's`() async throws {
    let store = try Desk.makeStore()
    let (cancelled, kept) = (Recording(store.states(\.count)), Recording(store.states(\.count)))
    await cancelled.heard.waitForCount(1)
    await kept.heard.waitForCount(1)
    cancelled.cancel()
    #expect(await cancelled.waitForEnd() == [0])
    store.dispatch(CountAction.add(1))
    #expect(await kept.heard.waitForCount(2) == [0, 1])
    #expect(cancelled.heard.values == [0])
  }

  @Test func `a store that is replaced as a whole is heard by every reader`() async throws {
    let store = try Desk.makeStore()
    var (whole, part) = (
      store.states.makeAsyncIterator(), store.states(\.title).makeAsyncIterator()
    )
    #expect(await whole.next() == Desk())
    #expect(await part.next() == "")
    store.replaceState(Desk(title: "new"))
    #expect(await whole.next() == Desk(title: "new"))
    #expect(await part.next() == "new")
  }
}
