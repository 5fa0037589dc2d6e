import Lensed
import LensedTestSupport
import Testing

/// What the guide for those who come from TCA shows, word for word.
@Suite("Contract: the code of the guide from TCA", .timeLimit(.minutes(30)))
struct ComingFromTCATests {
  // GUIDE: The feature
  struct Book: Sendable, Equatable, Identifiable {
    let id: Int
    let title: String
    var isFavourite = false
  }
  struct FavouriteTapped: Action {}

  let bookRow = Feature<Book> {
    Constant(\.id)
    Constant(\.title)
    Mutator(\.isFavourite) { (isFavourite: inout Bool, _: FavouriteTapped) in
      isFavourite.toggle()
    }
  }

  struct BookSearch: Sendable, Equatable {
    var query = ""
    var results: Entities<Book> = []
    var failure: String?
  }
  struct QueryChanged: Action { let query: String }
  enum Answer: Action { case found([Book]), failed(String) }
  // GUIDE: end

  // GUIDE: What it asks
  protocol Library: Sendable {
    func books(_ query: String) async throws -> [Book]
  }
  // GUIDE: end

  // GUIDE: The search
  func bookSearch<C: Clock<Duration>>(
    _ library: any Library, _ clock: C
  ) -> Feature<BookSearch> {
    Feature {
      Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.query }
      Mutator(\.results) { (results: inout Entities<Book>, answer: Answer) in
        guard case .found(let books) = answer else { return }
        results.removeAll()
        results.upsert(contentsOf: books)
      }
      Mutator(\.failure) { (failure: inout String?, answer: Answer) in
        failure = if case .failed(let reason) = answer { reason } else { nil }
      }
      Effect(
        on: QueryChanged.self, .latest,
        catch: { error, context in context.dispatch(Answer.failed("\(error)")) }
      ) { action, _ in
        Answer.found(try await library.books(action.query))
      }
      .debounced(for: .milliseconds(300), clock: clock)
      bookRow.identified().lifted(\.results)
    }
  }
  // GUIDE: end

  private struct Shelf: Library {
    func books(_ query: String) async throws -> [Book] {
      if query == "!" { throw Unreadable() }
      return [Book(id: 1, title: "Dune")]
    }
  }
  private struct Unreadable: Error, CustomStringConvertible {
    var description: String { "That cannot be read." }
  }

  @Test func `the feature is tested step by step`() async throws {
    let shelf = Shelf()
    // GUIDE: Its test
    let clock = ManualClock()
    let test = try TestStore(initialState: BookSearch(), bookSearch(shelf, clock))
    await test.dispatch(QueryChanged(query: "du")) { $0.query = "du" }
    await clock.advance(by: .milliseconds(300))
    await test.receive(Answer.self) { $0.results = [Book(id: 1, title: "Dune")] }
    await test.dispatch(FavouriteTapped().element(1)) {
      $0.results[id: 1]?.isFavourite = true
    }
    await test.finish()
    // GUIDE: end
  }

  @Test func `a failure is shown, and the next answer takes it away`() async throws {
    let clock = ManualClock()
    let test = try TestStore(initialState: BookSearch(), bookSearch(Shelf(), clock))
    await test.dispatch(QueryChanged(query: "!")) { $0.query = "!" }
    await clock.advance(by: .milliseconds(300))
    await test.receive(Answer.self) { $0.failure = "That cannot be read." }
    await test.dispatch(QueryChanged(query: "d")) { $0.query = "d" }
    await test.dispatch(QueryChanged(query: "du")) { $0.query = "du" }
    await clock.advance(by: .milliseconds(300))
    await test.receive(Answer.self) {
      $0.failure = nil
      $0.results = [Book(id: 1, title: "Dune")]
    }
    await test.finish()
  }

  /// Stands for a store of TCA.
  @MainActor
  private final class OldStore {
    enum Action {
      case searchIs(BookSearch)
      case answered(Answer)
    }
    private(set) var search = BookSearch()
    private(set) var answers = 0
    let shown = Recorder<BookSearch>()

    func send(_ action: Action) {
      switch action {
      case .searchIs(let search):
        self.search = search
        shown.append(search)
      case .answered: answers += 1
      }
    }
  }

  @MainActor
  @Test func `the old app reads a copy, and hears of each answer`() async throws {
    let (shelf, old) = (Shelf(), OldStore())
    // GUIDE: Both in one app
    func telling(_ tell: @escaping @Sendable (Answer) async -> Void) -> Effect<BookSearch> {
      Effect(on: Answer.self, .serial) { answer, _ in await tell(answer) }
    }
    let moved = try Store(initialState: BookSearch()) {
      bookSearch(shelf, ContinuousClock())
      telling { answer in await old.send(.answered(answer)) }
    }
    let mirror = moved.states.subscribe(onMain: { search in old.send(.searchIs(search)) })
    // GUIDE: end
    try await moved.dispatch(QueryChanged(query: "du")).finish()
    #expect(old.answers == 1)
    await old.shown.wait(untilLast: { $0.results.count == 1 })
    #expect(old.search == moved.state)
    mirror.cancel()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 5)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromTCA") == marked)
  }
}
