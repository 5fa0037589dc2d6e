import Lensed
import LensedTestSupport
import Testing

@Suite("A retired effect begins nothing more, and what runs goes on", .timeLimit(.minutes(30)))
struct EffectRetirementTests {
  private struct Work: Action {
    var id = 0
    var isLate = false
  }
  private struct Done: Action {}
  private struct App: Sendable, Equatable {
    var done = 0
    var isOpen: Bool? = true
    var rows = [ListRow(id: 7), ListRow(id: 8)]
    static let done = Mutator(\App.done) { (done: inout Int, _: Done) in done += 1 }
    static let isOpen = Mutator(\App.isOpen) { (isOpen: inout Bool?, _: Stop) in isOpen = nil }
    static let rows = Mutator(\App.rows) { (rows: inout [ListRow], action: ListAction) in
      switch action {
      case .add(let row): rows.append(row)
      case .remove(let id): rows.removeAll { $0.id == id }
      case .clear: rows = []
      }
    }
  }

  private let gate = Gate()
  private let log = Recorder<String>()

  private func makeStore() throws -> Store<App> {
    try Store(initialState: App()) {
      App.done
      App.isOpen
      App.rows
    }
  }

  private func effect(_ policy: EffectPolicy = .concurrent) -> Effect<App> {
    Effect(on: Work.self, policy) { [gate, log] work, _ in
      log.append("begin \(work.id)")
      do { try await gate.wait() } catch { log.append("cancelled \(work.id)") }
      return Done()
    }
  }

  @Test(.warnsOnPurpose) func `what runs ends as it would have, and a later action begins nothing`()
    async throws
  {
    let store = try makeStore()
    let installed = store.install(effect())
    let task = store.dispatch(Work(id: 1))
    await log.waitForCount(1)
    installed.retire()
    try await store.dispatch(Work(id: 2)).finish()
    gate.open()
    try await task.finish()
    #expect(log.values == ["begin 1"])
    #expect(store.done == 1)
  }

  @Test func `what waits for its turn never begins, and whoever waits for it goes on`()
    async throws
  {
    let store = try makeStore()
    let installed = store.install(effect(.serial))
    let first = store.dispatch(Work(id: 1))
    let second = store.dispatch(Work(id: 2))
    await log.waitForCount(1)
    installed.retire()
    try await second.finish()
    gate.open()
    try await first.finish()
    #expect(log.values == ["begin 1"])
    #expect(store.done == 1)
  }

  @Test func `what waits out the pause between two runs never begins`() async throws {
    let (store, clock) = (try makeStore(), ManualClock())
    gate.open()
    let installed = store.install(
      effect(.serial.pausing(for: .seconds(1), clock: clock))
        .ended { [log] end, _ in
          log.append("\(end)")
          return nil
        })
    try await store.dispatch(Work(id: 1)).finish()
    let tasks = [store.dispatch(Work(id: 2)), store.dispatch(Work(id: 3))]
    await clock.waitForSleeps(1)
    installed.retire()
    #expect(log.values == ["begin 1", "finished", "cancelled", "cancelled"])
    for task in tasks { try await task.finish() }
    await clock.advance(by: .seconds(1))
    #expect(log.values.count == 4)
  }

  @Test func `what needs no pause, because it is over, ends as it would have`() async throws {
    let (store, clock) = (try makeStore(), ManualClock())
    let installed = store.install(effect(.serial.pausing(for: .seconds(1), clock: clock)))
    gate.open()
    try await store.dispatch(Work(id: 1)).finish()
    await clock.advance(by: .seconds(1))
    let task = store.dispatch(Work(id: 2))
    installed.retire()
    try await task.finish()
    #expect(log.values == ["begin 1", "begin 2"])
    #expect(store.done == 2)
  }

  @Test func `what waits for a lull never begins`() async throws {
    let (store, clock) = (try makeStore(), ManualClock())
    let installed = store.install(effect().debounced(for: .seconds(1), clock: clock))
    let task = store.dispatch(Work(id: 1))
    await clock.waitForSleepers(1)
    installed.retire()
    try await task.finish()
    await clock.advance(by: .seconds(1))
    try await store.flush()
    #expect(log.values == [])
  }

  @Test func `releasing it later cancels what still runs`() async throws {
    let store = try makeStore()
    var installed: StoreSubscription? = store.install(effect())
    let task = store.dispatch(Work(id: 1))
    await log.waitForCount(1)
    installed?.retire()
    installed?.retire()
    installed = nil
    try await task.finish()
    await log.waitForCount(2)
    #expect(log.values == ["begin 1", "cancelled 1"])
    #expect(store.done == 0)
    withExtendedLifetime(installed) {}
  }

