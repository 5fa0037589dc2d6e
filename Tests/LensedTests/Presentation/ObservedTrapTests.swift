import LensedTestSupport
import Observation
import Testing

@testable import Lensed

@Suite("ObservedStore: no update reads a key path that could trap", .timeLimit(.minutes(30)))
struct ObservedTrapTests {
  fileprivate struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
  }

  fileprivate struct Lists: Sendable, Equatable {
    var list: [Row]
    var rows: Entities<Row>
    var sorted: SortedEntities<Row>
    var named: [Int: Row]
    var numbers: Set<Int>
    var text: String

    init(_ ids: Range<Int>) {
      list = ids.map { Row(id: $0, title: "\($0)") }
      rows = Entities(list) { $1 }
      sorted = rows.sorted { $0.id < $1.id }
      named = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
      numbers = Set(ids)
      text = String(ids.map { Character(Unicode.Scalar(UInt8(97 + $0))) })
    }

    /// The row is there in some states only, which the property does not show.
    var third: Row { list[2] }
  }

  private struct Book: Sendable, Equatable { var lists = Lists(0..<3) }

  private struct Replace: Action { let ids: Range<Int> }

  private static func makeStore() throws -> Store<Book> {
    try Store(initialState: Book()) {
      Mutator(\.lists) { (lists: inout Lists, replace: Replace) in lists = Lists(replace.ids) }
    }
  }

  /// Reads of what is there at first; each would trap in a state that has fewer rows, or other ones.
  @MainActor
  private static func readers(
    _ book: ObservedStore<Book>, of lists: Lists
  ) throws -> [(String, Onlooker)] {
    let (key, number, letter) = (
      try #require(lists.named.index(forKey: 2)), try #require(lists.numbers.firstIndex(of: 2)),
      lists.text.index(before: lists.text.endIndex)
    )
    return [
      ("an index", Onlooker { _ = book[\.lists.list[2]] }),
      ("a property of an element", Onlooker { _ = book[\.lists.list[2].title] }),
      ("a range", Onlooker { _ = book[\.lists.list[0..<3]] }),
      ("a position in entities", Onlooker { _ = book[\.lists.rows[2]] }),
      ("a range of entities", Onlooker { _ = book[\.lists.rows[0..<3]] }),
      ("a string's index", Onlooker { _ = book[\.lists.text[letter]] }),
      ("a set's index", Onlooker { _ = book[\.lists.numbers[number]] }),
      ("a dictionary's index", Onlooker { _ = book[\.lists.named[key].value] }),
      ("a forced value", Onlooker { _ = book[\.lists.named[2]!.title] }),
      ("an array's subscript of one's own", Onlooker { _ = book[\.lists.list[required: 2]] }),
      ("the same of entities", Onlooker { _ = book[\.lists.rows[required: 2].title] }),
      ("the same of a dictionary", Onlooker { _ = book[\.lists.named[required: 2]] }),
      ("the same of a set", Onlooker { _ = book[\.lists.numbers[required: 2]] }),
      ("a list's property of one's own", Onlooker { _ = book[\.lists.list.second] }),
      ("a property of a property", Onlooker { _ = book[\.lists.third] }),
    ]
  }

  // In a process of its own: a read that traps ends it.

  @Test func `whatever has gone, its reader is notified once, and nothing is read`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        for ids in [0..<0, 0..<1, 10..<13, 10..<11] {
          let store = try Self.makeStore()
          let book = ObservedStore(store)
          let readers = try Self.readers(book, of: store.lists)
          for _ in 0..<2 {
            book.dispatch(Replace(ids: ids))
            for (name, reader) in readers {
              try #require(reader.count == 1, "\(name), \(ids)")
            }
          }
        }
      }
    }
  }

  /// Reads of a list by position, written as members of it.
  @MainActor
  private static func members(
    _ list: ObservedStore<[Row]>, _ rows: ObservedStore<Entities<Row>>,
    _ sorted: ObservedStore<SortedEntities<Row>>
  ) -> [(String, Onlooker)] {
    [
      ("an index", Onlooker { _ = list[2] }),
      ("a range", Onlooker { _ = list[0..<3] }),
      ("a closed range", Onlooker { _ = list[0...2] }),
      ("a position in entities", Onlooker { _ = rows[2] }),
      ("a range of entities", Onlooker { _ = rows[0..<3] }),
      ("a closed range of entities", Onlooker { _ = rows[0...2] }),
      ("a position in sorted entities", Onlooker { _ = sorted[2] }),
      ("a range of sorted entities", Onlooker { _ = sorted[0..<3] }),
    ]
  }

  @Test func `an index or a range after the dot is one`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let store = try Self.makeStore()
        let list = ObservedStore(store.scope(\.lists.list))
        let readers = Self.members(
          list, ObservedStore(store.scope(\.lists.rows)),
          ObservedStore(store.scope(\.lists.sorted)))
        for _ in 0..<2 { store.dispatch(Replace(ids: 0..<1)) }
        list.reflecting { _ in }
        for (name, reader) in readers { try #require(reader.count == 1, "\(name)") }
      }
    }
  }

  @Test @MainActor func `a property after the dot is compared, also one of entities`() throws {
    let store = try Self.makeStore()
    let (list, rows) = (
      ObservedStore(store.scope(\.lists.list)), ObservedStore(store.scope(\.lists.rows))
    )
    let readers = [
      Onlooker { _ = list.count }, Onlooker { _ = rows.count }, Onlooker { _ = rows.first?.title },
      Onlooker { _ = rows[id: 1] },
    ]
    store.dispatch(Replace(ids: 0..<3))
    list.reflecting { _ in }
    #expect(readers.map(\.count) == [0, 0, 0, 0])
    store.dispatch(Replace(ids: 2..<4))
    list.reflecting { _ in }
    #expect(readers.map(\.count) == [1, 1, 1, 1])
  }

  @Test @MainActor func `a dictionary's key is read in every state, however deep`() throws {
    let book = ObservedStore(try Self.makeStore())
    let (two, title, nine) = (
      Onlooker { _ = book[\.lists.named[2]] }, Onlooker { _ = book[\.lists.named[2]?.title] },
      Onlooker { _ = book[\.lists.named[9]?.title] }
    )
    book.dispatch(Replace(ids: 1..<3))
    #expect([two.count, title.count, nine.count] == [0, 0, 0])
    book.dispatch(Replace(ids: 3..<4))
    #expect([two.count, title.count, nine.count] == [1, 1, 0])
  }
}

private func there<Value>(_ value: Value?) -> Value {
  guard let value else { fatalError("it is not there") }
  return value
}

extension Array where Element == ObservedTrapTests.Row {
  fileprivate subscript(required id: Int) -> Element { there(first { $0.id == id }) }
  fileprivate var second: Element { there(first { $0.id == 1 }) }
}

extension Entities where Element == ObservedTrapTests.Row {
  fileprivate subscript(required id: Int) -> Element { there(self[id: id]) }
}

extension Dictionary where Key == Int {
  fileprivate subscript(required key: Int) -> Value { there(self[key]) }
}

extension Set where Element == Int {
  fileprivate subscript(required element: Int) -> Element { there(first { $0 == element }) }
}
