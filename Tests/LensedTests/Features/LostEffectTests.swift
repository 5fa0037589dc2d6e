import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A store that is released with saves pending names each of them", .timeLimit(.minutes(30)))
struct LostEffectTests {
  fileprivate struct Note: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }
  fileprivate struct App: Sendable, Equatable {
    var note = Note(id: 1)
    var sheet: Note? = Note(id: 2)
    var page = Page.note(Note(id: 3))
    var rows: Entities<Note> = [Note(id: 7), Note(id: 8)]
    var list = [Note(id: 7), Note(id: 8)]
    var byKey = ["a": Note(id: 4)]
    var books = [Book(id: 5)]
    enum Page: Sendable, Equatable { case none, note(Note) }
    struct Book: Sendable, Equatable, Identifiable {
      let id: Int
      var sheet: Note? = Note(id: 6)
    }
  }
  fileprivate struct Write: Action { var text = "x" }
  fileprivate enum Left {}

  fileprivate static let noteCase = Prism<App.Page, Note>(App.Page.note) {
    if case .note(let note) = $0 { note } else { nil }
  }

  /// Each way to hold a note, with an action for it, and what the warning calls the effect.
  enum Place: CaseIterable {
    case lens, lensTagged, optional, matching, entities, array, offset, keyed, nested

    fileprivate var action: any Action {
      switch self {
      case .lens, .optional, .matching: Write()
      case .lensTagged: Write().tagged(Left.self)
      case .entities, .array: ElementAction(id: 7, action: Write())
      case .offset: ElementAction(id: 1, action: Write())
      case .keyed: ElementAction(id: "a", action: Write())
      case .nested: ElementAction(id: 5, action: Write())
      }
    }

    fileprivate var name: String {
      switch self {
      case .lens, .lensTagged: "Save of `note`"
      case .optional: "Save of `sheet`"
      case .matching: "Save of `page`"
      case .entities: "Save of `rows[7]`"
      case .array: "Save of `list[7]`"
      case .offset: "Save of `list[1]`"
      case .keyed: "Save of `byKey[a]`"
      case .nested: "Save of `books[5].sheet`"
      }
    }

    fileprivate func lift(_ feature: Feature<Note>) -> Feature<App> {
      switch self {
      case .lens: feature.lifted(\.note)
      case .lensTagged: feature.tagged(Left.self).lifted(\.note)
      case .optional: feature.optional().lifted(\.sheet)
      case .matching: feature.matching(LostEffectTests.noteCase).lifted(\.page)
      case .entities: feature.identified().lifted(\.rows)
      case .array: feature.identified().lifted(\.list)
      case .offset: feature.offset().lifted(\.list)
      case .keyed: feature.keyed().lifted(\.byKey)
      case .nested: feature.optional().lifted(\App.Book.sheet).identified().lifted(\.books)
      }
    }
  }

  /// What begins a save.
  enum Kind: CaseIterable { case action, perKey, changedValue, changedFunction, trailing }

  private func save(_ kind: Kind, _ clock: ManualClock, _ begun: Recorder<Int>) -> Effect<Note> {
    let lull = Duration.seconds(1)
    return switch kind {
    case .action:
      Effect<Note>(on: Write.self) { _, _ in begun.append(1) }.debounced(for: lull, clock: clock)
    case .perKey:
      Effect<Note>(on: Write.self, .latest, per: \.text) { _, _ in begun.append(1) }
        .debounced(for: lull, clock: clock)
    case .changedValue:
      Effect<Note>(whenChanged: \.text) { _, _ in begun.append(1) }
        .debounced(for: lull, clock: clock)
    case .changedFunction:
      Effect<Note>(whenChanged: { $0.text.count }) { _, _ in begun.append(1) }
        .debounced(for: lull, clock: clock)
    case .trailing:
      Effect<Note>(on: Write.self) { _, _ in begun.append(1) }
        .throttled(for: lull, latest: true, clock: clock)
    }
  }

  @Test(arguments: Place.allCases, Kind.allCases)
  func `wherever the effect is, and whatever set it off`(_ place: Place, _ kind: Kind) async throws
  {
    let (clock, begun, warnings) = (ManualClock(), Recorder<Int>(), Recorder<StoreWarning>())
    let note = Feature<Note> {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, write: Write) in text += write.text }
      save(kind, clock, begun).named("Save")
    }
    do {
      let store = try Store(
        initialState: App(), coverage: .partial, onWarning: { warnings.append($0) }
      ) { place.lift(note) }
      store.dispatch(place.action)
      if kind == .trailing {
        await begun.waitForCount(1)
        store.dispatch(place.action)
      }
      await clock.waitForSleepers()
    }
    #expect(begun.count == (kind == .trailing ? 1 : 0))
    #expect(warnings.values.map(\.kind) == [.lostEffect])
    #expect(warnings.last?.effect == place.name)
    let text = try #require(warnings.last?.description)
    #expect(text.contains("while the effect \(place.name) waited for a lull"))
  }

  @Test func `each row that waits, and none that does not`() async throws {
    let (clock, begun, warnings) = (ManualClock(), Recorder<Int>(), Recorder<StoreWarning>())
    do {
      let store = try Store(
        initialState: App(), coverage: .partial, onWarning: { warnings.append($0) }
      ) { save(.action, clock, begun).named("Save").identified().lifted(Lens(\App.rows)) }
      for id in [7, 8] { store.dispatch(ElementAction(id: id, action: Write())) }
      await clock.waitForSleepers(2)
      try await store.flush()
      #expect(begun.count == 2)
      store.dispatch(ElementAction(id: 8, action: Write()))
      await clock.waitForSleepers()
    }
    #expect(warnings.values.map(\.effect) == ["Save of `rows[8]`"])
  }

  /// It waits for its turn and not for a lull: what it would have done can be seen in the state.
  @Test func `the events of an asynchronous mutator are not among them`() async throws {
    let (gate, warnings) = (Gate(), Recorder<StoreWarning>())
    let note = Feature<Note> {
      AsyncMutator(\.text) { (text: String, write: Write) in
        AsyncResult {
          try await gate.wait()
          return write.text
        }
      }
    }
    do {
      let store = try Store(
        initialState: App(), coverage: .partial, onWarning: { warnings.append($0) }
      ) { note.identified().lifted(\.rows) }
      for _ in 0..<2 { store.dispatch(ElementAction(id: 7, action: Write())) }
      await gate.waitForWaiters()
    }
    #expect(warnings.count == 0)
  }
}
