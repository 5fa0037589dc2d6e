import Lensed
import LensedTestSupport
import Testing

@Suite("D: a whole session of the movie browser", .timeLimit(.minutes(30)))
@MainActor
struct MovieSessionTests {
  private let browser: MovieBrowser

  init() throws {
    browser = try MovieBrowser()
  }

  @Test func `each view sees all of its own, in order, and nothing else`() async throws {
    try await browser.play()
    #expect(
      browser.shown(.nowPlaying) == [
        "", "…", "Alien, Brazil", "Alien, Brazil…", "Alien, Brazil, Eraserhead",
      ])
    #expect(browser.shown(.upcoming) == ["", "…", "Cube"])
    #expect(browser.shown(.trending) == ["", "…", "", "…", "Fargo"])
    #expect(browser.shown(.popular) == ["", "…", "Dune"])
    #expect(browser.router.values == ["Brazil"])
    #expect(browser.failures.value == 1)
    #expect(
      browser.network.questions.suffix(2) == [.init(.nowPlaying, 2), .init(.trending, 1)],
      "the tap that came too soon asked nothing")
    #expect(browser.network.questions.count == 6)
  }

  @Test func `the log has every action, from where, and what it changed`() async throws {
    try await browser.play()
    let log = browser.log.values.joined(separator: "\n")
      .replacing("LensedTests.MovieBoard.Category", with: "").replacing("LensedTests/", with: "")
      .replacing(#/:\d+ in/#, with: " in")
    #expect(log == Self.log)
  }

  private static let log = """
    #1 LoadAction(category: .nowPlaying) at MoviePresenters.swift in onStart(_:dispatch:)
      shelves.nowPlaying.isLoading: false → true
    #2 LoadAction(category: .upcoming) at MoviePresenters.swift in onStart(_:dispatch:)
      shelves.upcoming.isLoading: false → true
    #3 LoadAction(category: .trending) at MoviePresenters.swift in onStart(_:dispatch:)
      shelves.trending.isLoading: false → true
    #4 LoadAction(category: .popular) at MoviePresenters.swift in onStart(_:dispatch:)
      shelves.popular.isLoading: false → true
    #5 AppendAction(category: .nowPlaying, movies: ["Alien", "Brazil"]) by the effect movies/nowPlaying of `shelves.nowPlaying` at MovieService.swift in an effect, set off by #1
      shelves.nowPlaying.isLoading: true → false
      shelves.nowPlaying.page: 0 → 1
      shelves.nowPlaying.movies: [] → ["Alien", "Brazil"]
    #6 AppendAction(category: .upcoming, movies: ["Cube"]) by the effect movies/upcoming of `shelves.upcoming` at MovieService.swift in an effect, set off by #2
      shelves.upcoming.isLoading: true → false
      shelves.upcoming.page: 0 → 1
      shelves.upcoming.movies: [] → ["Cube"]
    #7 ErrorLoadingAction(category: .trending) by the effect movies/trending of `shelves.trending` at MovieService.swift in loading(_:from:_:), set off by #3
      shelves.trending.isLoading: true → false
    #8 AppendAction(category: .popular, movies: ["Dune"]) by the effect movies/popular of `shelves.popular` at MovieService.swift in an effect, set off by #4
      shelves.popular.isLoading: true → false
      shelves.popular.page: 0 → 1
      shelves.popular.movies: [] → ["Dune"]
    #9 LoadAction(category: .nowPlaying) at MoviePresenters.swift in props(for:dispatch:)
      shelves.nowPlaying.isLoading: false → true
    #10 AppendAction(category: .nowPlaying, movies: ["Eraserhead"]) by the effect movies/nowPlaying of `shelves.nowPlaying` at MovieService.swift in an effect, set off by #9
      shelves.nowPlaying.isLoading: true → false
      shelves.nowPlaying.page: 1 → 2
      shelves.nowPlaying.movies: ["Alien", "Brazil"] → ["Alien", "Brazil", "Eraserhead"]
    #11 LoadAction(category: .trending) at MoviePresenters.swift in props(for:dispatch:)
      shelves.trending.isLoading: false → true
    #12 AppendAction(category: .trending, movies: ["Fargo"]) by the effect movies/trending of `shelves.trending` at MovieService.swift in an effect, set off by #11
      shelves.trending.isLoading: true → false
      shelves.trending.page: 0 → 1
      shelves.trending.movies: [] → ["Fargo"]
    """

  @Test func `the history plays it again, and the network is not asked`() async throws {
    try await browser.play()
    let entries = browser.history.entries
    #expect(entries.map(\.revision) == Array(0...13))
    #expect(entries.last?.state == browser.store.state)
    #expect(entries.last?.action as? MovieBoard.SelectAction == .init(movie: "Brazil"))
    let session = try #require(RecordedSession(browser.history))
    let (fresh, asked) = (try MovieBrowser(), browser.inquiries.count)
    for store in [fresh.store, browser.store] {
      var states: [MovieBoard.State] = []
      store.replay(session) { _, state in states.append(state) }
      #expect(states == entries.dropFirst().map(\.state))
      #expect(store.state == entries.last?.state)
    }
    #expect(fresh.inquiries.count == 0)
    #expect(browser.inquiries.count == asked, "not even a condition is asked")
    #expect(fresh.network.questions == [])
    #expect(browser.network.questions.count == 6)
  }
}
