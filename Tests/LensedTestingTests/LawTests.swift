import Lensed
import LensedTesting
import LensedTestSupport
import Testing

@Suite struct `Laws` {
  struct Person: Sendable, Equatable {
    var name = "Ada"
    var nickname: String? = nil
  }

  enum Page: Sendable, Equatable {
    case loading
    case loaded(Int)
  }

  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
  }

  let people = [Person(), Person(name: "", nickname: "x")]

  @Test func `hold for what is lawful`() {
    expectLawful(\Person.name, over: people, writing: ["Grace", "é"])
    expectLawful(Lens(\Person.nickname), over: people)
    expectLawful(
      Lens<Person, String>(
        name: "name", get: { $0.name },
        set: { Person(name: $1, nickname: $0.nickname) }), over: people, writing: ["b"])
    expectLawful(
      Prism<Page, Int>(
        embed: Page.loaded, extract: { if case .loaded(let id) = $0 { id } else { nil } }),
      over: [.loading, .loaded(3)], embedding: [4])
    expectLawful(
      [Entities<Row>(), [Row(id: 1), Row(id: 2), Row(id: 3)]], editing: [{ $0.title += "!" }])
  }

  struct Board: Sendable {
    var rows: Entities<Row> = []
    var least = 0
  }

  static let large = Derived.filter(\Board.rows, with: \Board.least) { row, least in row.id >= least
  }
  static let order = Derived.sorted(\Board.rows, by: \.title)
  static let total = Derived.reduced(
    \Board.rows, 0, adding: { $0 += $1.id }, removing: { $0 -= $1.id })
  static let groups = Derived.grouped(\Board.rows, by: \.title)
  static let long = Derived.count(of: large) { $0.title.count > 1 }
  /// Forgets to take edited rows away.
  static let wrong = Derived.reduced(\Board.rows, 0, adding: { $0 += $1.id }, removing: { _, _ in })

  /// States whose rows share.
  private var boards: [Board] {
    var boards = [Board()]
    var board = Board()
    board.rows.append(contentsOf: (0..<200).map { Row(id: $0, title: "\($0 % 7)") })
    boards.append(board)
    board.rows[id: 70]?.title = "edited"
    boards.append(board)
    board.rows.remove(id: 5)
    board.rows.move(id: 9, to: 100)
    boards.append(board)
    board.least = 50
    boards.append(board)
    return boards
  }

  @Test func `derived values that follow rows equal the plain function, wherever they come from`() {
    expectLawful(Self.large, over: boards) { board in board.rows.filter { $0.id >= board.least } }
    expectLawful(Self.order, over: boards) { board in board.rows.sorted { $0.title < $1.title } }
    expectLawful(Self.total, over: boards) { board in board.rows.reduce(0) { $0 + $1.id } }
    expectLawful(Self.long, over: boards) { board in
      board.rows.filter { $0.id >= board.least }.count { $0.title.count > 1 }
    }
    expectLawful(Self.groups, over: boards) { board in board.rows.grouped { $0.title } }
  }

  @Test func `a reduction that does not undo what it added is found`() async {
    let heard = await issues {
      expectLawful(Self.wrong, over: boards) { board in board.rows.reduce(0) { $0 + $1.id } }
    }
    #expect(heard.count == 1)
    #expect(
      heard.first?.hasPrefix(
        """
        The derived value breaks a law: it is the plain function of the state, going on from a former one.
          former state: 
        """) == true)
  }

  @Test func `a plain function that is another one is found from the first state on`() async {
    let heard = await issues { expectLawful(Self.total, over: boards) { _ in -1 } }
    #expect(
      heard.first?.hasPrefix(
        "The derived value breaks a law: it is the plain function of the first state.") == true)
  }

  @Test func `a lens that normalises shows what it makes of a value`() async {
    let lens = Lens<Person, String>(
      name: "name", get: { $0.name },
      set: { Person(name: $1.lowercased(), nickname: $0.nickname) })
    let heard = await issues {
      expectLawful(lens, over: [Person(name: "ada")], writing: ["GRACE"])
    }
    #expect(
      heard == [
        """
        The lens `name` breaks a law: what was written is what is read.
          root: LensedTestingTests.Laws.Person(name: "ada", nickname: nil)
          written: "GRACE"
          result: expected "GRACE", is "grace"
        """
      ])
  }

  @Test func `a lens that writes beside its part breaks two laws, each reported once`() async {
    let lens = Lens<Person, String>(
      name: "name", get: { $0.name },
      set: { Person(name: $1, nickname: ($0.nickname ?? "") + "x") })
    let heard = await issues { expectLawful(lens, over: people, writing: ["b"]) }
    #expect(
      heard.map { $0.prefix { $0 != "." } } == [
        "The lens `name` breaks a law: writing what was read changes nothing",
        "The lens `name` breaks a law: of two writes the last one counts",
      ])
    #expect(heard.first?.contains(#"nickname: expected nil, is Optional("x")"#) == true)
  }

  @Test func `a prism that forgets`() async {
    let prism = Prism<Page, Int>(embed: { .loaded(abs($0)) }, extract: { _ in 1 })
    let heard = await issues { expectLawful(prism, over: [.loading], embedding: [-2]) }
    #expect(
      heard == [
        """
        The prism from Page to Int breaks a law: what was embedded is what is extracted.
          embedded: -2
          result: expected -2, is 1
        """,
        """
        The prism from Page to Int breaks a law: embedding what was extracted gives the root again.
          root: LensedTestingTests.Laws.Page.loading
          result: expected LensedTestingTests.Laws.Page.loading, is LensedTestingTests.Laws.Page.loaded(1)
        """,
      ])
  }

  @Test func `an edit that changes the id of an element`() async {
    let rows: Entities<Row> = [Row(id: 1)]
    let heard = await issues {
      expectLawful([rows], editing: [{ $0.title = "a" }, { $0.id += 1 }])
    }
    #expect(
      heard == [
        """
        Entities of Row breaks a law: edit 1 keeps the id of its element.
          before: LensedTestingTests.Laws.Row(id: 1, title: "")
          after: LensedTestingTests.Laws.Row(id: 2, title: "")
          result: expected true, is false
        """
      ])
  }

  @Test func `samples of which none matches a prism show nothing, and that is said`() async {
    let prism = Prism<Int?, Int>(embed: { $0 }, extract: { $0 })
    let heard = await issues { expectLawful(prism, over: [nil]) }
    #expect(
      heard == [
        """
        The prism from Optional<Int> to Int was checked with no value: none of the samples matches, and there is no \
        value to embed.
        """
      ])
  }

  @Test func `no samples show nothing, and that is said`() async {
    let heard = await issues { expectLawful(\Person.name, over: []) }
    #expect(heard == ["The lens `name` was checked over no samples, which shows nothing."])
  }
}

@Suite struct `Expecting an owner` {
  @Test func `is met by a store that fits`() throws {
    expectOwned(Desk()) {
      Desk.countMutator; Desk.titleMutator; Desk.notesMutator
    }
    expectOwned(\.count, in: try Desk.makeStore(), by: CountAction.self, ClearAction.self)
  }

  @Test func `names every fault at once`() async {
    let heard = await issues {
      expectOwned(Desk()) {
        Desk.countMutator; Desk.countMutator
      }
    }
    #expect(heard.count == 1)
    #expect(heard.first?.contains("`count` has two reducers") == true)
    #expect(heard.first?.contains("`notes` has no reducer") == true)
  }

  @Test func `names the property without one, and the action that it does not handle`() async throws
  {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let heard = await issues {
      expectOwned(\.title, in: store)
      expectOwned(\.count, in: store, by: NoteAction.self)
    }
    #expect(
      heard == [
        "`title` has no owner in this store. Give the store a `Mutator(\\.title) { … }`.",
        """
        The owner of `count` does not handle `NoteAction`. It handles `CountAction`, `ClearAction`. \
        Add `.on(NoteAction.self) { … }` to its mutator.
        """,
      ])
  }
}
