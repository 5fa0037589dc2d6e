import Lensed
import LensedTestSupport
import Testing

@Suite("Big numbers", .timeLimit(.minutes(30)))
struct BigNumberTests {
  @Test func `observers dispatch very deep without deepening the stack`() throws {
    let store = try Desk.makeStore()
    let (depth, last) = (VerificationLength.big(100_000), Counter())
    // On half a megabyte not even the frame of one function for each of them would fit.
    Threads.start(stackSize: 512 << 10) {
      let subscription = store.states(\.count, repeats: .kept).subscribe { [weak store] count in
        last.increment()
        if count < depth { store?.dispatch(CountAction.add(1)) }
      }
      subscription.cancel()
    }.wait()
    #expect(store.count == depth)
    #expect(last.value == depth + 1)
  }

  @Test func `observers of two stores dispatch to each other very deep`() throws {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore())
    let depth = VerificationLength.big(100_000)
    Threads.start(stackSize: 512 << 10) {
      let subscriptions = [
        left.states(\.count).subscribe { [weak right] count in
          if count > 0 { right?.dispatch(CountAction.add(1)) }
        },
        right.states(\.count).subscribe { [weak left] count in
          if count > 0 && count < depth { left?.dispatch(CountAction.add(1)) }
        },
      ]
      left.dispatch(CountAction.add(1))
      for subscription in subscriptions { subscription.cancel() }
    }.wait()
    #expect([left.count, right.count] == [depth, depth])
  }

  @Test func `a stream of two stores hears all dispatches of its own`() throws {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore())
    let depth = VerificationLength.big(100_000)
    Threads.start(stackSize: 512 << 10) {
      let both = left.states(\.count).combineLatest(right.states(\.count)) { $0 + $1 }
      let subscription = both.subscribe { [weak left, weak right] sum in
        if sum < depth { (sum.isMultiple(of: 2) ? left : right)?.dispatch(CountAction.add(1)) }
      }
      subscription.cancel()
    }.wait()
    #expect(left.count + right.count == depth)
  }

  @Test func `an array of very many actions is one commit`() throws {
    let count = VerificationLength.big(1_000_000)
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch([CountAction](repeating: .add(1), count: count))
    #expect(heard.values == [0, count])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `a mixed list of very many actions is one commit`() throws {
    let count = VerificationLength.big(500_000)
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    let pair: [any Action] = [CountAction.add(1), StrayAction()]
    let list = [[any Action]](repeating: pair, count: count).flatMap(\.self)
    store.dispatch(list)
    #expect(heard.values == [0, count])
    subscription.cancel()
  }

  @Test func `very many observers hear one commit each once`() throws {
    let count = VerificationLength.big(100_000)
    let store = try Desk.makeStore()
    let calls = Counter()
    let subscriptions = (0..<count).map { number in
      number.isMultiple(of: 2)
        ? store.states(\.count).subscribe { _ in calls.increment() }
        : store.states(\.title).subscribe { _ in calls.increment() }
    }
    #expect(calls.value == count)
    store.dispatch(CountAction.add(1))
    #expect(calls.value == count * 3 / 2)
    store.dispatch(TitleAction.rename("T"))
    #expect(calls.value == count * 2)
    for subscription in subscriptions { subscription.cancel() }
    store.dispatch([CountAction.add(1), TitleAction.rename("U")])
    #expect(calls.value == count * 2)
  }

  @Test func `a store with very many observers goes, and they with it`() throws {
    let count = VerificationLength.big(100_000)
    let alive = LiveCount()
    do {
      let store = try Desk.makeStore()
      let subscriptions = (0..<count).map { _ in
        let token = alive.token()
        return store.states(\.count).subscribe { _ in _ = token }
      }
      #expect(alive.value == count)
      withExtendedLifetime(subscriptions) {}
    }
    #expect(alive.value == 0)
  }
}
