import Lensed
import LensedTestSupport

/// The movie browser of seed D: its state, its actions, and its store.
enum MovieBoard {
  enum Category: String, Sendable, CaseIterable {
    case nowPlaying, upcoming, trending, popular

    var title: String {
      switch self {
      case .nowPlaying: "Now playing"
      case .upcoming: "Upcoming"
      case .trending: "Trending"
      case .popular: "Popular"
      }
    }
  }

  struct Shelf: Sendable, Equatable {
    var isLoading = false
    var page = 0
    var movies: [String] = []
  }

  struct Shelves: Sendable, Equatable {
    var nowPlaying = Shelf()
    var upcoming = Shelf()
    var trending = Shelf()
    var popular = Shelf()

    subscript(category: Category) -> Shelf {
      get { self[keyPath: Self.place(of: category)] }
      set { self[keyPath: Self.place(of: category)] = newValue }
    }

    private static func place(of category: Category) -> WritableKeyPath<Shelves, Shelf> {
      switch category {
      case .nowPlaying: \.nowPlaying
      case .upcoming: \.upcoming
      case .trending: \.trending
      case .popular: \.popular
      }
    }
  }

  struct State: Sendable, Equatable {
    var shelves = Shelves()
    var selected: String?

    var nowPlaying: Shelf { shelves.nowPlaying }
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

  /// A store of the browser, with what more is in it.
  static func makeStore(
    middleware: [any Middleware<State>] = [],
    @StoreBuilder<State> _ more: () -> [StorePart<State>] = { [] }
  ) throws -> Store<State> {
    try Store(initialState: State(), middleware: middleware) {
      Mutator(\.shelves) { (shelves: inout Shelves, action: LoadAction) in
        shelves[action.category].isLoading = true
      }
      .on(AppendAction.self) { shelves, action in
        shelves[action.category].isLoading = false
        shelves[action.category].page += 1
        shelves[action.category].movies += action.movies
      }
      .on(ErrorLoadingAction.self) { shelves, action in
        shelves[action.category].isLoading = false
      }
      Mutator(\.selected) { (selected: inout String?, action: SelectAction) in
        selected = action.movie
      }
      more()
    }
  }
}
