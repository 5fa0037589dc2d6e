import Lensed
import LensedTestSupport
import Testing

@Suite("A service asks its conditions, and cannot write", .timeLimit(.minutes(10)))
struct MovieServiceTests {
  private let network = MovieBoard.Network()
  private let inquiries = Recorder<MovieBoard.Inquiry>()

  @Test func `the condition of the shelf that an action is for is asked once, with the box`()
    async throws
  {
    let store = try MovieBoard.makeStore { MovieBoard.service(network, inquiries: inquiries) }
    let task = store.dispatch(MovieBoard.LoadAction(category: .trending))
    await network.request(.init(.trending, 1)).answer(["Alien"])
    try await task.finish()
    #expect(
      inquiries.values
        == [MovieBoard.Inquiry(asking: .trending, wasLoading: false, isLoading: true)])
    #expect(network.questions == [.init(.trending, 1)])
  }

  @Test func `actions of other types are nothing to it`() async throws {
    let store = try MovieBoard.makeStore { MovieBoard.service(network, inquiries: inquiries) }
    try await store.dispatch(MovieBoard.AppendAction(category: .popular, movies: ["A"])).finish()
    try await store.dispatch(MovieBoard.SelectAction(movie: "A")).finish()
    #expect(inquiries.values == [])
  }

  // That `context.state = …` does not compile is a fact of compile time. Its trace at run time is that
  // no way from a context to the state is a writable key path.
  @Test func `a side effect can read the state and dispatch, and never write`() {
    let ways: [PartialKeyPath<EffectContext<MovieBoard.State>>] = [
      \.state, \.state.selected, \.selected, \.shelves.popular.page, \.change.state, \.view,
    ]
    for way in ways { #expect(!"\(type(of: way))".contains("Writable"), "\(way)") }
  }

  @Test func `installed and removed while the store lives`() async throws {
    let store = try MovieBoard.makeStore()
    let installed = store.install(MovieBoard.service(network))
    let load = store.dispatch(MovieBoard.LoadAction(category: .popular))
    let request = await network.request(.init(.popular, 1))
    installed.cancel()
    try? await load.finish()
    #expect(request.isCancelled)
    try await store.dispatch(MovieBoard.LoadAction(category: .upcoming)).finish()
    #expect(network.questions.count == 1)
  }
}
