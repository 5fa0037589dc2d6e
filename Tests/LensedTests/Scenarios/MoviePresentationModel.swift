import Lensed
import LensedTestSupport

/// The movie browser of seed D as its views see it: what its presenters are made of.
enum MovieBoard {
  enum Category: String, Sendable, CaseIterable {
    case nowPlaying, upcoming, trending, popular
  }

  struct Shelf: Sendable, Equatable {
    var isLoading = false
    var page = 0
    var movies: [String] = []
  }

  struct State: Sendable, Equatable {
    var shelves = Dictionary(uniqueKeysWithValues: Category.allCases.map { ($0, Shelf()) })
    var selected: String?

    var nowPlaying: Shelf { shelves[.nowPlaying] ?? Shelf() }
  }

  struct LoadAction: Action, Hashable {
    let category: Category
  }

  struct AppendAction: Action, Hashable {
    let category: Category
    let movies: [String]
  }

  struct ErrorLoadingAction: Action, Hashable {
    let category: Category
  }

  struct SelectAction: Action, Hashable {
    let movie: String
  }

  static func makeStore() throws -> Store<State> {
    try Store(initialState: State()) {
      Mutator(\.shelves) { (shelves: inout [Category: Shelf], action: LoadAction) in
        shelves[action.category]?.isLoading = true
      }
      .on(AppendAction.self) { shelves, action in
        shelves[action.category]?.isLoading = false
        shelves[action.category]?.page += 1
        shelves[action.category]?.movies += action.movies
      }
      .on(ErrorLoadingAction.self) { shelves, action in
        shelves[action.category]?.isLoading = false
      }
      Mutator(\.selected) { (selected: inout String?, action: SelectAction) in
        selected = action.movie
      }
    }
  }

  /// What the view of one category shows.
  struct Props: Equatable {
    let title: String
    let rows: [Row]
    let isSpinning: Bool
    let reload: Command

    struct Row: Equatable {
      let movie: String
      let select: Command
    }
  }

  /// The presenter of the movies that are playing now.
  struct NowPlaying: Presenter {
    /// Where a selected movie is shown; on the main actor.
    let router: Recorder<String>
    /// What is counted when loading fails; off the main actor.
    let failures: Counter

    func reaction(to change: Change<State>) -> Reaction {
      if change.action is ErrorLoadingAction {
        return .command(Command("count") { [failures] in failures.increment() })
      }
      if let selection = change.action as? SelectAction {
        return .route(
          Command(selection, onMain: { [router] in router.append(selection.movie) }))
      }
      return change.isNew(\.nowPlaying) ? .props : .none
    }

    func props(for state: State, dispatch: Dispatch) -> Props {
      Props(
        title: "Now playing",
        rows: state.nowPlaying.movies.map { movie in
          Props.Row(movie: movie, select: dispatch.command(SelectAction(movie: movie)))
        },
        isSpinning: state.nowPlaying.isLoading,
        reload: dispatch.command(LoadAction(category: .nowPlaying)))
    }

    func onStart(_ state: State, dispatch: Dispatch) {
      if state.nowPlaying.movies.isEmpty { dispatch(LoadAction(category: .nowPlaying)) }
    }
  }
}
