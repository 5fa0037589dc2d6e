import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value is computed when it is asked for", .timeLimit(.minutes(30)))
struct DerivedTests {
  @Test func `it is computed of its inputs, and kept`() throws {
    let (store, runs) = (try Desk.makeStore(Desk(count: 2, title: "T")), Counter())
    let label = Derived(\Desk.count, \Desk.title) { count, title in
      runs.increment()
      return "\(title)\(count)"
    }
    #expect(runs.value == 0)
    #expect(store[label] == "T2")
    #expect(store[label] == "T2")
    #expect(runs.value == 1)
    store.dispatch(CountAction.add(1))
    #expect(runs.value == 1)
    #expect(store[label] == "T3")
    #expect(runs.value == 2)
  }

  @Test(.warnsOnPurpose) func `a commit that touches none of its inputs computes nothing`() throws {
    let (store, runs) = (try Desk.makeStore(), Counter())
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    _ = store[double]
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(StrayAction())
    #expect(store[double] == 0)
    #expect(runs.value == 1)
  }

  @Test func `from one to five inputs: key paths, lenses, derived values`() throws {
    let store = try Desk.makeStore(Desk(count: 1, title: "T", notes: [5]))
    let one = Derived(\Desk.count) { $0 + 1 }
    let two = Derived(one, Lens(\Desk.title)) { "\($1)\($0)" }
    let three = Derived(two, \Desk.notes, Lens<Desk, Int>(\.count)) { "\($0)\($1)\($2)" }
    let four = Derived(one, two, three, \Desk.summary) { [$0.description, $1, $2, $3] }
    let five = Derived(one, two, three, four, \Desk.self) {
      "\($0)\($1)\($2)\($3.count)\($4.count)"
    }
    #expect(store[one] == 2)
    #expect(store[two] == "T2")
    #expect(store[three] == "T2[5]1")
    #expect(store[four] == ["2", "T2", "T2[5]1", "T: 1"])
    #expect(store[five] == "2T2T2[5]141")
    store.dispatch(ClearAction())
    #expect(store[five] == "11" + "1[5]0" + "4" + "0")
  }

  @Test(.warnsOnPurpose) func `a computed property is looked at after every handled commit`() throws
  {
    let (store, runs) = (try Desk.makeStore(Desk(count: 1, title: "T")), Counter())
    let length = Derived(\Desk.summary) { summary in
      runs.increment()
      return summary.count
    }
    #expect(store[length] == 4)
    store.dispatch(NoteAction.append(1))
    #expect(store[length] == 4)
    #expect(runs.value == 2)
    store.dispatch(StrayAction())
    #expect(store[length] == 4)
    #expect(runs.value == 2)
  }

  @Test func `an equal result stops what is derived from it`() throws {
    let (store, runs) = (try Desk.makeStore(), Counter())
    let isEven = Derived(\Desk.count) { $0.isMultiple(of: 2) }
    let word = Derived(isEven) { isEven in
      runs.increment()
      return isEven ? "even" : "odd"
    }
    let shout = Derived(word) { word in
      runs.increment()
      return word + "!"
    }
    #expect(store[shout] == "even!")
    store.dispatch(CountAction.add(2))
    #expect(store[shout] == "even!")
    #expect(runs.value == 2)
    store.dispatch(CountAction.add(1))
    #expect(store[shout] == "odd!")
    #expect(runs.value == 4)
  }

  @Test func `the bottom of a diamond is computed once`() throws {
    let (store, runs) = (try Desk.makeStore(Desk(count: 1)), Recorder<String>())
    let top = Derived(\Desk.count) { count in
      runs.append("top")
      return count
    }
    let left = Derived(top) { top in
      runs.append("left")
      return top + 1
    }
    let right = Derived(top, \Desk.title) { top, _ in
      runs.append("right")
      return top * 2
    }
    let bottom = Derived(left, right) { left, right in
      runs.append("bottom")
      return left + right
    }
    #expect(store[bottom] == 4)
    #expect(runs.values == ["top", "left", "right", "bottom"])
    store.dispatch(CountAction.add(1))
    #expect(store[bottom] == 7)
    #expect(runs.count == 8)
    store.dispatch(TitleAction.rename("T"))
    #expect(store[bottom] == 7)
    #expect(runs.values[8...] == ["right"])
  }

  @Test func `what cannot be compared counts as a change each time`() throws {
    let (store, runs) = (try Desk.makeStore(), Counter())
    let pair = Derived(\Desk.count) { ($0, 1) }
    let sum = Derived(pair) { pair in
      runs.increment()
      return pair.0 + pair.1
    }
    #expect(store[sum] == 1)
    store.dispatch(CountAction.keep)
    #expect(store[sum] == 1)
    #expect(runs.value == 2)
  }

  @Test func `what can be compared is, also where the code that makes it does not know so`() throws
  {
    func tens<Value: Sendable>(_ make: @escaping @Sendable (Int) -> Value) -> Derived<Desk, Value> {
      Derived(\Desk.count) { make($0 / 10) }
    }
    let (store, runs) = (try Desk.makeStore(), Counter())
    let text = Derived(tens { "\($0)" }) { text in
      runs.increment()
      return text
    }
    #expect(store[text] == "0")
    store.dispatch(CountAction.add(1))
    #expect((store[text], runs.value) == ("0", 1))
    store.dispatch(CountAction.add(9))
    #expect((store[text], runs.value) == ("1", 2))
  }

  @Test func `two stores keep values of their own`() throws {
    let runs = Counter()
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    let (one, two) = (try Desk.makeStore(Desk(count: 1)), try Desk.makeStore(Desk(count: 2)))
    #expect((one[double], two[double]) == (2, 4))
    one.dispatch(CountAction.add(1))
    #expect((one[double], two[double]) == (4, 4))
    #expect(runs.value == 3)
  }

  @Test func `it is new after the state was replaced`() throws {
    let store = try Desk.makeStore(Desk(count: 1))
    let double = Derived(\Desk.count) { 2 * $0 }
    #expect(store[double] == 2)
    store.replaceState(Desk(count: 5))
    #expect(store[double] == 10)
  }

  @Test func `owners that come and go leave it right`() throws {
    let store = Store(initialState: Desk(count: 1), coverage: .partial)
    let double = Derived(\Desk.count) { 2 * $0 }
    #expect(store[double] == 2)
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    store.unregister(\.count)
    #expect(store[double] == 4)
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(store[double] == 6)
  }

  @Test func `it runs alone, without a store`() {
    let runs = Counter()
    let top = Derived(\Desk.count) { count in
      runs.increment()
      return count + 1
    }
    let sum = Derived(top, top, \Desk.title) { $0 + $1 + $2.count }
    #expect(sum.value(in: Desk(count: 1, title: "abc")) == 7)
    #expect(runs.value == 1)
  }

  @Test func `a function that asks for itself traps with a sentence`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = Loop()
      let store = try Desk.makeStore()
      let loop = Derived(\Desk.count) { count in box.read(store) + count }
      box.derived.append(loop)
      _ = store[loop]
    }
  }
}

/// A derived value that its own function reaches.
private final class Loop: Sendable {
  let derived = Recorder<Derived<Desk, Int>>()

  func read(_ store: Store<Desk>) -> Int { derived.last.map { store[$0] } ?? 0 }
}
