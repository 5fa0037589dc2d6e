import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `AsynchronousReducers` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the article Asynchronous reducers", .timeLimit(.minutes(30)))
struct AsynchronousReducersGuideTests {
  private typealias AppState = GuideApp.AppState
  private typealias Page = GuideApp.Page
  private typealias PageEvent = GuideApp.PageEvent

  @Test func `an asynchronous reducer owns its part`() async throws {
    let library = GuideApp.Library()
    let pages = Recorder<Page>()
    let finals = Recorder<Page>()
    @Sendable func track(_ page: Page) { finals.append(page) }

    // GUIDE: Asynchronous reducers
    let page = AsyncMutator(\AppState.page) {
      (page: Page, event: PageEvent) -> AsyncResult<Page> in
      switch event {
      case .open(let title):
        AsyncResult { try await library.text(of: title) }
          .map(Page.showing)
          .whileLoading(.loading)
          .recover { _ in .failed }
      }
    }
    .afterEach { page, _ in track(page) }
    // GUIDE: end

    let store = try GuideApp.store { page }
    let subscription = store.states(\.page).subscribe { pages.append($0) }
    try await store.dispatch([PageEvent.open("Dune"), .open("?")]).finish()
    let dune = Page.showing("Dune: once upon a time")
    #expect(pages.values == [.start, .loading, dune, .loading, .failed])
    #expect(finals.values == [dune, .failed])
    subscription.cancel()
  }

  @Test func `results are put together`() async throws {
    let library = GuideApp.Library()

    // GUIDE: Results
    let both = AsyncResult<(String, String)>
      .zip(
        AsyncResult { try await library.text(of: "Dune") },
        AsyncResult { try await library.text(of: "Emma") }
      )
      .map { dune, emma in Page.showing("\(dune) / \(emma)") }
      .whileLoading(.loading)
    let counts = AsyncResult.all(
      [1, 2, 3].map { shelf in
        AsyncResult { try await library.count(of: shelf) }
      })
    let sum = counts.flatMap { counts in
      AsyncResult(value: Page.showing("\(counts.reduce(0, +)) books"))
    }
    // GUIDE: end

    #expect(
      try await both.value() == .showing("Dune: once upon a time / Emma: once upon a time"))
    #expect(try await sum.value() == .showing("60 books"))
  }

  @Test func `the article shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 2)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "AsynchronousReducers") == marked)
  }
}
