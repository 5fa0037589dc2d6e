import Lensed
import LensedTestSupport
import Testing

private let counter = Reducer { (count: inout Int, action: CountAction) in
  switch action {
  case .add(let amount): count += amount
  case .keep: break
  case .reset: count = 0
  }
}

private struct DoubleAction: Action {}

@Suite("Reducer: runs alone")
struct ReducerTests {
  @Test func `it reduces the actions of its type`() {
    var count = 1
    counter.reduce(&count, CountAction.add(4))
    #expect(count == 5)
    counter.reduce(&count, CountAction.reset)
    #expect(count == 0)
  }

  @Test func `an action of another type leaves the state untouched`() {
    var count = 1
    counter.reduce(&count, ClearAction())
    counter.reduce(&count, ElementAction(id: 0, action: CountAction.add(1)))
    counter.reduce(&count, CountAction.add(1).tagged(Int.self))
    #expect(count == 1)
  }

  @Test func `an any Action is opened`() {
    var count = 1
    let action: any Action = CountAction.add(4)
    counter.reduce(&count, action)
    #expect(count == 5)
  }

  @Test func `a list is reduced member by member`() {
    var count = 1
    counter.reduce(&count, [CountAction.reset, .add(2), .add(3)])
    #expect(count == 5)
    counter.reduce(&count, ActionList([ClearAction(), [CountAction.add(1)], CountAction.add(1)]))
    #expect(count == 7)
  }

  @Test func `the pure form gives the same as the one in place`() {
    let pure = Reducer(pure: { (count: Int, action: CountAction) in
      switch action {
      case .add(let amount): count + amount
      case .keep: count
      case .reset: 0
      }
    })
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      var (left, right) = (0, 0)
      for _ in 0..<20 {
        let amount = Int.random(in: -9...9, using: &generator)
        let action = amount == 0 ? CountAction.reset : .add(amount)
        counter.reduce(&left, action)
        pure.reduce(&right, action)
        #expect(left == right, "seed \(seed)")
      }
    }
  }

  @Test func `on adds other types, each with its own answer`() {
    let reducer =
      counter
      .on(DoubleAction.self) { count, _ in count *= 2 }
      .on(TitleAction.self) { count, action in
        switch action {
        case .rename(let name): count = name.count
        }
      }
    var count = 3
    reducer.reduce(&count, DoubleAction())
    #expect(count == 6)
    reducer.reduce(&count, TitleAction.rename("ab"))
    #expect(count == 2)
    reducer.reduce(&count, CountAction.add(1))
    #expect(count == 3)
    counter.reduce(&count, DoubleAction())
    #expect(count == 3, "the one it was made from is as it was")
  }

  @Test func `several answers to one type run in the order they were added`() {
    let reducer = Reducer { (list: inout [Int], _: DoubleAction) in list.append(1) }
      .on(DoubleAction.self) { list, _ in list.append(list.count + 1) }
      .on(DoubleAction.self) { list, _ in list.append(list.count + 1) }
    var list: [Int] = []
    reducer.reduce(&list, DoubleAction())
    #expect(list == [1, 2, 3])
  }

  @Test func `a reducer of every action sees all, in order with the others`() {
    let seen = Reducer(everyAction: { (log: inout [String], action: any Action) in
      log.append("\(type(of: action))")
    })
    .on(DoubleAction.self) { log, _ in log.append("own") }
    var log: [String] = []
    seen.reduce(&log, CountAction.add(1))
    seen.reduce(&log, [DoubleAction(), DoubleAction()])
    #expect(log == ["CountAction", "DoubleAction", "own", "DoubleAction", "own"])
  }
}

@Suite("Reducer: combine and identity")
struct ReducerCombinationTests {
  private let append = { (note: Int) in
    Reducer { (list: inout [Int], _: DoubleAction) in list.append(note) }
  }

  private func result(_ reducer: Reducer<[Int]>) -> [Int] {
    var list: [Int] = []
    reducer.reduce(&list, DoubleAction())
    return list
  }

  @Test func `combine runs its reducers in order, each seeing what the earlier ones wrote`() {
    let sum = Reducer { (list: inout [Int], _: DoubleAction) in list.append(list.reduce(0, +)) }
    #expect(result(.combine(append(1), append(2), sum, sum)) == [1, 2, 3, 6])
  }

  @Test func `combine is associative, and identity is its neutral element`() {
    let (a, b, c) = (append(1), append(2), append(3))
    #expect(result(.combine(.combine(a, b), c)) == [1, 2, 3])
    #expect(result(.combine(a, .combine(b, c))) == [1, 2, 3])
    #expect(result(.combine(.identity, a, .identity)) == result(a))
    #expect(result(.combine()) == [])
    #expect(result(.identity) == [])
  }

  @Test func `combine joins reducers of different actions`() {
    let reducer = Reducer.combine(
      append(1), Reducer { (list: inout [Int], _: ClearAction) in list = [] })
    var list: [Int] = []
    reducer.reduce(&list, ActionList([DoubleAction(), DoubleAction()]))
    #expect(list == [1, 1])
    reducer.reduce(&list, ClearAction())
    #expect(list == [])
  }

  @Test(.warnsOnPurpose) func `in a store, identity handles nothing and claims its property`()
    async throws
  {
    let store = try Store(initialState: Desk(count: 1)) {
      Mutator(\.count, Reducer.identity)
      Desk.titleMutator
      Desk.notesMutator
    }
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
    #expect(await changes.next()?.isHandled == false)
  }
}
