import Lensed
import LensedTestSupport
import Testing

@Suite("The size of the state costs a dispatch nothing", .timeLimit(.minutes(30)))
struct GuaranteeSixInPlaceTests {
  private static let size = 10_000

  /// Where the elements of an array lie.
  private static func address(_ array: [Int]) -> UInt {
    unsafe array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }

  private func makeStore() throws -> Store<Desk> {
    try Desk.makeStore(Desk(notes: Array(repeating: 0, count: Self.size)))
  }

  /// Whether a few writes leave the notes where they are.
  private func staysInPlace(_ store: Store<Desk>, writes: Int = 5) -> Bool {
    let before = Self.address(store.notes)
    for write in 1...writes {
      let note = store.notes[7] + write
      store.dispatch(NoteAction.write(at: 7, note))
      // Each time: two buffers that take turns would be back at the first in the end.
      guard store.notes[7] == note, Self.address(store.notes) == before else { return false }
    }
    return true
  }

  @Test func `a write is in place`() throws {
    #expect(staysInPlace(try makeStore()))
  }

  @Test func `a write is in place with idle readers of the state`() async throws {
    let store = try makeStore()
    var (whole, part) = (
      store.states.makeAsyncIterator(), store.states(\.notes, repeats: .kept).makeAsyncIterator()
    )
    _ = await whole.next()
    _ = await part.next()
    #expect(staysInPlace(store))
    #expect(await whole.next()?.notes[7] == 15)
    #expect(await part.next()?[7] == 15)
    #expect(staysInPlace(store))
  }

  @Test func `a write is in place with readers that have read and wait`() async throws {
    let store = try makeStore()
    let reading = Recording(store.states.map { $0.notes[7] })
    await reading.heard.waitForCount(1)
    for round in 2...20 {
      #expect(staysInPlace(store, writes: 1))
      await reading.heard.waitForCount(round)
    }
  }

  @Test func `a write is in place after it was delivered to subscribers`() throws {
    let (store, heard) = (try makeStore(), Recorder<Int>())
    let subscriptions = [
      store.states.subscribe { heard.append($0.notes[7]) },
      store.states(\.notes, repeats: .kept).subscribe { heard.append($0[7]) },
      store.states(\.notes, repeats: .kept).map { $0[7] }.removeDuplicates()
        .subscribe { heard.append($0) },
    ]
    #expect(staysInPlace(store))
    #expect(heard.count == 3 * 6)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a write is in place after changes were read and let go`() async throws {
    let store = try makeStore()
    do {
      var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
      store.dispatch(NoteAction.write(at: 7, 1))
      _ = await changes.next()
    }
    #expect(staysInPlace(store))
  }

  @Test func `an array of actions is in place`() throws {
    let store = try makeStore()
    let before = Self.address(store.notes)
    store.dispatch((0..<100).map { NoteAction.write(at: $0, $0) })
    store.dispatch([NoteAction.write(at: 0, 9), CountAction.add(1)])
    #expect(Self.address(store.notes) == before)
    #expect(store.notes[99] == 99)
    #expect(store.notes[0] == 9)
  }

  @Test func `whoever holds a state makes the next commit copy, and keeps what it holds`() throws {
    let store = try makeStore()
    let held = store.state
    #expect(!staysInPlace(store, writes: 1))
    #expect(held.notes[7] == 0)
    #expect(store.notes[7] == 1)
    #expect(staysInPlace(store))
  }

  private struct Library: Sendable {
    enum Page: Sendable {
      case blank
      case full([Int])
    }

    var byKey: [String: [Int]]
    var list: [[Int]]
    var maybe: [Int]?
    var page: Page
  }

  @Test func `elements, optionals and payloads are edited in place`() throws {
    let big = Array(repeating: 0, count: Self.size)
    let write = Reducer { (notes: inout [Int], action: NoteAction) in
      if case .write(let index, let note) = action { notes[index] = note }
    }
    let full = Prism<Library.Page, [Int]>(
      embed: Library.Page.full,
      extract: { if case .full(let notes) = $0 { notes } else { nil } },
      modify: { page, edit in
        guard case .full(var notes) = page else { return }
        page = .blank
        edit(&notes)
        page = .full(notes)
      })
    let store = try Store(
      initialState: Library(
        byKey: ["a": big, "b": big], list: [big, big], maybe: big, page: .full(big))
    ) {
      Mutator(\.byKey, write.keyed())
      Mutator(\.list, write.offset())
      Mutator(\.maybe, write.optional())
      Mutator(\.page, write.matching(full))
    }
    func addresses() -> [UInt] {
      let library = store.state
      let page = if case .full(let notes) = library.page { notes } else { [Int]() }
      return [library.byKey["b"] ?? [], library.list[1], library.maybe ?? [], page]
        .map(Self.address)
    }
    // The first write parts what the literals shared.
    for round in 1...2 {
      store.dispatch(ElementAction(id: "b", action: NoteAction.write(at: 7, round)))
      store.dispatch(ElementAction(id: 1, action: NoteAction.write(at: 7, round)))
      store.dispatch(NoteAction.write(at: 7, round))
    }
    let before = addresses()
    store.dispatch(ElementAction(id: "b", action: NoteAction.write(at: 7, 3)))
    store.dispatch(ElementAction(id: 1, action: NoteAction.write(at: 7, 3)))
    store.dispatch(NoteAction.write(at: 7, 3))
    #expect(addresses() == before)
    #expect(store.byKey["b"]?[7] == 3)
    #expect(store.list[1][7] == 3)
    #expect(store.maybe?[7] == 3)
  }
}
