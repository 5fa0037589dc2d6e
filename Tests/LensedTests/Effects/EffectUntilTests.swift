import Lensed
import LensedTestSupport
import Testing

@Suite("until is asked about every state from its call on", .timeLimit(.minutes(30)))
struct EffectUntilTests {
  private struct Begin: Action {}
  private struct Bump: Action {}
  private struct Cell: Sendable, Identifiable {
    let id: Int
    var number = 0
  }
  private struct App: Sendable {
    var cell = Cell(id: 1)
    var cells = [Cell(id: 7), Cell(id: 8)]
  }

  /// Where the feature is that waits.
  enum Place: CaseIterable, Sendable { case root, part, row }

  /// A store with a cell somewhere in it, and an effect of that cell.
  private struct Subject: Sendable {
    let begin: @Sendable () -> DispatchTask
    let bump: @Sendable () -> Void

    init(_ place: Place, _ effect: Effect<Cell>) throws {
      let feature = Feature<Cell> {
        Constant(\.id)
        Mutator(\Cell.number) { (number: inout Int, _: Bump) in number += 1 }
        effect
      }
      switch place {
      case .root:
        let store = try Store(initialState: Cell(id: 0)) { feature }
        begin = { store.dispatch(Begin()) }
        bump = { store.dispatch(Bump()) }
      case .part:
        let store = try Store(initialState: App()) {
          feature.lifted(\.cell)
          Constant(\.cells)
        }
        begin = { store.dispatch(Begin()) }
        bump = { store.dispatch(Bump()) }
      case .row:
        let store = try Store(initialState: App()) {
          feature.identified().lifted(\.cells)
          Constant(\.cell)
        }
        begin = { store.dispatch(ElementAction(id: 7, action: Begin())) }
        bump = { store.dispatch(ElementAction(id: 7, action: Bump())) }
      }
    }
  }

  @Test(arguments: Place.allCases, [nil, Duration.seconds(5)])
  func `also about those of commits that are made while it is asked for the first time`(
    place: Place, limit: Duration?
  ) async throws {
    for count in 0...4 {
      let (asked, found) = (Recorder<Int>(), Recorder<Int>())
      let subject = try Subject(
        place,
        Effect(on: Begin.self) { _, context in
          let cell = try await context.until(within: limit, clock: ManualClock()) { cell in
            asked.append(cell.number)
            if asked.count == 1 { for _ in 0..<count { context.dispatch(Bump()) } }
            return cell.number == count
          }
          found.append(cell.number)
        })
      try await subject.begin().finish(throwing: .effects)
      #expect(asked.values == Array(0...count))
      #expect(found.values == [count])
    }
  }

  @Test(arguments: Place.allCases)
  func `whatever other threads dispatch meanwhile, and none is left out`(place: Place) async throws
  {
    let bumps = 100
    for _ in 0..<10 {
      let runs = Recorder<[Int]>()
      let subject = try Subject(
        place,
        Effect(on: Begin.self) { _, context in
          let asked = Recorder<Int>()
          // What holds already is found without a wait, also while another thread delivers.
          try await context.until(within: .zero) { _ in true }
          try await context.until { cell in
            asked.append(cell.number)
            return cell.number == 2 * bumps
          }
          runs.append(asked.values)
        })
      let tasks = await Threads.apart {
        let tasks = Recorder<DispatchTask>()
        Threads.run(3) { thread in
          for _ in 0..<(thread == 0 ? 10 : bumps) {
            if thread == 0 { tasks.append(subject.begin()) } else { subject.bump() }
          }
        }
        return tasks.values
      }
      for task in tasks { try await task.finish(throwing: .effects) }
      #expect(runs.count == 10)
      for asked in runs.values {
        #expect(asked.last == 2 * bumps)
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 == $0 || $1 == $0 + 1 })
      }
    }
  }

  private struct Show: Action { let cell: Cell? }
  private struct Screen: Sendable { var cell: Cell? = Cell(id: 1) }

  @Test func `a run that has ended is given no state: neither of another child, nor of its own`()
    async throws
  {
    let (asked, heard) = (Recorder<Int>(), Recorder<String>())
    let store = try Store(initialState: Screen()) {
      Mutator(\.cell) { (cell: inout Cell?, show: Show) in cell = show.cell }
      Feature<Cell> {
        Constant(\.id)
        Constant(\.number)
        Effect(on: Begin.self) { _, context in
          do {
            let cell = try await context.until { cell in
              asked.append(cell.id)
              return cell.number == 5
            }
            heard.append("found \(cell.id)")
          } catch {
            heard.append("\(type(of: error))")
          }
        }
      }
      .optional().lifted(\.cell)
    }
    let successors = [[Cell(id: 2, number: 5)], [nil, Cell(id: 1, number: 5)]]
    for (count, shown) in successors.enumerated() {
      store.dispatch(Show(cell: Cell(id: 1)))
      let task = store.dispatch(Begin())
      await asked.waitForCount(count + 1)
      for cell in shown { store.dispatch(Show(cell: cell)) }
      try await task.finish()
    }
    #expect(asked.values == [1, 1])
    #expect(heard.values == ["CancellationError", "CancellationError"])
  }
}
