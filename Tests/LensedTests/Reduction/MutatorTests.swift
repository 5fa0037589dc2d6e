import Lensed
import LensedTestSupport
import Testing

/// A mutator with the form it was written in.
private struct BuiltMutator: Sendable, CustomStringConvertible {
  let form: String
  let mutator: Mutator<Desk, Int>

  var description: String { form }

  func makeStore() throws -> Store<Desk> {
    try Store(initialState: Desk(title: "t")) {
      mutator
      Constant(\.title)
      Desk.notesMutator
    }
  }
}

private let counter = Reducer { (count: inout Int, action: CountAction) in
  if case .add(let amount) = action { count += amount }
}

@Suite("Mutator: every form")
struct MutatorTests {
  private static let forms: [BuiltMutator] = [
    BuiltMutator(
      form: "key path and closure",
      mutator: Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }),
    BuiltMutator(form: "key path and reducer", mutator: Mutator(\.count, counter)),
    BuiltMutator(
      form: "lens and closure in place",
      mutator: Mutator(
        lens: Lens(\.count),
        reducer: { (count: inout Int, action: CountAction) in
          if case .add(let amount) = action { count += amount }
        })),
    BuiltMutator(
      form: "lens and closure of the whole state",
      mutator: Mutator(
        lens: Lens(\.count),
        reducer: { (desk: Desk, action: CountAction) in
          if case .add(let amount) = action { desk.count + amount } else { desk.count }
        })),
    BuiltMutator(
      form: "lens and everyAction:",
      mutator: Mutator(
        lens: Lens(\.count),
        everyAction: { desk, action in
          if case .add(let amount)? = action as? CountAction {
            desk.count + amount
          } else {
            desk.count
          }
        })),
    BuiltMutator(
      form: "lens and function of every action",
      mutator: Mutator(
        lens: Lens(\.count),
        reducer: { (desk: Desk, action: any Action) in
          if case .add(let amount)? = action as? CountAction {
            desk.count + amount
          } else {
            desk.count
          }
        })),
    BuiltMutator(form: "lens and reducer", mutator: Mutator(lens: Lens(\.count), reducer: counter)),
    BuiltMutator(
      form: "functional lens and reducer",
      mutator: Mutator(
        lens: Lens(
          name: "count", get: { $0.count },
          set: { desk, count in Desk(count: count, title: desk.title, notes: desk.notes) }),
        reducer: counter)),
  ]

  @Test(arguments: Self.forms)
  private func `reduces its sub-state and nothing else`(_ built: BuiltMutator) throws {
    let store = try built.makeStore()
    store.dispatch(CountAction.add(3))
    store.dispatch(CountAction.add(4))
    #expect(store.state == Desk(count: 7, title: "t"))
  }

  @Test(.warnsOnPurpose, arguments: Self.forms)
  private func `leaves it untouched for an action it does not know`(_ built: BuiltMutator) throws {
    let store = try built.makeStore()
    store.dispatch(CountAction.add(3))
    store.dispatch(NoteAction.append(1))
    store.dispatch(StrayAction())
    #expect(store.state == Desk(count: 3, title: "t", notes: [1]))
  }

  @Test(arguments: Self.forms)
  private func `answers further actions through on`(_ built: BuiltMutator) throws {
    let store = try Store(initialState: Desk(count: 5)) {
      built.mutator
        .on(ClearAction.self) { count, _ in count = 0 }
        .on(TitleAction.self) { count, action in
          if case .rename(let name) = action { count = name.count }
        }
      Constant(\.title)
      Constant(\.notes)
    }
    store.dispatch(CountAction.add(1))
    #expect(store.count == 6)
    store.dispatch(ClearAction())
    #expect(store.count == 0)
    store.dispatch(TitleAction.rename("four"))
    #expect(store.count == 4)
  }

  @Test func `a reducer of the whole state sees what the earlier ones wrote`() throws {
    let store = try Store(initialState: Desk()) {
      Mutator(\.notes) { (notes: inout [Int], action: NoteAction) in
        if case .append(let note) = action { notes.append(note) }
      }
      Mutator(
        lens: Lens(\.count),
        reducer: { (desk: Desk, _: NoteAction) in desk.notes.reduce(0, +) })
      Mutator(lens: Lens(\.title), everyAction: { desk, _ in "\(desk.count)" })
    }
    store.dispatch([NoteAction.append(2), .append(3)])
    #expect(store.state == Desk(count: 5, title: "5", notes: [2, 3]))
  }

  @Test func `a reducer of every action sees the members of lists, not the lists`() throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(
        lens: Lens(\.title), everyAction: { desk, action in desk.title + "\(type(of: action)) " })
    }
    store.dispatch([CountAction.add(1), [NoteAction.append(1)], ActionList([ClearAction()])])
    #expect(store.title == "CountAction NoteAction ClearAction ")
  }

  @Test func `it shows its lens`() {
    #expect(Desk.countMutator.lens.get(Desk(count: 3)) == 3)
  }
}
