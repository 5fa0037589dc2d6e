import Foundation
import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

private typealias State = MovieBoard.State

/// A movie browser with one view of it.
@MainActor
private final class Browser {
  let store: Store<State>
  let router = Recorder<String>()
  let failures = Counter()
  let rendered = Recorder<MovieBoard.Props>()

  init() throws { store = try MovieBoard.makeStore() }

  func present(
    skippingEqualProps: Bool = false, onFailure: @escaping @Sendable () -> Void = {}
  ) -> Presentation {
    store.present(
      MovieBoard.NowPlaying(router: router, failures: failures, onFailure: onFailure),
      skippingEqualProps: skippingEqualProps
    ) { [rendered] props in
      MainActor.assertIsolated()
      rendered.append(props)
    }
  }
}

@Suite(
  "An observer is given the state, the previous state, the action and what changed",
  .timeLimit(.minutes(30)))
struct MovieChangeTests {
  @Test func `the box of each commit holds all of it`() async throws {
    let store = try MovieBoard.makeStore()
    var boxes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(MovieBoard.SelectAction(movie: "Alien"))
    store.dispatch(MovieBoard.LoadAction(category: .upcoming))
    let first = try #require(await boxes.next())
    #expect(first.previous == State())
    #expect(first.state.selected == "Alien")
    #expect(first.action as? MovieBoard.SelectAction == MovieBoard.SelectAction(movie: "Alien"))
    let second = try #require(await boxes.next())
    #expect(second.previous == first.state)
    #expect(second.didChange(\.shelves))
    #expect(!second.didChange(\.selected))
  }

  @Test func `didChange compares values, and is true on first delivery`() async throws {
    let store = try MovieBoard.makeStore()
    var boxes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(MovieBoard.ErrorLoadingAction(category: .upcoming))
    store.dispatch(MovieBoard.ErrorLoadingAction(category: .upcoming))
    let first = try #require(await boxes.next())
    #expect(first.didChange(\.selected), "the first delivery")
    #expect(first.didChange(\.shelves))
    let second = try #require(await boxes.next())
    #expect(!second.didChange(\.shelves), "its reducer ran, and wrote what was there")
    #expect(second.touches(\.shelves))
  }
}

@Suite(
  "One action after another; the view is updated on the main actor", .timeLimit(.minutes(30)))
@MainActor
struct MovieMainActorTests {
  @Test func `reducers run where the dispatch is made, and the view follows in order`() async throws
  {
    let browser = try Browser()
    let presentation = browser.present()
    presentation.start()
    await browser.rendered.waitForCount(2)
    let store = browser.store
    await Task.detached {
      for number in 1...100 {
        let movies = ["movie \(number)"]
        store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: movies))
        #expect(store.nowPlaying.page == number, "applied when dispatch returns")
      }
    }.value
    let rendered = await browser.rendered.waitForCount(102)
    #expect(rendered.dropFirst(2).map(\.rows.count) == Array(1...100))
    presentation.stop()
  }

  @Test func `commands run off the main actor`() async throws {
    let (browser, areOnMain) = (try Browser(), Recorder<Bool>())
    let presentation = browser.present { areOnMain.append(Thread.isMainThread) }
    presentation.start()
    await browser.rendered.waitForCount(2)
    browser.store.dispatch(MovieBoard.ErrorLoadingAction(category: .trending))
    #expect(await areOnMain.waitForCount(1) == [false])
    #expect(browser.failures.value == 1)
    #expect(browser.rendered.count == 2)
    presentation.stop()
  }
}

@Suite(
  "A presenter starts and stops with its view, and reacts in four ways", .timeLimit(.minutes(30))
)
@MainActor
struct MovieViewTests {
  private static func load(_ store: Store<State>, _ category: MovieBoard.Category) {
    store.dispatch(MovieBoard.AppendAction(category: category, movies: ["Alien"]))
  }

  @Test func `the first delivery after each start gives props, whatever reaction says`()
    async throws
  {
    let browser = try Browser()
    Self.load(browser.store, .nowPlaying)
    let presentation = browser.present(skippingEqualProps: true)
    for start in 1...3 {
      presentation.start()
      await browser.rendered.waitForCount(start)
      presentation.stop()
      browser.store.dispatch(MovieBoard.LoadAction(category: .popular))
    }
    let rendered = browser.rendered.values
    #expect(rendered.count == 3)
    #expect(rendered.allSatisfy { $0 == rendered[0] })
  }

