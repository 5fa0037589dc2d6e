import Lensed
import LensedPresenters
import LensedTestSupport

extension MovieBoard {
  /// What the view of one category shows.
  struct Props: Equatable {
    let title: String
    let rows: [Row]
    let isSpinning: Bool
    /// Loads the first page, the next one, or the one that failed.
    let load: Command

    struct Row: Equatable {
      let movie: String
      let select: Command
    }
  }

  /// The presenter of one category.
  struct ShelfPresenter: Presenter {
    let category: Category

    func reaction(to change: Change<State>) -> Reaction {
      change.didChange(\.shelves[category]) ? .props : .none
    }

    func props(for state: State, dispatch: Dispatcher) -> Props {
      let shelf = state.shelves[category]
      return Props(
        title: category.title,
        rows: shelf.movies.map { movie in
          Props.Row(movie: movie, select: dispatch.command(SelectAction(movie: movie)))
        },
        isSpinning: shelf.isLoading,
        load: dispatch.command(LoadAction(category: category)))
    }

    func onStart(_ state: State, dispatch: Dispatcher) {
      if state.shelves[category].movies.isEmpty { dispatch(LoadAction(category: category)) }
    }
  }

  /// The presenter of the movies that are playing now, which is the front page: it leads to other
  /// pages, and counts what fails on them.
  struct NowPlaying: Presenter {
    /// Where a selected movie is shown; on the main actor.
    let router: Recorder<String>
    /// What is counted when loading fails; off the main actor.
    let failures: Counter
    /// Called after it was counted.
    let onFailure: @Sendable () -> Void

    private let shelf = ShelfPresenter(category: .nowPlaying)

    init(
      router: Recorder<String>, failures: Counter, onFailure: @escaping @Sendable () -> Void = {}
    ) {
      (self.router, self.failures, self.onFailure) = (router, failures, onFailure)
    }

    func reaction(to change: Change<State>) -> Reaction {
      if change.didChange(\.nowPlaying) { return .props }
      if change.actions.contains(where: { $0 is ErrorLoadingAction }) {
        return .command(
          Command("count") { [failures, onFailure] in
            failures.increment()
            onFailure()
          })
      }
      if let selection = change.actions.lazy.compactMap({ $0 as? SelectAction }).last {
        return .route(
          Command(selection, onMain: { [router] in router.append(selection.movie) }))
      }
      return .none
    }

    func props(for state: State, dispatch: Dispatcher) -> Props {
      shelf.props(for: state, dispatch: dispatch)
    }

    func onStart(_ state: State, dispatch: Dispatcher) {
      shelf.onStart(state, dispatch: dispatch)
    }
  }
}
