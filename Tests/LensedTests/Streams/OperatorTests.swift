import Lensed
import LensedTestSupport
import Testing

@Suite("StateStream: operators", .timeLimit(.minutes(30)))
struct OperatorTests {
  /// What a subscription to a stream of `Desk` hears of a fixed course of commits.
  private func heard<Value: Sendable>(
    _ stream: (Store<Desk>) -> StateStream<Value>
  ) throws -> [Value] {
    let store = try Desk.makeStore()
    let heard = Recorder<Value>()
    let subscription = stream(store).subscribe { heard.append($0) }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.add(1))
    subscription.cancel()
    return heard.values
  }

  @Test func `map`() throws {
    #expect(try heard { $0.states(\.count).map { $0 * 10 } } == [0, 10, 20, 30, 40])
  }

  @Test func `compactMap`() throws {
    #expect(
      try heard { $0.states(\.count).compactMap { $0 > 1 ? "\($0)" : nil } } == ["2", "3", "4"])
  }

  @Test func `filter`() throws {
    #expect(try heard { $0.states(\.count).filter { $0.isMultiple(of: 2) } } == [0, 2, 4])
  }

  @Test func `removeDuplicates`() throws {
    #expect(try heard { $0.states.map(\.title).removeDuplicates() } == ["", "T"])
    #expect(try heard { $0.states.map(\.title) } == ["", "", "", "", "T", "T"])
  }

  @Test func `removeDuplicates compares with the value that was emitted last`() throws {
    let spaced = try heard { $0.states(\.count).removeDuplicates { abs($0 - $1) < 2 } }
    #expect(spaced == [0, 2, 4])
  }

  @Test func `select by key path and by lens, equal values left out`() throws {
    #expect(try heard { $0.states.select(\.title) } == ["", "T"])
    #expect(try heard { $0.states.select(Lens(\.count)) } == [0, 1, 2, 3, 4])
    #expect(
      try heard { $0.states.select(\.summary) } == [": 0", ": 1", ": 2", ": 3", "T: 3", "T: 4"])
  }

  @Test func `select of what cannot be compared gives all`() throws {
    struct Opaque: Sendable { var title: String }
    let titles = try heard {
      $0.states.map { Opaque(title: $0.title) }.select(\.self)
    }
    #expect(titles.map(\.title) == ["", "", "", "", "T", "T"])
  }

  @Test func `operators of operators`() throws {
    let words = try heard {
      $0.states(\.count).map { $0 / 2 }.removeDuplicates().filter { $0 != 1 }.map { "\($0)!" }
    }
    #expect(words == ["0!", "2!"])
  }

  @Test func `an operator keeps its memory for each observer alone`() throws {
    let store = try Desk.makeStore()
    let stream = store.states.map(\.title).removeDuplicates()
    let (first, second) = (Recorder<String>(), Recorder<String>())
    let one = stream.subscribe { first.append($0) }
    store.dispatch(TitleAction.rename("T"))
    let two = stream.subscribe { second.append($0) }
    store.dispatch(CountAction.add(1))
    #expect(first.values == ["", "T"])
    #expect(second.values == ["T"])
    one.cancel()
    two.cancel()
  }

  @Test func `an asynchronous reader conflates before the operators`() async throws {
    let store = try Desk.makeStore()
    let seen = Recorder<Int>()
    var evens = store.states(\.count)
      .map { count in
        seen.append(count)
        return count
      }
      .filter { $0.isMultiple(of: 2) }
      .makeAsyncIterator()
    #expect(await evens.next() == 0)
    for _ in 0..<4 { store.dispatch(CountAction.add(1)) }
    #expect(await evens.next() == 4)
    #expect(seen.values == [0, 4])
  }

  @Test func `a value that does not pass leaves an asynchronous reader waiting`() async throws {
    let store = try Desk.makeStore()
    let seen = Recorder<Int>()
    let reading = Recording(
      store.states(\.count)
        .map { count in
          seen.append(count)
          return count
        }
        .filter { $0 != 1 })
    await reading.heard.waitForCount(1)
    store.dispatch(CountAction.add(1))
    await seen.waitForCount(2)
    store.dispatch(CountAction.add(1))
    #expect(await reading.heard.waitForCount(2) == [0, 2])
  }

  @Test func `a stream of operators ends with the store`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let reading = Recording(try #require(store).states(\.count).map { $0 + 1 }.removeDuplicates())
    await reading.heard.waitForCount(1)
    store = nil
    #expect(await reading.waitForEnd() == [1])
  }
}
