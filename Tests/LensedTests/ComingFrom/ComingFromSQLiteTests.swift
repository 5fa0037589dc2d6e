import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

/// What the guide for those who come from SQLite shows, word for word.
@Suite("Contract: the code of the guide from SQLite", .timeLimit(.minutes(30)))
struct ComingFromSQLiteTests {
  struct Book: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  /// Rows, and the observations of them.
  private final class Shelf: Sendable {
    private struct Content {
      var books: [Book] = []
      var readers: [AsyncStream<[Book]>.Continuation] = []
    }
    private let content = Mutex(Content())

    func books(titled query: String) -> AsyncStream<[Book]> {
      AsyncStream { reader in
        content.withLock { content in
          content.readers.append(reader)
          reader.yield(content.books.filter { $0.title.hasPrefix(query) })
        }
      }
    }
    func insert(_ book: Book) async throws {
      content.withLock { content in
        content.books.append(book)
        for reader in content.readers { reader.yield(content.books) }
      }
    }
  }

  @Test func `a query of the state is observed in the database`() async throws {
    let database = Shelf()
    // GUIDE: The screen
    struct Search: Sendable {
      var query = ""
      var found: Entities<Book> = []
    }
    struct QueryTyped: Action { let text: String }
    struct Found: Action { let books: [Book] }
    struct BookBought: Action { let book: Book }

    let search = Feature<Search> {
      Mutator(\.query) { (query: inout String, typed: QueryTyped) in query = typed.text }
      Mutator(\.found) { (rows: inout Entities<Book>, found: Found) in
        rows = Entities(found.books) { _, newer in newer }
      }
      // A newer query ends the observation of the one before.
      Effect(whenChanged: \.query, .latest, including: .installation) { query, context in
        for await books in database.books(titled: query) { context.dispatch(Found(books: books)) }
      }
      // Writes go one after another, in the order of their commits.
      Effect(on: BookBought.self, .serial) { bought, _ in
        try await database.insert(bought.book)
      }
    }
    let store = try Store(initialState: Search(), search)
    // GUIDE: end
    try await store.dispatch(BookBought(book: Book(id: 1, title: "Dune"))).finish()
    for await found in store.states(\.found) where found.map(\.title) == ["Dune"] { break }
    store.dispatch(QueryTyped(text: "E"))
    for await found in store.states(\.found) where found.isEmpty { break }
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 1)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromSQLite") == marked)
  }
}
