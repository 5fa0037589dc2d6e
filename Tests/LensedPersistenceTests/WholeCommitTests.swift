import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// Commits that write several kept parts at once, each in a way of its own.
@Suite(.timeLimit(.minutes(30))) struct `A commit is on the disk wholly or not at all` {
  /// Each of two structs is kept as two parts: half of a commit would show.
  private struct Office: Sendable, Equatable {
    struct Folder: Sendable, Equatable {
      var name = ""
      var cards: Entities<Card> = []
    }

    /// What can be undone.
    var desk = Folder()
    /// What an asynchronous reducer makes.
    var report = Folder()
    var number = 0
  }

  private enum Edit: Action {
    case rename(Int)
    case add(Int)
  }
  private struct Load: Action { var number: Int }
  private struct Count: Action { var number: Int }

  private func makeDisk(_ storage: some PersistenceStorage) throws -> Persistence<Office> {
    var options = PersistenceOptions(
      writing: .eachCommit, clock: ManualClock(), onFailure: { _ in })
    options.minimalSegments = 600
    @PersistenceBuilder<Office> func parts() -> [PersistedPart<Office>] {
      Kept(\.desk.name)
      KeptRows(\.desk.cards)
      Kept(\.report.name)
      KeptRows(\.report.cards)
      Kept(\.number)
    }
    return try Persistence(storage, parts(), .strictly, options)
  }

  private func makeStore(
    _ disk: Persistence<Office>, _ history: some Middleware<Office>
  ) throws -> Store<Office> {
    try Store(initialState: Office(), middleware: [disk, history]) {
      Mutator(\Office.desk) { (desk: inout Office.Folder, edit: Edit) in
        switch edit {
        case .rename(let number): desk.name = "desk \(number)"
        case .add(let number): desk.cards.append(Card(id: number, text: "card \(number)"))
        }
      }
      AsyncMutator(\Office.report) { (report: Office.Folder, load: Load) in
        AsyncResult {
          var cards = report.cards
          for id in 0..<3 { _ = cards.upsert(Card(id: id, text: "report \(load.number)")) }
          return Office.Folder(name: "report \(load.number)", cards: cards)
        }
        .whileLoading(Office.Folder(name: "loading", cards: [Card(id: 99, text: "loading")]))
      }
      Mutator(\Office.number) { (number: inout Int, count: Count) in number = count.number }
    }
  }

  @Test func `an array, an undo, a replacement and the outcome of an asynchronous reducer`()
    async throws
  {
    for program in 0..<UInt64(2 * VerificationLength.factor) {
      var generator = SeededGenerator(seed: program)
      let (faulty, history) = (FaultyStorage(), History(\Office.desk))
      let disk = try makeDisk(faulty)
      let store = try makeStore(disk, history)
      var (states, acknowledged) = ([store.state], [(operations: Int, commits: Int)]())
      for number in 1...16 {
        // Each of them in turn, in another order in each program.
        switch (number + Int(program)) % 4 {
        case 0:
          store.dispatch(
            [Edit.rename(number), Edit.add(number), Count(number: number)] as [any Action])
        case 1: #expect(history.undo() || history.redo() || states.count < 4)
        case 2:
          var next = store.state
          next.desk = Office.Folder(name: "put \(number)", cards: [Card(id: -number)])
          next.report = next.desk
          next.number = -number
          store.replaceState(next)
        default: try await store.dispatch(Load(number: number)).finish()
        }
        states.append(store.state)
        if Int.random(in: 0..<3, using: &generator) > 0 { continue }
        try await disk.sync()
        acknowledged.append((faulty.operations, states.count - 1))
      }
      try await disk.close()
      #expect(states.contains { $0.report.name.hasPrefix("report") })
      for operations in 0...faulty.operations {
        let safe = acknowledged.last { $0.operations <= operations }?.commits ?? 0
        for seed in 0..<UInt64(2 * VerificationLength.factor) {
          let files = faulty.afterPowerCut(operations, seed: seed)
          let found = Store(
            initialState: Office(), coverage: .partial,
            middleware: [try makeDisk(MemoryStorage(files))]
          ).state
          #expect(
            states[safe...].contains(found),
            "program \(program), cut after \(operations), seed \(seed)")
        }
      }
    }
  }
}
