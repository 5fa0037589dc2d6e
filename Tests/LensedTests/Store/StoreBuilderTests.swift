import Lensed
import LensedTestSupport
import Testing

@Suite("Store: what stands between its braces")
struct StoreBuilderTests {
  private static func make(withTitle: Bool, coverage: Coverage = .complete) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: coverage) {
      Desk.countMutator
      if withTitle {
        Desk.titleMutator
      } else {
        Constant(\.title)
      }
      for mutator in [Desk.notesMutator] { mutator }
    }
  }

  @Test(.warnsOnPurpose) func `if and else, and a loop`() throws {
    let with = try Self.make(withTitle: true)
    let without = try Self.make(withTitle: false)
    for store in [with, without] {
      store.dispatch(TitleAction.rename("T"))
      store.dispatch(NoteAction.append(1))
    }
    #expect(with.state == Desk(title: "T", notes: [1]))
    #expect(without.state == Desk(notes: [1]))
  }

  @Test(.warnsOnPurpose, arguments: [true, false])
  func `if without else`(isOn: Bool) throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      if isOn { Desk.countMutator }
      let title = Desk.titleMutator
      title
    }
    store.dispatch([CountAction.add(1), TitleAction.rename("T")])
    #expect(store.state == Desk(count: isOn ? 1 : 0, title: "T"))
  }

  @Test func `optional parts and parts made elsewhere`() throws {
    let part = StorePart(Desk.notesMutator)
    let more: [StorePart<Desk>] = [StorePart(Desk.titleMutator)]
    let count: Mutator<Desk, Int>? = Desk.countMutator
    let store = try Store(initialState: Desk()) {
      if let count { count }
      more
      part
    }
    store.dispatch([CountAction.add(1), TitleAction.rename("T"), NoteAction.append(2)])
    #expect(store.state == Desk(count: 1, title: "T", notes: [2]))
  }

  @Test func `a mutator written in place`() throws {
    let store = try Store(initialState: Desk()) {
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Constant(\.title)
      Constant(Lens(\.notes))
    }
    store.dispatch(CountAction.add(2))
    #expect(store.count == 2)
  }

  @Test(.warnsOnPurpose) func `no part at all is a store of a partial state`() throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {}
    store.dispatch(CountAction.add(1))
    #expect(store.state == Desk())
  }
}
