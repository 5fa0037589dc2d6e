import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("An effect whose child has gone", .timeLimit(.minutes(30)))
struct GoneChildTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }

  private enum Sheet: Sendable {
    case open(Row)
    case closed
  }

  private struct App: Sendable {
    var rows: Entities<Row> = [Row(id: 1)]
    var sheet = Sheet.open(Row(id: 1))
    var ticks = 0
  }

  private struct Load: Action {}
  private struct Ended: Action {}
  private struct Write: Action { let text: String }
  private struct Remove: Action {}
  private struct Close: Action {}
  private struct Tick: Action {}

  /// What `ended` dispatches for a child that has gone.
  enum Answer: CaseIterable, Sendable {
    case one, array, listOfOne, behindSequence, inListBehindSequence
  }

  @Test(arguments: Answer.allCases)
  func `tells of its end in a list with a sequence, too, without a warning`(answer: Answer)
    async throws
  {
    let (warnings, begun, gate) = (Recorder<StoreWarning>(), Recorder<Int>(), Gate())
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, _: Ended) in text = "ended" }
      Effect(on: Load.self) { _, _ in
        begun.append(0)
        try await gate.wait()
      }
      .ended { _, _ -> (any Action)? in
        let none = AsyncActions(AsyncStream<Tick> { $0.finish() })
        return switch answer {
        case .one: Ended()
        case .array: [Ended()]
        case .listOfOne: ActionList([Ended()])
        case .behindSequence: ActionList([none, Ended()])
        case .inListBehindSequence: ActionList([Ended(), none, ActionList([Ended(), Ended()])])
        }
      }
    }
    let store = try StoreBlueprint<App>(coverage: .partial) {
      Mutator(\App.rows) { (rows: inout Entities<Row>, _: Remove) in rows[id: 1] = nil }
      row.identified().lifted(\.rows)
    }
    .makeStore(initialState: App(), onWarning: { warnings.append($0) })
    store.dispatch(Load().element(1))
    _ = await begun.waitForCount(1)
    store.dispatch(Remove())
    gate.open()
    try await store.settled()
    #expect(warnings.values.map(\.description) == [])
    // From outside, it is one.
    store.dispatch(Ended().element(1))
    #expect(warnings.values.map(\.kind) == [.missingElement])
  }

  /// How often the sheet is looked for, from a write that is decided after the sheet was closed until that is delivered.
  private func looks(_ effect: Effect<Row>) throws -> Int {
    let looks = Counter()
    let open = Prism<Sheet, Row>(
      embed: { .open($0) },
      extract: {
        looks.increment()
        return if case .open(let row) = $0 { row } else { nil }
      })
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, write: Write) in text = write.text }
      effect
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.ticks) { (ticks: inout Int, _: Tick) in ticks += 1 }
      Mutator(\App.sheet) { (sheet: inout Sheet, _: Close) in sheet = .closed }
      row.matching(open).lifted(\.sheet)
    }
    let subscription = store.states(\.ticks).subscribe { [weak store] ticks in
      if ticks == 0 { return }
      store?.dispatch(Write(text: "a"))
      store?.dispatch(Close())
    }
    let before = looks.value
    store.dispatch(Tick())
    subscription.cancel()
    return looks.value - before
  }

  @Test func `it is looked for as it was where its end is told, and only there`() throws {
    let effect = Effect<Row>(whenChanged: \.text) { _, _ in }
    let ends = Recorder<String>()
    let telling = effect.ended { end, _ in
      ends.append("\(end)")
      return nil
    }
    #expect(try looks(telling) == looks(effect) + 1)
    #expect(ends.values == ["gone"])
  }
}
