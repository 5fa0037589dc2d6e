import Lensed
import LensedTestSupport

/// A shop.
struct ShopState: Sendable, Equatable, Codable {
  var products: [String] = []

  static let reducer = Reducer { (shop: inout ShopState, action: ShopAction) in
    switch action {
    case .add(let product): shop.products.append(product)
    case .remove(let product): shop.products.removeAll { $0 == product }
    }
  }

  static let feature = Feature<ShopState> { Mutator(\.self, reducer) }
}

enum ShopAction: Action, Hashable {
  case add(String)
  case remove(String)
}

/// A search, whose results come from elsewhere.
struct SearchState: Sendable, Equatable, Codable {
  var query = ""
  var results: [String] = []
  var isLoading = false

  static let reducer = Reducer { (search: inout SearchState, action: SearchAction) in
    switch action {
    case .search(let query): (search.query, search.isLoading) = (query, true)
    case .setResults(let results): (search.results, search.isLoading) = (results, false)
    }
  }

  /// The search with its asynchronous part; the newest query wins.
  static func feature(of network: ShopNetwork) -> Feature<SearchState> {
    Feature {
      Mutator(\.self, reducer)
      Effect(
        on: SearchAction.self, matching: { if case .search(let query) = $0 { query } else { nil } },
        .latest, catch: { _, context in context.dispatch(SearchAction.setResults([])) }
      ) { query, _ in
        SearchAction.setResults(try await network.ask(query))
      }
      .named("search")
    }
  }
}

enum SearchAction: Action, Hashable {
  case search(String)
  case setResults([String])
}

typealias ShopNetwork = GatedNetwork<String, [String]>

/// The app that both features are lifted into; neither knows of it.
struct ShopApp: Sendable, Equatable, Codable {
  var shop = ShopState()
  var search = SearchState()

  static func makeStore(
    _ state: ShopApp = ShopApp(), network: ShopNetwork, middleware: [any Middleware<ShopApp>] = []
  ) throws -> Store<ShopApp> {
    try Store(initialState: state, middleware: middleware) {
      ShopState.feature.lifted(\.shop)
      SearchState.feature(of: network).lifted(\.search)
    }
  }
}
