import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What a step says, over every kind of part, in a state whose texts are short or long.
@Suite("What a step says has to hold, and only that", .timeLimit(.minutes(30)))
struct SaidPartsTests {
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var note = "old"
  }

  enum Cover: Sendable, Equatable { case row(Row), none }

  struct Book: Sendable, Equatable, CustomTestStringConvertible {
    var note = "old"
    var pages = 0
    var other = 0
    var optional: Row?
    var rows: [Row]
    var table: [String: Row]
    var entities: Entities<Row>
    var cover: Cover

    var testDescription: String { "\(rows.count) rows, \(rows[0].title.count) letters" }

    init(_ title: String, _ count: Int) {
      rows = (0..<count).map { Row(id: $0, title: title) }
      table = Dictionary(uniqueKeysWithValues: rows.map { ("\($0.id)", $0) })
      entities = []
      for row in rows { entities.append(row) }
      cover = .row(rows[0])
      optional = rows[0]
    }
  }

  struct Edit: Action { let edit: @Sendable (inout Book) -> Void }

  /// A part, with what lies beside it in one container.
  struct Part: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let write: @Sendable (inout Book, _ note: String) -> Void
    var writeBeside: @Sendable (inout Book) -> Void = { $0.other += 1 }
    var grow: @Sendable (inout Book) -> Void = { $0.other += 1 }
  }

  static let parts = [
    Part(testDescription: "a field") { $0.note = $1 },
    Part(testDescription: "an optional", write: { $0.optional?.note = $1 }) {
      $0.optional?.title += "x"
    },
    Part(testDescription: "an array", write: { $0.rows[0].note = $1 }) {
      $0.rows[1].note += "x"
    } grow: {
      $0.rows.append(Row(id: 99, title: "a"))
    },
    Part(testDescription: "a field beside one, in an array", write: { $0.rows[0].note = $1 }) {
      $0.rows[0].title += "x"
    } grow: {
      $0.rows[0].title += "x"
      $0.rows.append(Row(id: 99, title: "a"))
    },
    Part(testDescription: "a dictionary", write: { $0.table["0"]?.note = $1 }) {
      $0.table["1"]?.note += "x"
    } grow: {
      $0.table["99"] = Row(id: 99, title: "a")
    },
    Part(testDescription: "entities", write: { $0.entities[id: 0]?.note = $1 }) {
      $0.entities[id: 1]?.note += "x"
    } grow: {
      $0.entities.append(Row(id: 99, title: "a"))
    },
    Part(
      testDescription: "a payload",
      write: { book, note in
        guard case .row(var row) = book.cover else { return }
        row.note = note
        book.cover = .row(row)
      },
      writeBeside: { book in
        guard case .row(var row) = book.cover else { return }
        row.title += "x"
        book.cover = .row(row)
      }),
  ]

  static let books = [
    Book("a", 2), Book("a", 20), Book("A title of a row, and it has a few words more", 2),
  ]

  private func issueCount(
    _ book: Book, _ exhaustivity: Exhaustivity<Book>,
    _ edit: @escaping @Sendable (inout Book) -> Void, says: @escaping (inout Book) -> Void
  ) async throws -> Int {
    let test = try TestStore(initialState: book, exhaustivity: exhaustivity) {
      Mutator(\Book.self) { (book: inout Book, action: Edit) in action.edit(&book) }
    }
    return await issues {
      await test.dispatch(Edit(edit: edit), says)
      await test.finish()
    }.count
  }

  @Test(arguments: parts, books) private func `whatever lies beside it`(
    part: Part, book: Book
  ) async throws {
    let exhaustivities: [(Exhaustivity<Book>, skipsOthers: Bool)] = [
      (.off, true), (.only(\.pages), true), (.except(\.pages), false), (.on, false),
      (.except(\.note, \.optional, \.rows, \.table, \.entities, \.cover, \.other), true),
    ]
    for (exhaustivity, skipsOthers) in exhaustivities {
      for said in ["old", "new", "another"] {
        let alone = try await issueCount(book, exhaustivity) {
          part.write(&$0, "new")
        } says: {
          part.write(&$0, said)
        }
        // A part that it writes as it was, it does not say.
        let isRight = said == "new" || said == "old" && skipsOthers
        #expect(alone == (isRight ? 0 : 1), "\(said)")
        let beside = try await issueCount(book, exhaustivity) {
          part.write(&$0, "new")
          part.writeBeside(&$0)
        } says: {
          part.write(&$0, said)
        }
        let isRightBeside = said != "another" && skipsOthers
        #expect(beside == (isRightBeside ? 0 : 1), "\(said), and more")
      }
      for said in ["new", "another"] {
        let grown = try await issueCount(book, exhaustivity) {
          part.write(&$0, "new")
          part.grow(&$0)
        } says: {
          part.write(&$0, said)
        }
        #expect(grown == (said == "new" && skipsOthers ? 0 : 1), "\(said), and grown")
      }
    }
  }

  @Test(arguments: books) func `how many elements there are, where it adds one`(
    book: Book
  ) async throws {
    let added = try await issueCount(book, .off) {
      $0.rows.append(Row(id: 98, title: "a"))
      $0.rows.append(Row(id: 99, title: "a"))
    } says: {
      $0.rows.append(Row(id: 98, title: "a"))
    }
    #expect(added == 1)
  }

  @Test(arguments: books) func `also where the state after has no place for it`(
    book: Book
  ) async throws {
    let removed = try await issueCount(book, .off) {
      $0.rows.removeAll()
      $0.note = "new"
    } says: {
      $0.rows[1].note = "new"
    }
    #expect(removed == 1)
    let unsaid = try await issueCount(book, .off) {
      $0.rows.removeAll()
      $0.entities = [Row(id: 7, title: "a")]
      $0.note = "new"
    } says: {
      $0.rows.removeLast($0.rows.count)
    }
    #expect(unsaid == 0)
  }
}

@Suite("A part of an exhaustivity is any stored property", .timeLimit(.minutes(30)))
struct ExhaustivePropertyTests {
  struct Fields: Sendable {
    var plain = 1
    var `default` = 1
    var `raw name` = 1
    var pair = (1, 1)
    var named = (x: 1, y: 1)
    var other = 1
  }

  struct Set: Action { let path: any WritableKeyPath<Fields, Int> & Sendable }

  static let paths: [any WritableKeyPath<Fields, Int> & Sendable] = [
    \.plain, \.default, \.`raw name`, \.pair.0, \.pair.1, \.named.x,
  ]

  @Test(arguments: paths) func `and is covered alone, or all but it`(
    path: any WritableKeyPath<Fields, Int> & Sendable
  ) async throws {
    let expectations: [(Exhaustivity<Fields>, Int)] = [
      (.only(path), 1), (.except(path), 0), (.only(\.other), 0), (.except(\.other), 1),
    ]
    for (exhaustivity, count) in expectations {
      let test = try TestStore(initialState: Fields(), exhaustivity: exhaustivity) {
        Mutator(\Fields.self) { (fields: inout Fields, action: Set) in
          fields[keyPath: action.path] = 2
        }
      }
      let heard = await issues {
        await test.dispatch(Set(path: path))
        await test.finish()
      }
      #expect(heard.count == count)
    }
  }
}
