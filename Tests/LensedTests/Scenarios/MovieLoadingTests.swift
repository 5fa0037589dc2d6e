import Lensed
import LensedPresenters
import LensedTestSupport
import LensedTesting
import Testing

@Suite("A load sets the flag, and success or failure ends it", .timeLimit(.minutes(30)))
struct MovieLoadingTests {
  private typealias Load = MovieBoard.LoadAction
  private typealias Append = MovieBoard.AppendAction
  private typealias Failed = MovieBoard.ErrorLoadingAction
  private typealias Shelf = MovieBoard.Shelf

  private let network = MovieBoard.Network()
  private let test: TestStore<MovieBoard.State>

  init() throws {
    test = try TestStore { [network] in
      try MovieBoard.makeStore { MovieBoard.service(network) }
    }
  }

  /// Dispatches a load, and gives the request that it makes.
  private func load(
    _ category: MovieBoard.Category, page: Int, number: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> MovieBoard.Network.Request {
    await test.dispatch(Load(category: category), sourceLocation: sourceLocation) {
      $0.shelves[category].isLoading = true
    }
    return await network.request(.init(category, page), number: number)
  }

  @Test func `success appends, and the next load asks for the next page`() async {
    await load(.nowPlaying, page: 1).answer(["Alien", "Brazil"])
    await test.receive(Append.self) {
      $0.shelves.nowPlaying = Shelf(page: 1, movies: ["Alien", "Brazil"])
    }
    await load(.nowPlaying, page: 2).answer(["Cube"])
    await test.receive(Append.self) {
      $0.shelves.nowPlaying = Shelf(page: 2, movies: ["Alien", "Brazil", "Cube"])
    }
    await test.finish()
  }

  @Test func `the condition holds once: a second load while loading starts nothing`() async {
    let request = await load(.nowPlaying, page: 1)
    await test.dispatch(Load(category: .nowPlaying))
    request.answer(["Alien"])
    await test.receive(Append.self) {
      $0.shelves.nowPlaying = Shelf(page: 1, movies: ["Alien"])
    }
    await test.finish()
    #expect(network.questions == [.init(.nowPlaying, 1)])
  }

  @Test
  func `failure dispatches the error, takes nothing away, and the same page can be had again`()
    async
  {
    await load(.popular, page: 1).answer(["Alien"])
    await test.receive(Append.self) { $0.shelves.popular = Shelf(page: 1, movies: ["Alien"]) }
    await load(.popular, page: 2).fail(MovieBoard.NetworkFailure())
    await test.receive(Failed(category: .popular)) { $0.shelves.popular.isLoading = false }
    await load(.popular, page: 2, number: 2).answer(["Brazil"])
    await test.receive(Append.self) {
      $0.shelves.popular = Shelf(page: 2, movies: ["Alien", "Brazil"])
    }
    await test.finish()
  }

  @Test func `a load that is cancelled ends the flag, and can be asked for again`() async {
    let loading = await test.dispatch(Load(category: .trending)) {
      $0.shelves.trending.isLoading = true
    }
    loading.cancel()
    await test.receive(Failed(category: .trending)) { $0.shelves.trending.isLoading = false }
    await load(.trending, page: 1, number: 2).answer(["Alien"])
    await test.receive(Append.self) { $0.shelves.trending = Shelf(page: 1, movies: ["Alien"]) }
    await test.finish()
  }

  @Test func `a load by who hears of the newest page is not lost`() async {
    let dispatch = Dispatcher(test.store)
    let subscription = test.store.states(\.shelves.popular.page).subscribe { page in
      // Called while the effect that brought the page is still running.
      if page == 1 { _ = dispatch(Load(category: .popular)) }
    }
    await load(.popular, page: 1).answer(["Alien"])
    await test.receive(Append.self) { $0.shelves.popular = Shelf(page: 1, movies: ["Alien"]) }
    await test.receive(Load(category: .popular)) { $0.shelves.popular.isLoading = true }
    await network.request(.init(.popular, 2)).answer(["Brazil"])
    await test.receive(Append.self) {
      $0.shelves.popular = Shelf(page: 2, movies: ["Alien", "Brazil"])
    }
    await test.finish()
    subscription.cancel()
  }

  @Test func `categories load side by side, and are answered in any order`() async {
    var requests: [MovieBoard.Network.Request] = []
    for category in MovieBoard.Category.allCases { requests.append(await load(category, page: 1)) }
    for request in requests.reversed() {
      let category = request.question.category
      request.answer([category.title])
      await test.receive(Append.self, where: { $0.category == category }) {
        $0.shelves[category] = Shelf(page: 1, movies: [category.title])
      }
    }
    await test.finish()
  }
}
