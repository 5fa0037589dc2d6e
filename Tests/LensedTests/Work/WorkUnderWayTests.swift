import LensedTestSupport
import Testing

@testable import Lensed

@Suite("A store names what it has under way, and tells when it rests", .timeLimit(.minutes(30)))
struct WorkUnderWayTests {
  private let gate = SleepingGate()
  private let order = Recorder<String>()

  /// A gate at which code sleeps as the store knows it.
  private final class SleepingGate: Sendable {
    private let gate = Gate()
    private let sleeps = Recorder<WorkSleep>()

    func wait() async throws {
      let sleep = WorkSleep()
      sleeps.append(sleep)
      sleep.begin()
      try await gate.wait()
    }

    func open() {
      for sleep in sleeps.values { sleep.end() }
      gate.open()
    }
  }

  private func makeStore(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk>
  {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.notesMutator
      parts()
    }
  }

  @Test func `each effect, sequence and event is named once, with what it does`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: NoteAction.self)
    let store = try makeStore {
      Effect(on: CountAction.self, .serial) { [gate] _, _ in try await gate.wait() }
        .named("save")
      AsyncMutator(\.title) { [gate] (_: String, action: TitleAction) -> AsyncResult<String> in
        AsyncResult {
          try await gate.wait()
          return "\(action)"
        }
      }
    }
    #expect(store.workUnderWay.isEmpty)
    store.dispatch([CountAction.add(1), .add(1)])
    store.dispatch(CountAction.add(1))
    store.dispatch(TitleAction.rename("a"))
    store.dispatch(stream)
    let names = { store.workUnderWay.map { "\($0)" }.sorted() }
    while store.workUnderWay.count(where: { $0.activity == .asleep }) < 2 { await Task.yield() }
    let lines = names()
    #expect(lines.count == 5)
    #expect(
      lines.count { $0.hasPrefix("the effect save waits for its turn, set off by the dispatch") }
        == 2)
    #expect(
      lines.count { $0.hasPrefix("the effect save sleeps, set off by the dispatch of") } == 1)
    #expect(
      lines.contains { $0.hasPrefix("the event `TitleAction` of `title` sleeps, set off by") })
    #expect(lines.contains { $0.hasPrefix("the sequence dispatched at LensedTests/WorkUnder") })
    continuation.finish()
    gate.open()
    try await store.settled()
    #expect(store.workUnderWay.isEmpty)
  }

  @Test func `a store rests when all that is under way sleeps, is queued or waits`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self, .serial) { [gate, order] _, context in
        await Task.yield()
        order.append("run")
        try await gate.wait()
        try await context.dispatch(NoteAction.append(1)).finish()
        order.append("end")
      }
      Effect(on: NoteAction.self) { [order] _, _ in
        await Task.yield()
        order.append("note")
      }
    }
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(2))
    try await store.rested()
    #expect(order.values == ["run"])
    gate.open()
    // The second run finds the gate open, and its sleep is over.
    while order.count < 6 { await Task.yield() }
    #expect(order.values == ["run", "note", "end", "run", "note", "end"])
    try await store.rested()
  }

  @Test func `an effect that reads the changes of a store is at rest until one comes`() async throws
  {
    let other = try Desk.makeStore()
    let store = try makeStore {
      Effect(on: CountAction.self) { [order] _, _ in
        var changes = other.changes().makeAsyncIterator()
        order.append("waits")
        _ = await changes.next()
        order.append("goes on")
      }
    }
    store.dispatch(CountAction.add(1))
    try await store.rested()
    #expect(order.values == ["waits"])
    // Once the dispatch has returned, the reader is not at rest any more.
    other.dispatch(CountAction.add(1))
    try await store.rested()
    #expect(order.values == ["waits", "goes on"])
  }

  @Test func `a store with nothing under way rests`() async throws {
    try await makeStore {}.rested()
  }

  @Test func `code that was woken before it slept is not at rest`() async throws {
    let seen = Recorder<WorkDescription.Activity?>()
    let store = try makeStore {
      Effect(on: CountAction.self) { _, _ in
        let work = WorkNode.current
        let woken = WorkSleep()
        woken.end()
        woken.begin()
        seen.append(work?.activity)
        let wait = CommitWait()
        wait.raise()
        await wait.wait {
          seen.append(work?.activity)
          return true
        }
        seen.append(work?.activity)
        // What it waited for comes between the look and the sleep.
        await wait.wait {
          wait.raise()
          return false
        }
        let sleep = WorkSleep()
        sleep.begin()
        seen.append(work?.activity)
        sleep.end()
        sleep.end()
        seen.append(work?.activity)
      }
    }
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(seen.values == [.running, .running, .running, .asleep, .running])
  }

  @Test func `the limit of an effect is no sleep of the effect`() async throws {
    let inside = Gate()
    // Unlike a gate, it is nothing that a test controls.
    let (leave, left) = AsyncStream.makeStream(of: Void.self)
    let clock = ManualClock()
    let store = try makeStore {
      Effect(on: CountAction.self) { [order] _, _ in
        inside.open()
        for await _ in leave { break }
        order.append("end")
      }
      .timedOut(after: .seconds(1), clock: clock)
    }
    store.dispatch(CountAction.add(1))
    try await inside.wait()
    let rest = Task { [order] in
      try await store.rested()
      order.append("rest")
    }
    while !store.core.workCount.isAwaited { await Task.yield() }
    left.yield()
    try await rest.value
    #expect(order.values == ["end", "rest"])
  }

  /// However works hand each other their turns: when the store rests, none is between two sleeps.
  @Test(arguments: [1, 2, 3]) func `rest is never told while a work moves`(width: Int) async throws
  {
    let moving = Moving()
    let clock = SleepingClock()
    let store = try makeStore {
      Effect(on: CountAction.self, .limited(width)) { action, context in
        guard case .add(let depth) = action else { return }
        moving.enter()
        await Task.yield()
        moving.leave()
        await clock.sleep { moving.enter() }
        if depth > 0 {
          context.dispatch(CountAction.add(depth - 1))
          if depth.isMultiple(of: 3) { context.dispatch(NoteAction.append(1)) }
        }
        await Task.yield()
        moving.leave()
      }
      Effect(on: NoteAction.self) { _, _ in
        moving.enter()
        await Task.yield()
        moving.leave()
      }
    }
    for depth in [20, 7, 13] { store.dispatch(CountAction.add(depth)) }
    while true {
      try await store.rested()
      #expect(moving.count == 0)
      if store.workUnderWay.isEmpty { break }
      #expect(store.workUnderWay.allSatisfy { $0.activity != .running })
      clock.wakeAll()
    }
  }

  private final class Moving: Sendable {
    private let number = Locked(0)
    var count: Int { number.withLock { $0 } }
    func enter() { number.withLock { $0 += 1 } }
    func leave() { number.withLock { $0 -= 1 } }
  }

  private final class SleepingClock: Sendable {
    private typealias Sleeper = @Sendable () -> Void
    private let sleepers = Locked<[Sleeper]>([])

    func sleep(onWake: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        // The waker may come first: it then ends the sleep that it finds.
        let sleep = Locked<WorkSleep?>(nil)
        let holder = Holder(sleep)
        sleepers.withLock { sleepers in
          sleepers.append {
            onWake()
            holder.end()
            continuation.resume()
          }
        }
        holder.begin()
      }
    }

    func wakeAll() {
      let woken = sleepers.withLock { sleepers in
        defer { sleepers = [] }
        return sleepers
      }
      for wake in woken { wake() }
    }

    private final class Holder: Sendable {
      private let sleep: Locked<WorkSleep?>
      init(_ sleep: consuming Locked<WorkSleep?>) { self.sleep = sleep }
      func begin() {
        let new = WorkSleep()
        sleep.withLock { $0 = new }
        new.begin()
      }
      func end() { sleep.withLock { $0 }?.end() }
    }
  }
}
