import Lensed
import LensedTestSupport
import Testing

/// A page that a prism leads into.
private enum Page: Equatable, Sendable {
  case empty
  case loaded([Int])

  static let loaded = Prism<Page, [Int]>(
    embed: Page.loaded, extract: { if case .loaded(let items) = $0 { items } else { nil } })
}

/// An app with one action enum for everything.
private enum AppAction: Action {
  case notes(NoteAction)
  case count(CountAction)
  case nothing

  static let notes = Prism<AppAction, NoteAction>(
    embed: AppAction.notes, extract: { if case .notes(let action) = $0 { action } else { nil } })
  static let count = Prism<AppAction, CountAction>(
    embed: AppAction.count, extract: { if case .count(let action) = $0 { action } else { nil } })
}

private let notes = Reducer { (notes: inout [Int], action: NoteAction) in
  switch action {
  case .append(let note): notes.append(note)
  case .write(let index, let note): notes[index] = note
  }
}

@Suite("Reducer: lifted by a lens")
struct LensLiftTests {
  @Test func `it reduces the part, and nothing else`() {
    var desk = Desk(count: 1, title: "t", notes: [1])
    notes.lifted(Lens(\Desk.notes)).reduce(&desk, NoteAction.append(2))
    #expect(desk == Desk(count: 1, title: "t", notes: [1, 2]))
  }

  @Test(arguments: Valley.lenses)
  func `every way to build a lens lifts`(_ built: BuiltLens<Valley, [Int]>) {
    for seed: UInt64 in 0..<20 {
      var generator = SeededGenerator(seed: seed)
      var valley = Valley.random(using: &generator)
      let expected = built.lens.set(valley, built.lens.get(valley) + [7])
      notes.lifted(built.lens).reduce(&valley, NoteAction.append(7))
      #expect(valley == expected, "\(built), seed \(seed)")
    }
  }

  @Test func `lifting twice is lifting by the appended lens`() {
    for built in Terrain.lenses {
      var (left, right) = (Terrain(), Terrain())
      let inner = Lens(\Valley.stored)
      notes.lifted(inner).lifted(built.lens).reduce(&left, NoteAction.append(1))
      notes.lifted(built.lens.appending(inner)).reduce(&right, NoteAction.append(1))
      #expect(left == right, "\(built)")
      #expect(built.lens.get(left).stored == [1], "\(built)")
    }
  }

  @Test func `reducers of several parts combine into one of the whole`() {
    let count = Reducer { (count: inout Int, action: NoteAction) in count += 1 }
    let desk = Reducer.combine(notes.lifted(Lens(\Desk.notes)), count.lifted(Lens(\Desk.count)))
    var state = Desk()
    desk.reduce(&state, [NoteAction.append(1), .append(2)])
    #expect(state == Desk(count: 2, notes: [1, 2]))
  }
}

@Suite("Reducer: lifted by a prism")
struct PrismLiftTests {
  @Test func `it reduces the payload of its case`() {
    var page = Page.loaded([1])
    notes.matching(Page.loaded).reduce(&page, NoteAction.append(2))
    #expect(page == .loaded([1, 2]))
  }

  @Test func `another case is left untouched`() {
    var page = Page.empty
    notes.matching(Page.loaded).reduce(&page, NoteAction.append(2))
    #expect(page == .empty)
  }
}

@Suite("Reducer: lifted by an action prism")
struct ActionPrismLiftTests {
  @Test func `it answers the case that the prism finds`() {
    let wide = notes.lifted(action: AppAction.notes)
    var list: [Int] = []
    wide.reduce(&list, AppAction.notes(.append(1)))
    #expect(list == [1])
    wide.reduce(&list, AppAction.nothing)
    wide.reduce(&list, AppAction.count(.add(1)))
    #expect(list == [1])
  }

  @Test func `it no longer answers the narrow action`() {
    var list: [Int] = []
    notes.lifted(action: AppAction.notes).reduce(&list, NoteAction.append(1))
    #expect(list == [])
  }

  @Test func `what it answers to other types stays as it is`() {
    let both = notes.on(ClearAction.self) { notes, _ in notes = [] }
    let wide = both.lifted(action: AppAction.notes)
    var list = [1]
    wide.reduce(&list, AppAction.notes(.append(2)))
    #expect(list == [1, 2])
    wide.reduce(&list, ClearAction())
    #expect(list == [])
  }

  @Test func `a store of one action enum keeps its parts apart`() async throws {
    let count = Reducer { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
    let store = try Store(initialState: Desk()) {
      Mutator(\.notes, notes.lifted(action: AppAction.notes))
      Mutator(\.count, count.lifted(action: AppAction.count))
      Constant(\.title)
    }
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(AppAction.count(.add(3)))
    let change = try #require(await changes.next())
    #expect(change.state == Desk(count: 3))
    #expect(change.touches(\.count))
    #expect(!change.touches(\.notes), "a prism that does not match is no run")
    store.dispatch(AppAction.nothing)
    #expect(await changes.next()?.isHandled == false)
  }
}

@Suite("Reducer: lifted over an optional")
struct OptionalLiftTests {
  @Test func `it reduces what is there`() {
    var list: [Int]? = [1]
    notes.optional().reduce(&list, NoteAction.append(2))
    #expect(list == [1, 2])
  }

  @Test func `a nil is left untouched`() {
    var list: [Int]?
    notes.optional().reduce(&list, NoteAction.append(2))
    #expect(list == nil)
  }

  @Test func `optionals nest`() {
    var list: [Int]?? = .some(nil)
    notes.optional().optional().reduce(&list, NoteAction.append(2))
    #expect(list == .some(nil))
    list = [1]
    notes.optional().optional().reduce(&list, NoteAction.append(2))
    #expect(list == [1, 2])
  }

  @Test func `a reducer of every action runs on what is there too`() {
    let every = Reducer(everyAction: { (log: inout [String], action: any Action) in
      log.append("\(type(of: action))")
    })
    var log: [String]? = []
    every.optional().reduce(&log, ClearAction())
    #expect(log == ["ClearAction"])
    log = nil
    every.optional().reduce(&log, ClearAction())
    #expect(log == nil)
  }

  @Test func `a reducer of every action over elements knows no element, and does nothing alone`() {
    let every = Reducer(everyAction: { (log: inout [String], _: any Action) in log.append("?") })
    var (byKey, byOffset) = (["a": ["first"]], [["first"]])
    every.keyed().reduce(&byKey, ClearAction())
    every.offset().reduce(&byOffset, ClearAction().element(0))
    #expect(byKey == ["a": ["first"]] && byOffset == [["first"]])
  }
}
