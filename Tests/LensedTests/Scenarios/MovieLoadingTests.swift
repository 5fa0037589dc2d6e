import Lensed
import LensedTestSupport
import Testing

@Suite("A load sets the flag, and success or failure ends it", .timeLimit(.minutes(5)))
struct MovieLoadingTests {
  private typealias Shelf = MovieBoard.Shelf

  private let network = MovieBoard.Network()
  private let store: Store<MovieBoard.State>

  init() throws {
    store = try MovieBoard.makeStore { [network] in MovieBoard.service(network) }
  }

  private func load(_ category: MovieBoard.Category) -> DispatchTask {
    store.dispatch(MovieBoard.LoadAction(category: category))
  }

  @Test func `success appends, and the next load asks for the next page`() async throws {
    let first = load(.nowPlaying)
    #expect(store.nowPlaying == Shelf(isLoading: true))
    await network.request(.init(.nowPlaying, 1)).answer(["Alien", "Brazil"])
    try await first.finish()
    #expect(store.nowPlaying == Shelf(page: 1, movies: ["Alien", "Brazil"]))
    let second = load(.nowPlaying)
    await network.request(.init(.nowPlaying, 2)).answer(["Cube"])
    try await second.finish()
    #expect(store.nowPlaying == Shelf(page: 2, movies: ["Alien", "Brazil", "Cube"]))
  }

  @Test func `the condition holds once: a second load while loading starts nothing`() async throws {
    let first = load(.nowPlaying)
    let request = await network.request(.init(.nowPlaying, 1))
    // There is nothing to wait for: no effect began.
    try await load(.nowPlaying).finish()
    #expect(store.nowPlaying.isLoading)
    request.answer(["Alien"])
    try await first.finish()
    #expect(network.questions == [.init(.nowPlaying, 1)])
    #expect(store.nowPlaying == Shelf(page: 1, movies: ["Alien"]))
  }

  @Test
  func `failure dispatches the error, takes nothing away, and the same page can be had again`()
    async throws
  {
    var changes = store.changes().makeAsyncIterator()
    let first = load(.popular)
    await network.request(.init(.popular, 1)).answer(["Alien"])
    try await first.finish()
    let failing = load(.popular)
    await network.request(.init(.popular, 2)).fail(MovieBoard.NetworkFailure())
    try await failing.finish()
    #expect(store.shelves.popular == Shelf(page: 1, movies: ["Alien"]))
    let retry = load(.popular)
    await network.request(.init(.popular, 2), number: 2).answer(["Brazil"])
    try await retry.finish()
    #expect(store.shelves.popular == Shelf(page: 2, movies: ["Alien", "Brazil"]))
    var actions: [String] = []
    while actions.count < 6, let action = await changes.next()?.action {
      actions.append("\(type(of: action))")
    }
    #expect(
      actions == [
        "LoadAction", "AppendAction", "LoadAction", "ErrorLoadingAction", "LoadAction",
        "AppendAction",
      ])
  }

  @Test func `a load by who hears of the newest page is not lost`() async throws {
    let (dispatch, tasks) = (Dispatcher(store), Recorder<DispatchTask>())
    let subscription = store.states(\.shelves.popular.page).subscribe { page in
      // Called while the effect that brought the page is still running.
      if page == 1 { tasks.append(dispatch(MovieBoard.LoadAction(category: .popular))) }
    }
    let first = load(.popular)
    await network.request(.init(.popular, 1)).answer(["Alien"])
    try await first.finish(.applied)
    await network.request(.init(.popular, 2)).answer(["Brazil"])
    try await tasks.waitForCount(1)[0].finish()
    #expect(store.shelves.popular == Shelf(page: 2, movies: ["Alien", "Brazil"]))
    subscription.cancel()
  }

  @Test func `categories load side by side, and are answered in any order`() async throws {
    let tasks = MovieBoard.Category.allCases.map(load)
    var requests: [MovieBoard.Network.Request] = []
    for category in MovieBoard.Category.allCases {
      requests.append(await network.request(.init(category, 1)))
    }
    for request in requests.reversed() { request.answer([request.question.category.title]) }
    for task in tasks { try await task.finish() }
    for category in MovieBoard.Category.allCases {
      #expect(store.shelves[category] == Shelf(page: 1, movies: [category.title]))
    }
  }
}
