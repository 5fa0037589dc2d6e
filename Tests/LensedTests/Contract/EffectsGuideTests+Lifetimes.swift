import Lensed
import LensedTestSupport
import Testing

extension EffectsGuideTests {
  @Test func `a retired effect begins nothing more`() async throws {
    let library = GuideApp.Library()
    let store = try GuideApp.store()
    let search = Effect<AppState>(on: Search.self, .latest) { search, _ in
      Found(titles: try await library.titles(with: search.text))
    }

    // GUIDE: Retiring
    let uploads = store.install(search)
    let running = store.dispatch(Search(text: "Dune"))
    uploads.retire()  // from here on no search begins
    try await running.finish()  // the one that runs ends as it would have
    uploads.cancel()
    // GUIDE: end

    #expect(store.titles == ["Dune I", "Dune II"])
    try await store.dispatch(Search(text: "Emma")).finish()
    #expect(library.asked.values == ["Dune"])
  }

  @Test func `each run says how it ended`() async throws {
    let gate = Gate()
    let library = GuideApp.Library(gate: gate)

    // GUIDE: Ended
    let search = Effect<AppState>(on: Search.self, .latest) { search, _ in
      Found(titles: try await library.titles(with: search.text))
    }
    .tied(to: \.session)
    .ended { end, _ in
      switch end {
      case .finished, .superseded: nil
      case .failed(let error): Failed(reason: "\(error)")
      case .cancelled, .gone: Failed(reason: "the search was stopped")
      }
    }
    // GUIDE: end

    let store = try GuideApp.store { search }
    store.dispatch(LogIn(user: "Ann"))
    store.dispatch(Search(text: "Emma"))
    await library.asked.waitForCount(1)
    store.dispatch(LogOut())
    #expect(store.failure == "the search was stopped")
    gate.open()
    store.dispatch(LogIn(user: "Ann"))
    try await store.dispatch(Search(text: "?")).finish()
    #expect(store.failure == "no answer to `?`")
    try await store.dispatch(Search(text: "Dune")).finish()
    #expect(store.titles == ["Dune I", "Dune II"])
    #expect(store.failure == "no answer to `?`")
  }

  @Test func `time comes from a clock, and a test moves it`() async throws {
    // GUIDE: Time
    func searching<C: Clock>(_ library: Library, _ clock: C) -> Effect<AppState>
    where C.Duration == Duration {
      Effect(on: Search.self, .latest) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      .retried(attempts: 3, after: .seconds(1), clock: clock)
      .timedOut(after: .seconds(10), clock: clock)
      .debounced(for: .milliseconds(300), clock: clock)
    }
    // GUIDE: end

    // GUIDE: Testing
    let (library, clock) = (Library(), ManualClock())
    let store = try makeStore { searching(library, clock) }
    let first = store.dispatch(Search(text: "D"))
    await clock.waitForSleeps(1)  // the effect waits for a lull
    let second = store.dispatch(Search(text: "Dune"))
    await clock.waitForSleeps(2)
    clock.move(by: .milliseconds(300))
    try await first.finish()
    try await second.finish()
    #expect(library.asked.values == ["Dune"])
    #expect(store.titles == ["Dune I", "Dune II"])
    // GUIDE: end
  }

  @Test func `a feature opens and closes`() async throws {
    let library = GuideApp.Library()
    let store = try GuideApp.store()
    let closings = Counter()
    @Sendable func close() { closings.increment() }

    // GUIDE: Coming and going
    let news = Feature<AppState>(
      "library",
      onInstall: { store in store.dispatch(Search(text: "news")) },
      onRemove: { close() }
    ) {
      Effect(on: Search.self, .latest) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      Effect(whenChanged: \.session?.user, .latest) { user, _ in
        user.map { Search(text: $0) }
      }
    }
    let installed = store.install(news)
    // GUIDE: end

    #expect(store.query == "news")
    try await store.dispatch(LogIn(user: "Ann")).finish()
    #expect(store.titles == ["Ann I", "Ann II"])
    installed.cancel()
    #expect(closings.value == 1)
    try await store.dispatch(Search(text: "Dune")).finish()
    #expect(store.titles == ["Ann I", "Ann II"])
  }

  @Test func `a feature's effect fits in an app`() async throws {
    let library = GuideApp.Library()

    // GUIDE: Features
    enum Left {}
    struct ShelfApp: Sendable {
      var left = Shelf(id: 1)
      var right = Shelf(id: 2)
    }
    struct Counted: Action { let books: Int }
    let count = Effect<Shelf>(on: Stock.self, .first) { _, context in
      Counted(books: try await library.count(of: context.id))
    }
    let shelf = Mutator(\Shelf.books) { (books: inout Int, action: Counted) in
      books = action.books
    }
    let store = try Store(initialState: ShelfApp(), coverage: .partial) {
      shelf.tagged(Left.self).lifted(Lens(\ShelfApp.left))
      count.tagged(Left.self).lifted(Lens(\ShelfApp.left))
    }
    try await store.dispatch(Stock(shelf: 1).tagged(Left.self)).finish()
    // GUIDE: end

    #expect(store.left.books == 10)
    #expect(store.right.books == 0)
  }
}
