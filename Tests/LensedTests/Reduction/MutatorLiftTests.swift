import Lensed
import LensedTestSupport
import Testing

/// An app in which a desk is a feature.
private struct Office: Sendable, Equatable {
  var front = Desk()
  var back = Desk()
}

private enum Front {}
private enum Back {}

/// One action enum for everything.
private enum OfficeAction: Action {
  case count(CountAction)
  case other

  static let count = Prism<OfficeAction, CountAction>(
    embed: OfficeAction.count, extract: { if case .count(let action) = $0 { action } else { nil } })
}

@Suite("Mutator: lifted into an app, and tagged")
struct MutatorLiftTests {
  @Test func `a feature's mutators become an app's`() throws {
    let store = try Store(initialState: Office()) {
      Desk.countMutator.lifted(Lens(\.front))
      Desk.titleMutator.lifted(Lens(\.front))
      Desk.notesMutator.lifted(Lens(\.front))
      Constant(\.back)
    }
    store.dispatch([CountAction.add(1), TitleAction.rename("a"), NoteAction.append(2)])
    #expect(store.state == Office(front: Desk(count: 1, title: "a", notes: [2])))
    store.dispatch(ClearAction())
    #expect(store.state == Office(front: Desk(notes: [2])))
  }

  @Test func `every way to build the outer lens lifts`() throws {
    let feature = Mutator(\Valley.stored) { (list: inout [Int], action: NoteAction) in
      if case .append(let note) = action { list.append(note) }
    }
    for built in Terrain.lenses {
      let store = Store(initialState: Terrain(), coverage: .partial)
      try store.register(feature.lifted(built.lens))
      store.dispatch([NoteAction.append(1), .append(2)])
      #expect(store[built.lens].stored == [1, 2], "\(built)")
    }
  }

  @Test func `a mutator that reads its whole state reads the feature's state`() throws {
    let summing = Mutator(
      lens: Lens(\Desk.count), reducer: { (desk: Desk, _: ClearAction) in desk.notes.reduce(0, +) })
    let every = Mutator(lens: Lens(\Desk.title), everyAction: { desk, _ in desk.title + "!" })
    for lens in [Lens(\Office.back), Self.byHand] {
      let store = try Store(
        initialState: Office(back: Desk(notes: [2, 3])), coverage: .partial
      ) {
        summing.lifted(lens)
        every.lifted(lens)
      }
      store.dispatch(ClearAction())
      #expect(store.state == Office(back: Desk(count: 5, title: "!", notes: [2, 3])))
    }
  }

  private static let byHand = Lens<Office, Desk>(
    name: "back", get: { $0.back }, set: { Office(front: $0.front, back: $1) })

  @Test(.warnsOnPurpose) func `two instances of one feature stay apart by their tags`() throws {
    let store = try Store(initialState: Office()) {
      for lens in [Lens(\Office.front)] {
        Desk.countMutator.lifted(lens).tagged(Front.self)
        Desk.titleMutator.tagged(Front.self).lifted(lens)
        Desk.notesMutator.lifted(lens).tagged(Front.self)
      }
      Desk.countMutator.lifted(Lens(\.back)).tagged(Back.self)
      Desk.titleMutator.lifted(Lens(\.back)).tagged(Back.self)
      Desk.notesMutator.lifted(Lens(\.back)).tagged(Back.self)
    }
    store.dispatch([
      CountAction.add(1).tagged(Front.self), CountAction.add(2).tagged(Back.self),
      CountAction.add(99),
    ])
    #expect(store.state == Office(front: Desk(count: 1), back: Desk(count: 2)))
    store.dispatch(TitleAction.rename("f").tagged(Front.self))
    store.dispatch(ClearAction().tagged(Back.self))
    #expect(store.state == Office(front: Desk(count: 1, title: "f")))
  }

  @Test func `a tagged mutator of every action sees its own instance's, without the tag`() throws {
    let log = Mutator(
      lens: Lens(\Desk.title), everyAction: { desk, action in desk.title + "\(type(of: action)) " })
    let store = try Store(initialState: Office(), coverage: .partial) {
      log.lifted(Lens(\.front)).tagged(Front.self)
      log.lifted(Lens(\.back)).tagged(Back.self)
    }
    store.dispatch([
      CountAction.add(1).tagged(Front.self), ClearAction().tagged(Back.self), ClearAction(),
    ])
    #expect(store.front.title == "CountAction ")
    #expect(store.back.title == "ClearAction ")
  }

  @Test(.warnsOnPurpose) func `lifted by an action prism it answers one case of the wide enum`()
    throws
  {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator.lifted(action: OfficeAction.count)
    }
    store.dispatch([OfficeAction.count(.add(3)), .other, .count(.add(4))])
    #expect(store.count == 7)
    store.dispatch(CountAction.add(100))
    #expect(store.count == 7, "the narrow action is answered no more")
    store.dispatch(ClearAction())
    #expect(store.count == 0, "what it answers to other types stays")
  }
}