  @Test func `what runs still ends with its tie, and by the actions that cancel it`() async throws {
    let store = try makeStore()
    let installed = [
      store.install(effect().tied(to: \.isOpen)), store.install(effect().cancelled(on: Stop.self)),
    ]
    let task = store.dispatch(Work(id: 1))
    await log.waitForCount(2)
    for one in installed { one.retire() }
    store.dispatch(Stop())
    try await task.finish()
    await log.waitForCount(4)
    #expect(log.values == ["begin 1", "begin 1", "cancelled 1", "cancelled 1"])
    for one in installed { one.cancel() }
  }

  @Test(.warnsOnPurpose) func `what runs in a child still ends with the child`() async throws {
    let (store, work) = (try makeStore(), RowWork())
    let installed = store.install(work.reload().identified().lifted(\App.rows))
    let tasks = [7, 8].map { store.dispatch(Reload().row($0)) }
    await work.log.waitForCount(2)
    installed.retire()
    store.dispatch(ListAction.remove(7))
    await work.log.waitForCount(3)
    #expect(work.log.values.last == "cancelled 7")
    try await store.dispatch(Reload().row(8)).finish()
    work.gate.open()
    for task in tasks { try await task.finish() }
    #expect(Set(work.log.values) == ["begin 7", "begin 8", "cancelled 7", "end 8"])
  }

  @Test(.warnsOnPurpose)
  func `its conditions are asked no more, and a dispatch no longer pays for it`() throws {
    let (store, asked) = (try makeStore(), Recorder<Int>())
    let installed = store.install(
      Effect(
        on: Work.self,
        when: { work, _ in
          asked.append(work.id)
          return false
        }
      ) { _, _ in })
    store.dispatch(Work(id: 1))
    installed.retire()
    store.dispatch(Work(id: 2))
    #expect(asked.values == [1])
  }

  @Test func `a retired service comes to no new child, and still leaves those it came to`()
    async throws
  {
    let (store, calls) = (try makeStore(), Recorder<String>())
    let service = Feature<ListRow>(
      "row", onInstall: { calls.append("come to \($0.id)") }, onRemove: { calls.append("leave") }
    ) { Effect(on: Reload.self) { _, _ in } }
    let installed = store.install(service.identified().lifted(\App.rows))
    installed.retire()
    store.dispatch(ListAction.add(ListRow(id: 9)))
    store.dispatch(ListAction.remove(9))
    store.dispatch(ListAction.remove(7))
    #expect(Set(calls.values) == ["come to 7", "come to 8", "leave"])
    #expect(calls.count == 3)
    installed.cancel()
  }

  @Test func `of an observer, retiring is cancelling`() throws {
    let (store, seen) = (try makeStore(), Recorder<Int>())
    let subscription = store.states(\.done).subscribe { seen.append($0) }
    subscription.retire()
    store.dispatch(Done())
    #expect(seen.values == [0])
  }

  @Test(.warnsOnPurpose, arguments: ["plain", "keyed", "serial", "debounced", "child"])
  func `once it has returned, no action begins anything, on real threads`(_ kind: String)
    async throws
  {
    for _ in 0..<30 {
      let (store, late) = (try makeStore(), Recorder<Int>())
      let run: @Sendable (Work) -> Void = { work in
        if work.isLate { late.append(work.id) }
      }
      let clock = ManualClock()
      let installed =
        switch kind {
        case "keyed": store.install(Effect(on: Work.self, per: \.id) { work, _ in run(work) })
        case "serial": store.install(Effect(on: Work.self, .serial) { work, _ in run(work) })
        case "debounced":
          store.install(
            Effect(on: Work.self) { work, _ in run(work) }
              .debounced(for: .zero, clock: clock))
        case "child":
          store.install(
            Effect<ListRow>(on: Work.self) { work, _ in run(work) }.identified().lifted(\App.rows))
        default: store.install(Effect(on: Work.self) { work, _ in run(work) })
        }
      let retired = Recorder<Bool>()
      await withTaskGroup { group in
        for thread in 0..<3 {
          group.addTask {
            for id in 0..<40 {
              let work = Work(id: id % 5, isLate: retired.count > 0)
              if kind == "child" {
                store.dispatch(work.row(7 + thread % 2))
              } else {
                store.dispatch(work)
              }
            }
          }
        }
        group.addTask {
          installed.retire()
          retired.append(true)
        }
      }
      try await store.settled()
      #expect(late.values == [])
      installed.cancel()
    }
  }
}
