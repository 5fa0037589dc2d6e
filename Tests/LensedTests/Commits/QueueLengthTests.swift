import Lensed
import LensedTestSupport
import Testing

/// What the lock of a store guards is changed in place.
///
/// In builds without the optimiser, too: those copy a structure that is read while it is about to be
/// changed. A copy shows in the bytes of a commit, by the length of what was copied.
@Suite("A commit costs the same beside long queues", .enabled(if: countsAllocations))
struct QueueLengthTests {
  /// The structures that may be long.
  enum Structure: String, CaseIterable, Codable {
    case deliveries, changesToRead, serialJobs, runs, events, sequences, waits, observers,
      effects, steps, groupedCommits, recordedSteps, derivedValues, observedRows

    /// The bytes that the calling thread allocates in one more commit beside `length` of them.
    func bytes(beside length: Int) async throws -> UInt64 {
      switch self {
      case .deliveries: try besideDeliveries(length)
      case .changesToRead: try besideChangesToRead(length)
      case .serialJobs: try besideJobs(length, .serial)
      case .runs: try besideJobs(length, .concurrent)
      case .events: try besideEvents(length)
      case .sequences: try besideSequences(length)
      case .waits: try await besideWaits(length)
      case .observers: try besideObservers(length)
      case .effects: try besideEffects(length)
      case .steps: try besideMiddleware(History<Desk>(limit: 100_000), length)
      case .groupedCommits:
        try besideMiddleware(History(\Desk.count, grouping: { _, _ in true }), length)
      case .recordedSteps: try besideMiddleware(SessionRecorder<Desk>(), length)
      case .derivedValues: try besideDerivedValues(length)
      case .observedRows: try besideObservedRows(length)
      }
    }
  }

  @Test(arguments: Structure.allCases)
  func `in bytes, with 10,000 as with 10`(_ structure: Structure) async {
    await #expect(processExitsWith: .success) { [structure] in
      let few = try await structure.bytes(beside: 10)
      let many = try await structure.bytes(beside: 10_000)
      try #require(many <= 2 * few + 1_024, "\(structure): \(many) bytes, beside few \(few)")
    }
  }
}

// MARK: Each of them

private func besideDeliveries(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let (added, taken) = (Recorder<UInt64>(), Recorder<UInt64>())
  let subscription = store.states(\.count, repeats: .kept).subscribe { [weak store] count in
    taken.append(bytesOfThisThread)
    guard count == 1, let store else { return }
    for _ in 0..<length { store.dispatch(CountAction.add(1)) }
    added.append(bytesOfOne { store.dispatch(CountAction.add(1)) })
  }
  store.dispatch(CountAction.add(1))
  subscription.cancel()
  let (before, after) = (taken.values.dropLast().dropFirst(2), taken.values.dropFirst(3))
  return max(added.values[0], zip(before, after).map { $1 - $0 }.sorted()[length / 2])
}

private func besideChangesToRead(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let changes = store.changes().makeAsyncIterator()
  for _ in 0..<length { store.dispatch(CountAction.add(1)) }
  defer { withExtendedLifetime(changes) {} }
  return bytesOfOne { store.dispatch(CountAction.add(1)) }
}

/// Those of a serial effect wait for their turn; the others run.
private func besideJobs(_ length: Int, _ policy: EffectPolicy) throws -> UInt64 {
  let gate = Gate()
  let store = try Store(initialState: Desk(), clock: ManualClock()) {
    Desk.countMutator
    Desk.titleMutator
    Desk.notesMutator
    Effect(on: CountAction.self, policy) { _, _ in try await gate.wait() }
  }
  for _ in 0..<length { store.dispatch(CountAction.add(1)) }
  return bytesOfOne { store.dispatch(CountAction.add(1)) }
}

private func besideEvents(_ length: Int) throws -> UInt64 {
  let gate = Gate()
  let store = try Store(initialState: Desk(), coverage: .partial) {
    AsyncMutator(\.title) { (title: String, _: TitleAction) in
      AsyncResult {
        try await gate.wait()
        return title
      }
    }
  }
  for _ in 0..<length { store.dispatch(TitleAction.rename("T")) }
  return bytesOfOne { store.dispatch(TitleAction.rename("T")) }
}

private func besideSequences(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let endless = AsyncStream<CountAction> { _ in }
  for _ in 0..<length { store.dispatch(endless) }
  return bytesOfOne { store.dispatch([CountAction.add(1)]) }
}

private func besideWaits(_ length: Int) async throws -> UInt64 {
  let store = try Desk.makeStore()
  store.dispatch(AsyncStream<NoteAction> { _ in })
  let begun = Counter()
  let tasks = (0..<length).map { _ in
    Task {
      begun.increment()
      try await store.settled()
    }
  }
  while begun.value < length { await Task.yield() }
  defer { for task in tasks { task.cancel() } }
  return bytesOfOne { store.dispatch(CountAction.add(1)) }
}

private func besideObservers(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let others = (0..<length).map { _ in store.states(\.title).subscribe { _ in } }
  let counts = store.states(\.count).subscribe { _ in }
  defer { for one in others + [counts] { one.cancel() } }
  return bytesOfOne { store.dispatch([CountAction.add(1)]) }
}

private func besideEffects(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let others = (0..<length / 10).map { number in
    number.isMultiple(of: 2)
      ? store.install(Effect(on: TitleAction.self) { _, _ in })
      : store.install(Effect(whenChanged: \Desk.title) { _, _ in })
  }
  defer { for one in others { one.cancel() } }
  return bytesOfOne { store.dispatch([CountAction.add(1)]) }
}

private func besideMiddleware(_ one: any Middleware<Desk>, _ length: Int) throws -> UInt64 {
  let store = try Store(initialState: Desk(), coverage: .partial, middleware: [one]) {
    Desk.countMutator
  }
  for _ in 0..<length { store.dispatch(CountAction.add(1)) }
  return bytesOfOne { store.dispatch(CountAction.add(1)) }
}

private func besideDerivedValues(_ length: Int) throws -> UInt64 {
  let store = try Desk.makeStore()
  let sums = DerivedFamily<Desk, Int, Int>(limit: 20_000) { key in
    Derived(\Desk.count) { $0 + key }
  }
  for key in 0..<length { #expect(store[sums[key]] == key) }
  return bytesOfOne { store.dispatch([CountAction.add(1)]) }
}

private struct Table: Sendable { var items: Entities<ListRow> }

private func makeTable(_ length: Int, of work: RowWork) throws -> Store<Table> {
  let rows = Entities((0..<length).map { ListRow(id: $0) }, uniquingIDsWith: { first, _ in first })
  let feature: Feature<Entities<ListRow>> = work.feature().identified()
  return try Store(initialState: Table(items: rows), coverage: .partial) { feature.lifted(\.items) }
}

private func besideObservedRows(_ length: Int) throws -> UInt64 {
  let store = try makeTable(length, of: RowWork())
  let all = (0..<length).map { store.states(\.items, id: $0).subscribe { _ in } }
  defer { for one in all { one.cancel() } }
  return bytesOfOne { store.dispatch(RowAction.rename("x").row(7)) }
}
