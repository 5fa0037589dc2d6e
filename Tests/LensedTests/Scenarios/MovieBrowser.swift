import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

/// The whole app: a store with its service, throttle, log and history, and a view per category.
@MainActor
final class MovieBrowser {
  let network = MovieBoard.Network()
  /// What the conditions of the service were asked; on the thread that dispatches.
  let inquiries = Recorder<MovieBoard.Inquiry>()
  let log = Recorder<String>()
  let history = History<MovieBoard.State>(limit: 100)
  let (router, failures) = (Recorder<String>(), Counter())
  let store: Store<MovieBoard.State>
  private let clock = ManualClock()
  private var views: [MovieBoard.Category: Recorder<MovieBoard.Props>] = [:]

  init() throws {
    let throttle = ActionThrottle<MovieBoard.State>(clock: clock)
    let logger = ActionLogger<MovieBoard.State>(excluding: [MovieBoard.SelectAction.self]) {
      [log] in log.append($0)
    }
    store = try MovieBoard.makeStore(middleware: [throttle, logger, history]) {
      [network, inquiries] in MovieBoard.service(network, inquiries: inquiries)
    }
  }

  /// What a view showed, in order; three dots where it was spinning.
  func shown(_ category: MovieBoard.Category) -> [String] {
    (views[category]?.values ?? []).map { props in
      props.rows.map(\.movie).joined(separator: ", ") + (props.isSpinning ? "…" : "")
    }
  }

  private func present(_ category: MovieBoard.Category) -> Presentation {
    let view = Recorder<MovieBoard.Props>()
    views[category] = view
    if category == .nowPlaying {
      return store.present(MovieBoard.NowPlaying(router: router, failures: failures)) {
        view.append($0)
      }
    }
    return store.present(MovieBoard.ShelfPresenter(category: category)) { view.append($0) }
  }

  /// Waits until a view has shown so much, and gives what it shows.
  private func look(_ category: MovieBoard.Category, _ count: Int) async throws -> MovieBoard.Props
  {
    try #require(await views[category]?.waitForCount(count).last)
  }

  private func answer(_ category: MovieBoard.Category, _ page: Int, _ movies: [String]) async {
    await network.request(.init(category, page)).answer(movies)
  }

  /// Start, load, a tap that comes too soon, the next page, failure, retry, select a movie, stop.
  func play() async throws {
    let presentations = MovieBoard.Category.allCases.map(present)
    for presentation in presentations { presentation.start() }
    for category in MovieBoard.Category.allCases { _ = try await look(category, 2) }
    await answer(.nowPlaying, 1, ["Alien", "Brazil"])
    let front = try await look(.nowPlaying, 3)
    await answer(.upcoming, 1, ["Cube"])
    _ = try await look(.upcoming, 3)
    await network.request(.init(.trending, 1)).fail(MovieBoard.NetworkFailure())
    let failed = try await look(.trending, 3)
    await answer(.popular, 1, ["Dune"])
    _ = try await look(.popular, 3)

    front.load()
    #expect(!store.nowPlaying.isLoading, "too soon after the load at the start")
    clock.move(by: .milliseconds(300))
    front.load()
    _ = try await look(.nowPlaying, 4)
    await answer(.nowPlaying, 2, ["Eraserhead"])
    let full = try await look(.nowPlaying, 5)
    failed.load()
    _ = try await look(.trending, 4)
    await network.request(.init(.trending, 1), number: 2).answer(["Fargo"])
    _ = try await look(.trending, 5)
    full.rows[1].select()
    await router.waitForCount(1)
    // A view may show a commit before the middleware is notified of it.
    try await store.settled()
    for presentation in presentations { presentation.stop() }
  }
}
