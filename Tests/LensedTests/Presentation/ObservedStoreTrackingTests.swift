import Lensed
import LensedTestSupport
import LensedTesting
import Observation
import Testing

@Suite("ObservedStore: tracking by property", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreTrackingTests {
  private let observed: ObservedStore<Desk>

  init() throws { observed = ObservedStore(try Desk.makeStore()) }

  @Test func `a reader of one property is told of it, and of no other`() {
    let (counts, titles) = (
      Onlooker { [observed] in _ = observed.count }, Onlooker { [observed] in _ = observed.title }
    )
    observed.dispatch(TitleAction.rename("a"))
    #expect(counts.count == 0)
    #expect(titles.count == 1)
    observed.dispatch(CountAction.add(1))
    #expect(counts.count == 1)
    #expect(titles.count == 1)
    #expect(observed.count == 1)
    #expect(observed.title == "a")
  }

  @Test func `a reader of two is told of either`() {
    let both = Onlooker { [observed] in _ = (observed.count, observed.title) }
    observed.dispatch(TitleAction.rename("a"))
    #expect(both.count == 1)
    both.look()
    observed.dispatch(CountAction.add(1))
    #expect(both.count == 2)
    both.look()
    observed.dispatch(NoteAction.append(1))
    #expect(both.count == 2)
  }

  @Test func `an equal write is no change`() {
    let counts = Onlooker { [observed] in _ = observed.count }
    observed.dispatch(CountAction.keep)
    observed.dispatch(CountAction.add(0))
    observed.dispatch([CountAction.add(1), .add(-1)])
    #expect(counts.count == 0)
    observed.dispatch(CountAction.add(1))
    #expect(counts.count == 1)
  }

  private struct Page: Sendable {
    struct Row: Sendable, Equatable, Identifiable {
      let id: Int
      var number = 0
    }

    var count = 1
    var rows: Entities<Row> = [Row(id: 7)]
    var double: Int { 2 * count }
  }

  private struct WriteBack: Action {}

  /// Reads of some values in each form, and whether their readers are notified of equal values.
  ///
  /// A generic function does not know that a value is `Equatable`.
  private static func forms(
    of page: ObservedStore<Page>
  ) -> [(isNotified: Bool, read: @MainActor () -> Void)] {
    func read<Value: Sendable>(_ keyPath: any KeyPath<Page, Value> & Sendable) {
      _ = page[keyPath]
    }
    func readMember<Value: Sendable>(_ keyPath: any KeyPath<Page, Value> & Sendable) {
      _ = page[dynamicMember: keyPath]
    }
    func readRow<Rows: RowCollection & SendableMetatype>(
      _ keyPath: any KeyPath<Page, Rows> & Sendable, id: Rows.RowID
    ) where Rows.RowID: Sendable, Rows.Row: Sendable {
      _ = page[keyPath, id: id]
    }
    return [
      (false, { _ = page.count }), (false, { _ = page[\.count] }), (true, { read(\.count) }),
      (true, { readMember(\.count) }),
      (false, { _ = page.double }), (true, { _ = page[\.double] }), (true, { read(\.double) }),
      (false, { _ = page[\.rows, id: 7] }), (true, { readRow(\.rows, id: 7) }),
    ]
  }

  @Test(arguments: [false, true])
  func `a value is compared as its reader reads it, whoever else has read it before`(
    isReversed: Bool
  ) throws {
    let page = ObservedStore(
      try Store(initialState: Page()) {
        Mutator(\.count) { (count: inout Int, _: WriteBack) in count *= 1 }
        Mutator(\.rows) { (rows: inout Entities<Page.Row>, _: WriteBack) in
          rows[id: 7]?.number = 0
        }
      })
    let forms = Self.forms(of: page)
    let lookers = (isReversed ? forms.reversed() : forms).map { form in
      (form.isNotified, looker: Onlooker(form.read))
    }
    page.dispatch(WriteBack())
    for (isNotified, looker) in lookers { #expect((looker.count == 1) == isNotified) }
  }

  @Test func `one commit that touches two properties tells before anything of it is shown`() {
    observed.dispatch([CountAction.add(1), TitleAction.rename("a")])
    let seen = Recorder<String>()
    withObservationTracking {
      _ = observed.count
    } onChange: { [observed] in
      MainActor.assumeIsolated { seen.append("\(observed.count) \(observed.title)") }
    }
    withObservationTracking {
      _ = observed.title
    } onChange: { [observed] in
      MainActor.assumeIsolated { seen.append("\(observed.count) \(observed.title)") }
    }
    observed.dispatch(ClearAction())
    #expect(seen.values == ["1 a", "1 a"])
    #expect(observed.count == 0)
    #expect(observed.title == "")
  }

  @Test(arguments: UInt64(0)..<40)
  func `whoever is told may read anything at once, also what nobody has read for long`(seed: UInt64)
    throws
  {
    let store = try Desk.makeStore(Desk(notes: [1]))
    let observed = ObservedStore(store)
    let sum = Derived(\Desk.notes) { $0.reduce(0, +) }
    let reads: [@MainActor () -> String] = [
      { "\(observed.count)" }, { observed.title }, { observed.summary },
      { "\(observed[\.notes[0]])" }, { "\(observed[\.notes.count])" }, { "\(observed[sum])" },
    ]
    var numbers = SeededGenerator(seed: seed)
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
    for round in 0..<60 {
      let actions: [any Action] = [
        CountAction.add(round), TitleAction.rename("\(round)"), NoteAction.write(at: 0, round),
        NoteAction.append(round), ClearAction(),
      ]
      switch number(4) {
      case 0: observed.dispatch(actions[number(5)])
      case 1: store.dispatch(actions[number(5)])
      case 2: _ = reads[number(reads.count)]()
      default:
        let (tracked, told) = (reads[number(reads.count)], reads[number(reads.count)])
        withObservationTracking {
          _ = tracked()
        } onChange: {
          MainActor.assumeIsolated { _ = told() }
        }
      }
    }
    // Shows what the store has dispatched by itself.
    observed.dispatch(CountAction.keep)
    let desk = store.state
    let shown = reads.map { $0() }
    #expect(
      shown == [
        "\(desk.count)", desk.title, desk.summary, "\(desk.notes[0])", "\(desk.notes.count)",
        "\(desk.notes.reduce(0, +))",
      ], "seed \(seed)")
  }

  @Test func `whoever is told may dispatch, and that is shown when it returns`() {
    let seen = Recorder<String>()
    withObservationTracking {
      _ = observed.count
    } onChange: { [observed] in
      MainActor.assumeIsolated {
        observed.dispatch([CountAction.add(10), TitleAction.rename("nested")])
        seen.append("\(observed.count) \(observed.title)")
      }
    }
    _ = observed.title
    observed.dispatch([CountAction.add(1), TitleAction.rename("outer")])
    #expect(seen.values == ["11 nested"])
    #expect(observed.count == 11)
    #expect(observed.title == "nested")
  }

  @Test func `a computed property is told when it differs`() {
    let summaries = Onlooker { [observed] in _ = observed.summary }
    observed.dispatch(NoteAction.append(1))
    #expect(summaries.count == 0)
    observed.dispatch(TitleAction.rename("a"))
    #expect(summaries.count == 1)
    #expect(observed.summary == "a: 0")
  }

  @Test func `a key path of several steps is told of its end alone`() throws {
    struct App: Sendable, Equatable { var desk = Desk() }
    let observed = ObservedStore(
      try Store(initialState: App(), coverage: .partial) {
        Desk.countMutator.lifted(Lens(\App.desk))
        Desk.titleMutator.lifted(Lens(\App.desk))
      })
    let (whole, end, dots) = (
      Onlooker { _ = observed.desk }, Onlooker { _ = observed[\.desk.count] },
      Onlooker { _ = observed.desk.count }
    )
    observed.dispatch(TitleAction.rename("a"))
    #expect(whole.count == 1)
    #expect(end.count == 0)
    #expect(dots.count == 1, "it read `desk`")
    observed.dispatch(CountAction.add(1))
    #expect(end.count == 1)
    #expect(observed[\.desk.count] == 1)
  }

  @Test(.warnsOnPurpose) func `all of the state is a property too`() {
    let all = Onlooker { [observed] in _ = observed.state }
    observed.dispatch(CountAction.keep)
    observed.dispatch(StrayAction())
    #expect(all.count == 0)
    observed.dispatch(NoteAction.append(1))
    #expect(all.count == 1)
    #expect(observed.state == Desk(notes: [1]))
  }

  @Test func `values that cannot be compared are news whenever their reducer ran`() throws {
    struct Opaque: Sendable { var number = 0 }
    struct App: Sendable {
      var opaque = Opaque()
      var count = 0
    }
    let observed = ObservedStore(
      try Store(initialState: App()) {
        Mutator(\.opaque) { (opaque: inout Opaque, action: NoteAction) in
          if case .append(let number) = action { opaque.number = number }
        }
        Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
      })
    let (opaques, alls) = (Onlooker { _ = observed.opaque }, Onlooker { _ = observed.state })
    observed.dispatch(CountAction.keep)
    #expect(opaques.count == 0)
    #expect(alls.count == 1)
    observed.dispatch(NoteAction.append(0))
    #expect(opaques.count == 1)
    #expect(observed.opaque.number == 0)
  }

  @Test func `a property is tracked however its key path came about`() {
    let literal = Onlooker { [observed] in _ = observed[\.notes.count] }
    let composed: any KeyPath<Desk, Int> & Sendable = \.notes.count
    let other = Onlooker { [observed] in _ = observed[composed] }
    observed.dispatch(NoteAction.append(1))
    #expect(literal.count == 1)
    #expect(other.count == 1)
  }

  @Test func `of many properties, those that differ are told`() throws {
    struct Cells: Sendable, Equatable {
      var cells = Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 0) })
    }
    let observed = ObservedStore(
      try Store(initialState: Cells()) {
        Mutator(\.cells) { (cells: inout [Int: Int], action: NoteAction) in
          if case .write(let index, let value) = action { cells[index] = value }
        }
      })
    let lookers = (0..<8).map { index in Onlooker { _ = observed[\.cells[index]] } }
    observed.dispatch([NoteAction.write(at: 2, 5), .write(at: 5, 5), .write(at: 7, 0)])
    #expect(lookers.map(\.count) == [0, 0, 1, 0, 0, 1, 0, 0])
    #expect((0..<8).map { observed[\.cells[$0]] } == [0, 0, 5, 0, 0, 5, 0, 0])
  }
}
