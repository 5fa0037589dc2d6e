import Lensed
import LensedTestSupport
import Testing

private let notes = Reducer { (notes: inout [Int], action: NoteAction) in
  switch action {
  case .append(let note): notes.append(note)
  case .write(let index, let note): notes[index] = note
  }
}

/// One list for each way of reaching one.
private struct Attic: Sendable, Equatable {
  var plain = Attic.many
  var keyed = ["a": Attic.many]
  var offset = [Attic.many, Attic.many]
  var identified = [Box(id: 7)]
  var optional: [Int]? = Attic.many
  var nested = ["a": [Attic.many]]

  static var many: [Int] { (0..<1000).map { $0 + 1 } }

  struct Box: Sendable, Equatable, Identifiable {
    let id: Int
    var things = Attic.many
  }
}

@Suite("Reducer: edits in place, alone")
struct ReducerPlaceTests {
  private let write = NoteAction.write(at: 0, -1)

  @Test func `keyed, offset and identified copy neither element nor collection`() {
    var attic = Attic()
    let before = attic.addresses
    let containers = (attic.offset.address, attic.identified.address)
    notes.lifted(Lens(\Attic.plain)).reduce(&attic, write)
    notes.keyed().lifted(Lens(\Attic.keyed)).reduce(&attic, ElementAction(id: "a", action: write))
    notes.offset().lifted(Lens(\Attic.offset)).reduce(&attic, ElementAction(id: 1, action: write))
    notes.lifted(Lens(\Attic.Box.things)).identified().lifted(Lens(\Attic.identified))
      .reduce(&attic, ElementAction(id: 7, action: write))
    notes.optional().lifted(Lens(\Attic.optional)).reduce(&attic, write)
    notes.offset().keyed().lifted(Lens(\Attic.nested))
      .reduce(&attic, ElementAction(id: "a", action: ElementAction(id: 0, action: write)))
    #expect(attic.firsts == Array(repeating: -1, count: 6))
    #expect(attic.addresses == before)
    #expect(attic.offset.address == containers.0)
    #expect(attic.identified.address == containers.1)
  }
}

@Suite("Reducer: edits in place, in a store")
struct StorePlaceTests {
  private let write = NoteAction.write(at: 0, -1)

  @Test func `a dispatch copies no collection, whatever lies between state and element`() throws {
    let store = try Store(initialState: Attic()) {
      Mutator(\.plain, notes)
      Mutator(\.keyed, notes.keyed())
      Mutator(\.offset, notes.tagged(Int.self).offset())
      Mutator(\.identified, notes.lifted(Lens(\Attic.Box.things)).identified().tagged(Int.self))
      Mutator(\.optional, notes.optional().tagged(String.self))
      Mutator(\.nested, notes.offset().keyed(by: String.self))
    }
    let before = store.state.addresses
    store.dispatch(write)
    store.dispatch(ElementAction(id: "a", action: write))
    store.dispatch(ElementAction(id: 1, action: write.tagged(Int.self)))
    store.dispatch(ElementAction(id: 7, action: write).tagged(Int.self))
    store.dispatch(write.tagged(String.self))
    store.dispatch(ElementAction(id: "a", action: ElementAction(id: 0, action: write)))
    #expect(store.state.firsts == Array(repeating: -1, count: 6))
    #expect(store.state.addresses == before)
  }

  @Test func `arrays, and lists of mixed types, copy nothing either`() throws {
    let store = try Store(initialState: Attic(), coverage: .partial) {
      Mutator(\.plain, notes)
      Mutator(\.keyed, notes.keyed())
    }
    let before = store.state.addresses
    store.dispatch([write, write])
    store.dispatch([ElementAction(id: "a", action: write), write])
    #expect(store.state.addresses == before)
    #expect(store.state.firsts.filter { $0 == -1 }.count == 2)
  }

  @Test func `a state that somebody holds is copied, and theirs stays as it was`() throws {
    let store = try Store(initialState: Attic(), coverage: .partial) { Mutator(\.plain, notes) }
    let snapshot = store.state
    store.dispatch(write)
    #expect(snapshot == Attic())
    #expect(store.plain[0] == -1)
    #expect(store.state.addresses[0] != snapshot.addresses[0])
    #expect(store.state.addresses[1...] == snapshot.addresses[1...], "only what it touches")
  }
}

extension Attic {
  /// Where the elements of each list lie.
  fileprivate var addresses: [UInt] {
    lists.map(\.address)
  }

  fileprivate var firsts: [Int?] { lists.map(\.first) }

  private var lists: [[Int]] {
    [
      plain, keyed["a"] ?? [], offset[1], identified[0].things, optional ?? [],
      nested["a"]?[0] ?? [],
    ]
  }
}
