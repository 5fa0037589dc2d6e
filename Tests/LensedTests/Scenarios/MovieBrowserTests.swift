import Foundation
import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

private typealias State = MovieBoard.State

@Suite(
  "The same box for whoever looks: a stream, a presenter, a condition", .timeLimit(.minutes(30)))
struct MovieBoxTests {
  /// What a box says.
  private struct Content: Sendable, Equatable {
    var state: State
    var previous: State?
    var action: MovieBoard.LoadAction?
    var isShelvesNew: Bool
    var isSelectedNew: Bool

    init(_ box: Change<State>) {
      (state, previous, action) = (box.state, box.previous, box.action as? MovieBoard.LoadAction)
      (isShelvesNew, isSelectedNew) = (box.didChange(\.shelves), box.didChange(\.selected))
    }
  }

  private struct Noting: Presenter {
    let boxes: Recorder<Content>

    func reaction(to change: Change<State>) -> Reaction {
      boxes.append(Content(change))
      return .none
    }

    func props(for state: State, dispatch: Dispatcher) -> Int { 0 }
  }

  @MainActor @Test func `state, previous state, last action, didChange`() async throws {
    let (conditions, presented) = (Recorder<Content>(), Recorder<Content>())
    let store = try MovieBoard.makeStore {
      Effect<State>(
        on: MovieBoard.LoadAction.self,
        when: { _, box in
          conditions.append(Content(box))
          return false
        }
      ) { _, _ in }
    }
    var stream = store.changes(keepingPrevious: true).makeAsyncIterator()
    let presentation = store.present(Noting(boxes: presented)) { _ in }
    presentation.start()
    store.dispatch(MovieBoard.LoadAction(category: .popular))
    store.dispatch(MovieBoard.LoadAction(category: .popular))
    var streamed: [Content] = []
    while streamed.count < 2, let box = await stream.next() { streamed.append(Content(box)) }
    await presented.waitForCount(2)
    presentation.stop()

    #expect(streamed[1].previous == streamed[0].state)
    #expect(streamed[1].action == MovieBoard.LoadAction(category: .popular))
    #expect(!streamed[1].isShelvesNew, "by value: it was loading already")
    #expect(streamed[0].isSelectedNew, "a stream's first delivery")
    // A presenter's first delivery was its props, and a condition is no observer.
    streamed[0].isSelectedNew = false
    #expect(presented.values == streamed)
    #expect(conditions.values == streamed)
  }
}

@Suite("Reducers, presenters and renderers run where they are told to", .timeLimit(.minutes(30)))
struct MovieThreadTests {
  @Test @MainActor func `effects run off the main actor, though that is busy`() async throws {
    let asked = Latch()
    let network = MovieBoard.Network(onRequest: { asked.open() })
    let store = try MovieBoard.makeStore { MovieBoard.service(network) }
    let task = store.dispatch(MovieBoard.LoadAction(category: .upcoming))
    // The main actor is not let go of until the effect has asked.
    asked.hold()
    await network.request(.init(.upcoming, 1)).answer(["Alien"])
    try await task.finish()
    #expect(store.shelves.upcoming.movies == ["Alien"])
  }

  @Test func `reducers run on the thread that dispatches`() async throws {
    let (reducing, dispatching) = (Recorder<ObjectIdentifier>(), Recorder<ObjectIdentifier>())
    let store = try Store(initialState: State(), coverage: .partial) {
      Mutator(\State.selected) { (selected: inout String?, action: MovieBoard.SelectAction) in
        reducing.append(ObjectIdentifier(Thread.current))
        selected = action.movie
      }
    }
    for number in 1...2 {
      _ = Threads.start {
        store.dispatch(MovieBoard.SelectAction(movie: "\(number)"))
        dispatching.append(ObjectIdentifier(Thread.current))
      }
      await dispatching.waitForCount(number)
    }
    #expect(reducing.values == dispatching.values)
  }

  @Test @MainActor
  func `one after another: each view sees each state, in order, on the main actor`()
    async throws
  {
    let network = MovieBoard.Network()
    let store = try MovieBoard.makeStore { MovieBoard.service(network) }
    let shown = Recorder<String>()
    let presentation = store.present(MovieBoard.ShelfPresenter(category: .popular)) { props in
      MainActor.assertIsolated()
      shown.append(props.isSpinning ? "spinning" : "\(props.rows.map(\.movie))")
    }
    presentation.start()
    await network.request(.init(.popular, 1)).answer(["Alien"])
    #expect(await shown.waitForCount(3) == ["[]", "spinning", #"["Alien"]"#])
    presentation.stop()
  }
}
