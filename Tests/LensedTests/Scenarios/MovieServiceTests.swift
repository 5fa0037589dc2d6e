import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("A service asks its conditions, and cannot write", .timeLimit(.minutes(30)))
struct MovieServiceTests {
  private let network = MovieBoard.Network()
  private let inquiries = Recorder<MovieBoard.Inquiry>()

  private func makeTest() throws -> TestStore<MovieBoard.State> {
    try TestStore { [network, inquiries] in
      try MovieBoard.makeStore { MovieBoard.service(network, inquiries: inquiries) }
    }
  }

  @Test func `the condition of the shelf that an action is for is asked once, with the box`()
    async throws
  {
    let test = try makeTest()
    await test.dispatch(MovieBoard.LoadAction(category: .trending)) {
      $0.shelves.trending.isLoading = true
    }
    await network.request(.init(.trending, 1)).answer(["Alien"])
    await test.receive(MovieBoard.AppendAction(category: .trending, movies: ["Alien"])) {
      $0.shelves.trending = MovieBoard.Shelf(page: 1, movies: ["Alien"])
    }
    await test.finish()
    #expect(
      inquiries.values
        == [MovieBoard.Inquiry(asking: .trending, wasLoading: false, isLoading: true)])
    #expect(network.questions == [.init(.trending, 1)])
  }

  @Test func `actions of other types are nothing to it`() async throws {
    let test = try makeTest()
    await test.dispatch(MovieBoard.AppendAction(category: .popular, movies: ["A"])) {
      $0.shelves.popular = MovieBoard.Shelf(page: 1, movies: ["A"])
    }
    await test.dispatch(MovieBoard.SelectAction(movie: "A")) { $0.selected = "A" }
    await test.finish()
    #expect(inquiries.values == [])
  }

  // That `context.state = …` does not compile is a fact of compile time. Its trace at run time is that
  // no way from a context to the state is a writable key path.
  @Test func `a side effect can read the state and dispatch, and never write`() {
    let ways: [PartialKeyPath<EffectContext<MovieBoard.State>>] = [
      \.state, \.state.selected, \.selected, \.shelves.popular.page, \.change.state, \.asScope,
    ]
    for way in ways { #expect(!"\(type(of: way))".contains("Writable"), "\(way)") }
  }

  @Test func `installed and removed while the store lives`() async throws {
    let test = try TestStore { try MovieBoard.makeStore() }
    let installed = test.store.install(MovieBoard.service(network))
    await test.dispatch(MovieBoard.LoadAction(category: .popular)) {
      $0.shelves.popular.isLoading = true
    }
    let request = await network.request(.init(.popular, 1))
    installed.cancel()
    await test.receive(MovieBoard.ErrorLoadingAction(category: .popular)) {
      $0.shelves.popular.isLoading = false
    }
    await test.rest()
    #expect(request.isCancelled)
    await test.dispatch(MovieBoard.LoadAction(category: .upcoming)) {
      $0.shelves.upcoming.isLoading = true
    }
    await test.finish()
    #expect(network.questions.count == 1)
  }
}
