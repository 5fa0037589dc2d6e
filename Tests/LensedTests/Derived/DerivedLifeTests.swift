import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value holds nothing for longer than it needs", .timeLimit(.minutes(30)))
struct DerivedLifeTests {
  /// Where the elements lie: the same after a commit that copied nothing.
  static func place(_ notes: [Int]) -> Int {
    unsafe notes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }

  struct Write: Action {
    let value: Int
    let places: Recorder<Int>
  }

  /// A store whose reducer notes where its array lies, before and after it writes.
  static func makeStore() throws -> Store<Desk> {
    try Store(initialState: Desk(notes: Array(repeating: 1, count: 1_000))) {
      Desk.countMutator
      Desk.titleMutator
      Mutator(\Desk.notes) { (notes: inout [Int], write: Write) in
        write.places.append(Self.place(notes))
        notes[0] = write.value
        write.places.append(Self.place(notes))
      }
    }
  }

  @Test func `the next commit copies nothing for its sake`() throws {
    let (store, places) = (try Self.makeStore(), Recorder<Int>())
    let sum = Derived(\Desk.notes, \Desk.self) { notes, _ in notes.reduce(0, +) }
    let twice = Derived(sum, \Desk.notes) { 2 * $0 + $1.count }
    let subscription = store.states(twice).subscribe { _ in }
    for value in 0..<10 {
      #expect(store[twice] == 2 * (999 + (value == 0 ? 1 : value - 1)) + 1_000)
      store.dispatch(Write(value: value, places: places))
    }
    #expect(Set(places.values).count == 1)
    subscription.cancel()
  }

  @Test func `nor for a reader that waits`() async throws {
    let (store, places) = (try Self.makeStore(), Recorder<Int>())
    let sum = Derived(\Desk.notes) { notes in notes.reduce(0, +) }
    var values = store.states(sum).makeAsyncIterator()
    for value in 2..<10 {
      _ = await values.next()
      store.dispatch(Write(value: value, places: places))
    }
    #expect(Set(places.values).count == 1)
  }

  @Test @MainActor func `nor for an observed store that shows it`() throws {
    let (store, places) = (try Self.makeStore(), Recorder<Int>())
    let sum = Derived(\Desk.notes) { notes in notes.reduce(0, +) }
    let observed = ObservedStore(store)
    for value in 0..<10 {
      _ = observed[sum]
      observed.dispatch(Write(value: value, places: places))
    }
    #expect(Set(places.values).count == 1)
  }

  /// A value that counts how many of its kind there are.
  struct Counted: Sendable {
    let live: LiveCount.Token
  }

  @Test func `its value goes with the store`() throws {
    let live = LiveCount()
    let derived = Derived(\Desk.count) { _ in Counted(live: live.token()) }
    var store: Store<Desk>? = try Desk.makeStore()
    _ = store?[derived]
    #expect(live.value == 1)
    store?.dispatch(CountAction.add(1))
    _ = store?[derived]
    #expect(live.value == 1)
    store = nil
    #expect(live.value == 0)
  }

  @Test func `those that nobody can ask for any more are released`() throws {
    let live = LiveCount()
    let store = try Desk.makeStore()
    for _ in 0..<1_000 {
      _ = store[Derived(\Desk.count) { _ in Counted(live: live.token()) }]
      #expect(live.value <= 17)
    }
  }

  @Test func `one that is observed stays, though nobody else can ask for it`() throws {
    let (store, live, heard) = (try Desk.makeStore(), LiveCount(), Counter())
    let subscription = store.states(
      Derived(\Desk.count) { _ in Counted(live: live.token()) }
    ).subscribe { _ in heard.increment() }
    for _ in 0..<100 { _ = store[Derived(\Desk.count) { $0 }] }
    #expect(live.value == 1)
    store.dispatch(CountAction.add(1))
    #expect((live.value, heard.value) == (1, 2))
    subscription.cancel()
  }

  @Test func `a family holds as many keys as its limit says, and forgets the oldest`() throws {
    let (store, runs, live) = (try Desk.makeStore(), Recorder<Int>(), LiveCount())
    let family = DerivedFamily<Desk, Int, Counted>(limit: 3) { key in
      Derived(\Desk.count) { _ in
        runs.append(key)
        return Counted(live: live.token())
      }
    }
    for key in [1, 2, 3, 1, 2, 3] { _ = store[family[key]] }
    #expect(runs.values == [1, 2, 3])
    _ = store[family[1]]
    _ = store[family[4]]
    #expect(family.count == 3)
    _ = store[family[1]]
    _ = store[family[3]]
    #expect(runs.values == [1, 2, 3, 4])
    _ = store[family[2]]
    #expect(runs.values == [1, 2, 3, 4, 2])
    for key in 0..<1_000 { _ = store[family[key]] }
    #expect(family.count == 3)
    #expect(live.value <= 17)
  }

  @Test func `threads that ask a family for one key are given one value`() throws {
    let (store, made) = (try Desk.makeStore(), Counter())
    let family = DerivedFamily<Desk, Int, Int>(limit: 1_000) { key in
      made.increment()
      return Derived(\Desk.count) { $0 + key }
    }
    let wrong = Counter()
    let threads = (0..<4).map { _ in
      Threads.start {
        for key in 0..<500 where store[family[key]] != key { wrong.increment() }
      }
    }
    for thread in threads { thread.wait() }
    #expect(wrong.value == 0)
    #expect(family.count == 500)
  }

  @Test func `a family that can hold no key traps with a sentence`() async {
    await #expect(processExitsWith: .failure) {
      _ = DerivedFamily<Desk, Int, Int>(limit: 0) { _ in Derived(\Desk.count) { $0 } }
    }
  }
}
