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

  /// A shelf, which knows of no other and of no category.
  static let shelf = Feature<Shelf> {
    Mutator(\.self) { (shelf: inout Shelf, _: Shelf.Load) in shelf.isLoading = true }
      .on(Shelf.Append.self) { shelf, action in
        shelf.isLoading = false
        shelf.page += 1
        shelf.movies += action.movies
      }
      .on(Shelf.Fail.self) { shelf, _ in shelf.isLoading = false }
  }

  /// A store of the browser, with what more is in it.
  static func makeStore(
    middleware: [any Middleware<State>] = [],
    @StoreBuilder<State> _ more: () -> [StorePart<State>] = { [] }
  ) throws -> Store<State> {
    try Store(initialState: State(), middleware: middleware) {
      for category in Category.allCases {
        shelf.lifted(action: category.loads).lifted(action: category.appends)
          .lifted(action: category.failures).lifted(category.lens)
      }
      Mutator(\.selected) { (selected: inout String?, action: SelectAction) in
        selected = action.movie
      }
      more()
    }
  }
}

extension MovieBoard.Shelf {
  struct Load: Action {}
  struct Append: Action { let movies: [String] }
  struct Fail: Action {}
}

/// The way from the browser to the shelf of a category, and to its actions.
extension MovieBoard.Category {
  var lens: Lens<MovieBoard.State, MovieBoard.Shelf> {
    switch self {
    case .nowPlaying: Lens(\.shelves.nowPlaying)
    case .upcoming: Lens(\.shelves.upcoming)
    case .trending: Lens(\.shelves.trending)
    case .popular: Lens(\.shelves.popular)
    }
  }

  var loads: Prism<MovieBoard.LoadAction, MovieBoard.Shelf.Load> {
    Prism(
      embed: { _ in .init(category: self) }, extract: { $0.category == self ? .init() : nil })
  }

  var appends: Prism<MovieBoard.AppendAction, MovieBoard.Shelf.Append> {
    Prism(
      embed: { .init(category: self, movies: $0.movies) },
      extract: { $0.category == self ? .init(movies: $0.movies) : nil })
  }

  var failures: Prism<MovieBoard.ErrorLoadingAction, MovieBoard.Shelf.Fail> {
    Prism(
      embed: { _ in .init(category: self) }, extract: { $0.category == self ? .init() : nil })
  }
}