  @Test func `afterwards reaction chooses: none, props, command, route`() async throws {
    let browser = try Browser()
    let presentation = browser.present()
    presentation.start()
    await browser.rendered.waitForCount(2)
    Self.load(browser.store, .upcoming)
    browser.store.dispatch(MovieBoard.ErrorLoadingAction(category: .popular))
    browser.store.dispatch(MovieBoard.SelectAction(movie: "Alien"))
    #expect(await browser.router.waitForCount(1) == ["Alien"])
    #expect(browser.failures.value == 1)
    #expect(browser.rendered.count == 2, "none of these gave props")
    Self.load(browser.store, .nowPlaying)
    let rendered = await browser.rendered.waitForCount(3)
    #expect(rendered.map(\.isSpinning) == [false, true, false])
    #expect(rendered.last?.rows.map(\.movie) == ["Alien"])
    presentation.stop()
  }

  @Test func `onStart loads what is missing, once`() async throws {
    let browser = try Browser()
    let presentation = browser.present()
    presentation.start()
    #expect(browser.store.nowPlaying.isLoading)
    Self.load(browser.store, .nowPlaying)
    presentation.stop()
    presentation.start()
    #expect(!browser.store.nowPlaying.isLoading)
    presentation.stop()
  }
}

@Suite("Equal props, props that come early, paused presenters", .timeLimit(.minutes(30)))
@MainActor
struct MoviePropsTests {
  @Test func `equal props can be skipped`() async throws {
    let (plain, skipping) = (try Browser(), try Browser())
    let presentations = [plain.present(), skipping.present(skippingEqualProps: true)]
    for (browser, presentation) in zip([plain, skipping], presentations) {
      presentation.start()
      // A page without movies is news to the presenter, and looks the same.
      for movies in [["Alien"], [], ["Brazil"]] {
        browser.store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: movies))
      }
    }
    let all = await plain.rendered.waitForCount(5).map(\.rows.count)
    #expect(all == [0, 0, 1, 1, 2])
    #expect(await skipping.rendered.waitForCount(4).map(\.rows.count) == [0, 0, 1, 2])
    for presentation in presentations { presentation.stop() }
  }

  @Test func `props that come before the view is ready are kept, and rendered once it is`()
    async throws
  {
    let browser = try Browser()
    let holder = PropsHolder<MovieBoard.Props>()
    let presenter = MovieBoard.NowPlaying(router: browser.router, failures: browser.failures)
    let presentation = browser.store.present(presenter, to: holder)
    presentation.start()
    browser.store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: ["Alien"]))
    await look { holder.props?.rows.count == 1 }
    let rendered = Recorder<Int>()
    holder.attach { rendered.append($0.rows.count) }
    #expect(rendered.values == [1])
    browser.store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: ["Brazil"]))
    #expect(await rendered.waitForCount(2) == [1, 2])
    presentation.stop()
  }

  @Test func `frozen it drops changes, and thawed it recomputes`() async throws {
    let browser = try Browser()
    let presentation = browser.present()
    presentation.start()
    await browser.rendered.waitForCount(2)
    presentation.pause()
    for movie in ["Alien", "Brazil"] {
      browser.store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: [movie]))
    }
    browser.store.dispatch(MovieBoard.SelectAction(movie: "Alien"))
    presentation.resume()
    let rendered = await browser.rendered.waitForCount(3)
    #expect(rendered.map(\.rows.count) == [0, 0, 2])
    #expect(browser.router.values == [], "what was dropped leads nowhere")
    presentation.stop()
  }
}

@Suite(
  "Props are plain equatable values, and commands a part of them", .timeLimit(.minutes(30)))
struct MovieCommandTests {
  @Test func `a presenter is tested without a view, as a function`() throws {
    let store = try MovieBoard.makeStore()
    let presenter = MovieBoard.NowPlaying(router: Recorder(), failures: Counter())
    store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: ["Alien"]))
    let props = presenter.props(for: store.state, dispatch: Dispatcher(store))
    #expect(props == presenter.props(for: store.state, dispatch: Dispatcher(store)))
    store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: ["Brazil"]))
    #expect(props != presenter.props(for: store.state, dispatch: Dispatcher(store)))
  }

  @Test func `a command in the props does what it says, and is compared by what it is for`() throws
  {
    let store = try MovieBoard.makeStore()
    let presenter = MovieBoard.NowPlaying(router: Recorder(), failures: Counter())
    store.dispatch(MovieBoard.AppendAction(category: .nowPlaying, movies: ["Alien", "Brazil"]))
    let props = presenter.props(for: store.state, dispatch: Dispatcher(store))
    #expect(props.rows[0].select != props.rows[1].select)
    props.rows[1].select()
    #expect(store.selected == "Brazil")
    props.load()
    #expect(store.nowPlaying.isLoading)
  }
}
