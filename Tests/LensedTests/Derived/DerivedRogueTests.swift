import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A function of a derived value that does what it should not is harmless", .timeLimit(.minutes(30))
)
struct DerivedRogueTests {
  @Test func `one that reads its store`() throws {
    let store = try Desk.makeStore(Desk(count: 1))
    let inner = Derived(\Desk.count) { 2 * $0 }
    let outer = Derived(\Desk.title) { [weak store] _ in (store?[inner] ?? 0) + (store?.count ?? 0)
    }
    #expect(store[outer] == 3)
    store.dispatch(CountAction.add(1))
    #expect(store[outer] == 3)
    store.dispatch(TitleAction.rename("T"))
    #expect(store[outer] == 6)
  }

  @Test func `one that dispatches`() throws {
    let (store, heard) = (try Desk.makeStore(), Recorder<Int>())
    let busy = Derived(\Desk.count) { [weak store] count in
      store?.dispatch(TitleAction.rename("\(count)"))
      if count < 3 { store?.dispatch(CountAction.add(1)) }
      return count
    }
    #expect(store[busy] == 0)
    #expect(store[busy] == 1)
    let subscription = store.states(busy).subscribe { heard.append($0) }
    #expect(heard.values == [2, 3])
    #expect(store.title == "3")
    subscription.cancel()
  }

  @Test func `one that dispatches to whoever observes it`() throws {
    let (store, heard) = (try Desk.makeStore(), Recorder<Int>())
    let busy = Derived(\Desk.count, \Desk.title) { [weak store] count, title in
      if title == "go", count < 3 { store?.dispatch(CountAction.add(1)) }
      return count
    }
    let subscription = store.states(\.count).subscribe { [weak store] _ in
      // Called by the function's own dispatch, while the function is running on this thread.
      if let store { heard.append(store[busy]) }
    }
    store.dispatch(TitleAction.rename("go"))
    #expect(store[busy] == 0)
    #expect(heard.values == [0, 1, 2, 3])
    #expect(store[busy] == 3)
    subscription.cancel()
  }

  @Test func `one that waits for another thread, which asks for the same`() throws {
    let (store, runs) = (try Desk.makeStore(Desk(count: 1)), Counter())
    let twice = Derived(\Desk.count) { [weak store] count in
      // The first asker waits until a second one, on another thread, has the value.
      if runs.increment() == 0, let store {
        Threads.start { _ = store.count }.wait()
        let other = Derived(\Desk.count) { $0 }
        Threads.start { _ = store[other] }.wait()
      }
      return 2 * count
    }
    #expect(store[twice] == 2)
    let reentrant = Recorder<Int>()
    let slow = Recorder<Derived<Desk, Int>>()
    let waits = Counter()
    slow.append(
      Derived(\Desk.count) { [weak store, weak slow] count in
        if waits.increment() == 0, let store, let slow = slow?.last {
          Threads.start { reentrant.append(store[slow]) }.wait()
        }
        return 3 * count
      })
    #expect(slow.last.map { store[$0] } == 3)
    #expect(reentrant.values == [3])
    #expect(waits.value == 2)
  }

  @Test(.warnsOnPurpose) func `two that ask for each other's store`() throws {
    let (one, two) = (try Desk.makeStore(Desk(count: 1)), try Desk.makeStore(Desk(count: 2)))
    let double = Derived(\Desk.count) { 2 * $0 }
    let first = Derived(\Desk.count) { [weak two] in $0 + (two?[double] ?? 0) }
    let second = Derived(\Desk.count) { [weak one] in $0 + (one?[first] ?? 0) }
    let threads = (0..<4).map { number in
      Threads.start {
        for _ in 0..<200 {
          _ = number.isMultiple(of: 2) ? one[first] : two[second]
          (number.isMultiple(of: 2) ? one : two).dispatch(CountAction.add(0))
        }
      }
    }
    for thread in threads { thread.wait() }
    #expect(two[second] == 2 + 1 + 4)
  }

  @Test func `one that releases the last reference to its store`() throws {
    let box = Holder()
    let scope: ScopedStore<Desk>
    do {
      let store = try Desk.makeStore(Desk(count: 4))
      scope = store.scope(\.self)
      box.store.withLock { $0 = store }
    }
    let last = Derived(\Desk.count) { count in
      box.empty()
      return count
    }
    #expect(scope[last] == 4)
    #expect(scope[last] == 4)
  }

  @Test func `one that throws is a Result`() throws {
    struct Odd: Error, Equatable {}
    let store = try Desk.makeStore(Desk(count: 1))
    let half = Derived(\Desk.count) { count -> Result<Int, Odd> in
      count.isMultiple(of: 2) ? .success(count / 2) : .failure(Odd())
    }
    #expect(store[half] == .failure(Odd()))
    store.dispatch(CountAction.add(1))
    #expect(store[half] == .success(1))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `compute against commit against close`(seed: UInt64) throws {
    let live = LiveCount()
    let derived = Derived(\Desk.count, \Desk.notes) { count, notes in
      (count: count, size: notes.count, live: live.token())
    }
    let size = Derived(derived, \Desk.count) { ($0.size, $0.count == $1) }
    do {
      var store: Store<Desk>? = try Desk.makeStore()
      let scope = try #require(store?.scope(\.self))
      let wrong = Counter()
      let readers = (0..<2).map { _ in
        Threads.start {
          var last = -1
          for _ in 0..<500 {
            let (size, isOfOneCommit) = scope[size]
            if !isOfOneCommit || size < last { wrong.increment() }
            last = size
          }
        }
      }
      let subscription = store?.states(size).subscribe { if !$0.1 { wrong.increment() } }
      let writer = Threads.start { [scope] in
        for step in 0..<300 {
          scope.dispatch([CountAction.add(1), NoteAction.append(step)])
        }
      }
      for _ in 0..<(seed * 7 % 50) { Threads.yield() }
      store = nil
      writer.wait()
      for reader in readers { reader.wait() }
      #expect(wrong.value == 0)
      subscription?.cancel()
    }
    #expect(live.value == 0)
  }
}

/// Holds a store until it is told not to.
private final class Holder: Sendable {
  let store = Locked<Store<Desk>?>(nil)

  func empty() {
    _ = store.withLock { store -> Store<Desk>? in
      defer { store = nil }
      return store
    }
  }
}
