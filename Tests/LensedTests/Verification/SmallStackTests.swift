import Lensed
import LensedTestSupport
import Testing

@Suite("A small stack, a big state", .timeLimit(.minutes(30)))
struct SmallStackTests {
  private struct Fill: Action {
    let number: Int
  }

  /// Made once, so that the tests measure what Lensed takes of a stack, and not what this takes.
  private static let blank = WideState(Quad(Quad(Kilobyte())))

  private static func makeStore() throws -> Store<WideState> {
    try Store(initialState: blank) {
      for lens in WideState.parts {
        Mutator(lens: lens) { (part: inout Kilobyte, action: Fill) in part.number += action.number }
      }
    }
  }

  /// Runs `body` on a thread with 512 KB of stack, and waits for it.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    Threads.start(stackSize: 512 << 10, body).wait()
  }

  // Each in a process of its own: whoever runs out of stack ends it.

  @Test func `the state is what it is said to be`() {
    #expect(WideState.parts.count == 64)
    #expect(MemoryLayout<WideState>.size == 64 << 10)
  }

  @Test func `a store is made there`() async {
    await #expect(processExitsWith: .success) {
      withExtendedLifetime(Self.blank) {}
      Self.onSmallStack { withExtendedLifetime(try? Self.makeStore()) {} }
    }
  }

  @Test func `an action, an array and a list are dispatched there`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore()
      Self.onSmallStack {
        store.dispatch(Fill(number: 1))
        store.dispatch([Fill(number: 1), Fill(number: 1)])
        store.dispatch([Fill(number: 1), StrayAction()])
      }
      try #require(WideState.parts.allSatisfy { store[$0].number == 4 })
    }
  }

  @Test func `a part is read and observed there`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore()
      let heard = Recorder<Int>()
      let last = try #require(WideState.parts.last)
      Self.onSmallStack {
        let subscription = store.states(last).subscribe { heard.append($0.number) }
        store.dispatch(Fill(number: 1))
        heard.append(store[last].number)
        heard.append(store.dispatch(Fill(number: 1), focusingOn: last).number)
        subscription.cancel()
      }
      try #require(heard.values == [0, 1, 1, 2, 2])
    }
  }

  @Test func `the whole is observed and replaced there`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore()
      let heard = Recorder<Int>()
      Self.onSmallStack {
        let subscription = store.states.subscribe { heard.append($0.d.d.d.number) }
        store.dispatch(Fill(number: 1))
        store.replaceState(Self.blank)
        subscription.cancel()
      }
      try #require(heard.values == [0, 1, 0])
    }
  }

  @Test(arguments: [false, true])
  func `commits are made there that somebody reads`(keepingPrevious: Bool) async {
    await #expect(processExitsWith: .success) { [keepingPrevious] in
      let store = try Self.makeStore()
      var changes = store.changes(keepingPrevious: keepingPrevious).makeAsyncIterator()
      Self.onSmallStack {
        store.dispatch(Fill(number: 1))
        store.dispatch([Fill(number: 1), Fill(number: 1)])
        store.replaceState(Self.blank)
      }
      var numbers: [Int] = []
      while numbers.count < 3, let change = await changes.next() {
        numbers.append(change.state.a.a.a.number)
      }
      try #require(numbers == [1, 3, 0])
    }
  }

  // Not where the optimiser is on: it copies such a state word by word, and takes minutes to see it.
  #if DEBUG
    @Test func `the state may be as big as the stack, where only its parts are read`() async {
      #expect(MemoryLayout<HugeState>.size == 512 << 10)
      await #expect(processExitsWith: .success) {
        let store = try Store(initialState: Huge.blank, coverage: .partial) {
          Mutator(lens: Huge.last) { (part: inout Kilobyte, action: Fill) in
            part.number += action.number
          }
        }
        let scope = store.scope(\.second)
        let heard = Recorder<Int>()
        Self.onSmallStack {
          let subscription = store.states(Huge.last).subscribe { heard.append($0.number) }
          store.dispatch(Fill(number: 1))
          heard.append(store.second.d.d.d.number)
          heard.append(store[Huge.last].number)
          heard.append(scope.d.d.d.number)
          heard.append(scope[Huge.lastOfWide].number)
          heard.append(store.dispatch(Fill(number: 1), focusingOn: \.second.d.d.d).number)
          heard.append(store.dispatch(Fill(number: 1), focusingOn: Huge.last).number)
          let list: [any Action] = [Fill(number: 1), Fill(number: 1)]
          heard.append(store.dispatch(list, focusingOn: Huge.last).number)
          subscription.cancel()
        }
        try #require(heard.values == [0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 5, 5])
      }
    }
  #endif

  @Test func `tasks read there`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore()
      try await Task(executorPreference: SmallStackExecutor()) {
        var states = store.states.makeAsyncIterator()
        var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
        let first = await states.next()?.a.a.a.number
        let fills = AsyncStream<Fill> { fills in
          for number in 1...3 { fills.yield(Fill(number: number)) }
          fills.finish()
        }
        try await store.dispatch(fills).finish()
        let last = await states.next()?.a.a.a.number
        let change = await changes.next()
        try #require([first, last, change?.state.a.a.a.number] == [0, 6, 1])
        try #require(change?.didChange(\.a.a.a.number) == true)
      }.value
    }
  }

  /// Runs each job on a thread with 512 KB of stack, as the pools of some systems do.
  private final class SmallStackExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      _ = Threads.start(stackSize: 512 << 10) {
        // The executor is alive here: the closure holds it.
        unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }
  }
}

#if DEBUG
  /// 512 sub-states of a kilobyte each, all inline: as much as the small stack holds.
  private struct HugeState: Sendable {
    var first: Quad<WideState>
    var second: WideState
    var third: WideState
    var fourth: WideState
    var fifth: WideState
  }

  private enum Huge {
    /// Made once, on a stack that is big enough.
    static let blank: HugeState = {
      let wide = WideState(Quad(Quad(Kilobyte())))
      return HugeState(first: Quad(wide), second: wide, third: wide, fourth: wide, fifth: wide)
    }()

    static let lastOfWide = Lens(\WideState.d).appending(Lens(\.d)).appending(Lens(\.d))
    static let last = Lens(\HugeState.second).appending(lastOfWide)
  }
#endif
