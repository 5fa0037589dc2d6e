import Lensed
import LensedTestSupport
import Testing

@Suite("Store: reading, replacing, focusing")
struct StoreTests {
  @Test func `dynamic member look-up and lenses read one part`() throws {
    let store = try Desk.makeStore(Desk(count: 2, title: "T", notes: [1, 2]))
    #expect(store.count == 2)
    #expect(store.title == "T")
    #expect(store.summary == "T: 2")
    #expect(store.notes == [1, 2])
    #expect(store.notes.count == 2)
    #expect(store[Lens(\.title)] == "T")
    #expect(store.state == Desk(count: 2, title: "T", notes: [1, 2]))
  }

  @Test func `properties named like members are reached through state or a lens`() throws {
    struct Odd: Sendable {
      var state = 1
      var changes = 2
      var dispatch = 3
    }
    let store = Store(initialState: Odd(), coverage: .partial)
    #expect(store.state.state == 1)
    #expect(store.state.changes == 2)
    #expect(store[Lens(\.dispatch)] == 3)
  }

  @Test func `replaceState replaces everything, a constant too`() throws {
    struct Fixed: Sendable, Equatable {
      var count = 0
      let version: Int
    }
    let store = try Store(initialState: Fixed(version: 1)) {
      Mutator(\.count) { (count: inout Int, _: ClearAction) in count += 1 }
      Constant(\.version)
    }
    store.replaceState(Fixed(count: 5, version: 2))
    store.dispatch(ClearAction())
    #expect(store.state == Fixed(count: 6, version: 2))
  }

  @Test(.warnsOnPurpose) func `focusingOn gives what this action made of the part`() throws {
    let store = try Desk.makeStore()
    #expect(store.dispatch(CountAction.add(10), focusingOn: \.count) == 10)
    #expect(store.dispatch(CountAction.add(10), focusingOn: Lens(\.count)) == 20)
    #expect(store.dispatch(CountAction.add(1), focusingOn: \.summary) == ": 21")
    #expect(store.dispatch([CountAction.add(1), .add(1)], focusingOn: \.count) == 23)
    #expect(
      store.dispatch([CountAction.reset, TitleAction.rename("T")], focusingOn: \.summary) == "T: 0")
    #expect(store.dispatch([CountAction](), focusingOn: \.count) == 0)
    #expect(store.dispatch(StrayAction(), focusingOn: \.title) == "T")
  }

  @Test func `focusingOn is heard like any commit`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1), focusingOn: \.title)
    #expect(heard.values == [0, 1])
    #expect(await changes.next()?.action as? CountAction == .add(1))
    subscription.cancel()
  }

  @Test func `focusingOn never gives what a later action of another thread made`() throws {
    let store = try Desk.makeStore()
    let results = Recorder<Int>()
    Threads.run(4) { _ in
      for _ in 0..<500 { results.append(store.dispatch(CountAction.add(1), focusingOn: \.count)) }
    }
    #expect(results.values.sorted() == Array(1...2_000))
  }

  @Test func `focusingOn traps for what arrives over time`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      let late = AsyncActions(AsyncStream<CountAction> { $0.finish() })
      store.dispatch([CountAction.add(1), late] as [any Action], focusingOn: \.count)
    }
    #expect(result.message.contains("focusingOn:"))
    #expect(result.message.contains("StoreTests.swift"))
    #expect(result.message.contains("asynchronous sequence"))
  }

  @Test func `focusingOn traps for a sequence alone`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Desk.makeStore()
      store.dispatch(
        AsyncActions(AsyncStream<CountAction> { $0.finish() }), focusingOn: \.count)
    }
    #expect(result.message.contains("focusingOn:"))
  }

  @Test func `dispatchEach takes any sequence, a commit each`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatchEach((1...4).lazy.map { CountAction.add($0) })
    #expect(heard.values == [0, 1, 3, 6, 10])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `an action of no reducer, of some, of several`() throws {
    let store = try Desk.makeStore(Desk(count: 1, title: "T", notes: [1]))
    store.dispatch(StrayAction())
    #expect(store.state == Desk(count: 1, title: "T", notes: [1]))
    store.dispatch(ClearAction())
    #expect(store.state == Desk(notes: [1]))
  }
}
