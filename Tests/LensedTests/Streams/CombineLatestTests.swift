import Lensed
import LensedTestSupport
import Testing

@Suite("combineLatest: the newest of two streams", .timeLimit(.minutes(30)))
struct CombineLatestTests {
  @Test func `it emits when either does`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscription = store.states(\.count).combineLatest(store.states(\.title))
      .subscribe { heard.append("\($0.0)\($0.1)") }
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.keep)
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(NoteAction.append(1))
    #expect(heard.values == ["0", "1", "1T"])
    subscription.cancel()
  }

  @Test func `one commit that touches both emits once, and the pair is of that commit`() throws {
    let store = try Desk.makeStore(Desk(count: 5, title: "T"))
    let heard = Recorder<String>()
    let subscription = store.states(\.count)
      .combineLatest(store.states(\.title)) { "\($0)\($1)" }
      .subscribe { heard.append($0) }
    store.dispatch(ClearAction())
    store.dispatch([CountAction.add(2), TitleAction.rename("U")])
    #expect(heard.values == ["5T", "0", "2U"])
    subscription.cancel()
  }

  @Test func `an asynchronous reader never sees a pair that no commit made`() async throws {
    let store = try Desk.makeStore(Desk(count: 0, title: "0"))
    let done = Threads.start {
      for count in 1...2_000 {
        store.dispatch([CountAction.add(1), TitleAction.rename("\(count)")])
      }
    }
    var pairs = store.states(\.count).combineLatest(store.states(\.title)).makeAsyncIterator()
    var last = -1
    while last < 2_000 {
      let pair = try #require(await pairs.next())
      #expect("\(pair.0)" == pair.1)
      #expect(pair.0 > last)
      last = pair.0
    }
    done.wait()
  }

  @Test func `it waits until both have a value`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscription = store.states(\.count).filter { $0 > 1 }
      .combineLatest(store.states(\.title)) { "\($0)\($1)" }
      .subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["2T"])
    subscription.cancel()
  }

  @Test func `a stream combined with itself emits once a commit`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let counts = store.states(\.count)
    let subscription = counts.combineLatest(counts) { $0 + $1 }.subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 2])
    subscription.cancel()
  }

  @Test func `the streams of two stores, called back`() throws {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore(Desk(count: 10)))
    let heard = Recorder<Int>()
    let subscription = left.states(\.count).combineLatest(right.states(\.count)) { $0 + $1 }
      .subscribe { heard.append($0) }
    #expect(heard.values == [10])
    left.dispatch(CountAction.add(1))
    right.dispatch(CountAction.add(10))
    left.dispatch(TitleAction.rename("T"))
    left.dispatch(CountAction.add(1))
    #expect(heard.values == [10, 11, 21, 22])
    subscription.cancel()
    left.dispatch(CountAction.add(1))
    #expect(heard.count == 4)
  }

  @Test func `the streams of two stores, read`() async throws {
    var (left, right): (Store<Desk>?, Store<Desk>?) = (
      try Desk.makeStore(), try Desk.makeStore(Desk(count: 10))
    )
    let stream = try #require(left).states(\.count)
      .combineLatest(try #require(right).states(\.count)) { $0 + $1 }
    var sums = stream.makeAsyncIterator()
    #expect(await sums.next() == 10)
    left?.dispatch(CountAction.add(1))
    #expect(await sums.next() == 11)
    right?.dispatch(CountAction.add(1))
    #expect(await sums.next() == 12)
    left = nil
    right?.dispatch(CountAction.add(1))
    #expect(await sums.next() == 13)
    right = nil
    #expect(await sums.next() == nil)
  }

  @Test func `calls for two stores never overlap, and the last sum is right`() async throws {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore())
    let (running, heard) = (Recorder<Bool>(), Recorder<Int>())
    let (inside, isComplete) = (Guard(), Gate())
    let subscription = left.states(\.count).combineLatest(right.states(\.count)) { $0 + $1 }
      .subscribe { sum in
        if !inside.enter() { running.append(true) }
        heard.append(sum)
        inside.leave()
        if sum == 2_000 { isComplete.open() }
      }
    Threads.run(4) { thread in
      let store = thread.isMultiple(of: 2) ? left : right
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
    }
    // A task may have yet to make the last calls.
    try await isComplete.wait()
    #expect(running.values.isEmpty)
    #expect(heard.last == 2_000)
    #expect(heard.values == heard.values.sorted())
    subscription.cancel()
  }
}
