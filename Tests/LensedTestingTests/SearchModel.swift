import Lensed
import LensedTesting
import Testing

/// A search with a pause, as the tests of the test store use it.
struct Search: Sendable, Equatable, Codable {
  var query = ""
  var results: [String] = []
  var log: [String] = []
}

struct QueryChanged: Action, Hashable, Codable {
  var query: String
  init(_ query: String) { self.query = query }
}

struct Found: Action, Hashable, Codable {
  var results: [String]
  init(_ results: [String]) { self.results = results }
}

struct Clear: Action, Hashable {}
struct Lost: Action, Hashable {}

struct Offline: Error, Hashable {}

/// A service that answers when its gate is open.
struct SearchAPI: Sendable {
  var search: @Sendable (String) async throws -> [String]

  static let stub = SearchAPI { [$0 + "c"] }
  static let offline = SearchAPI { _ in throw Offline() }
  static func gated(_ gate: Gate) -> SearchAPI {
    SearchAPI { query in
      try await gate.wait()
      return [query]
    }
  }
}

@StoreBuilder<Search>
func searchParts(_ api: SearchAPI, _ clock: ManualClock) -> [StorePart<Search>] {
  Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.query }
    .on(Clear.self) { query, _ in query = "" }
  Mutator(\.results) { (results: inout [String], action: Found) in results = action.results }
    .on(Clear.self) { results, _ in results = [] }
  Mutator(\.log) { (log: inout [String], action: QueryChanged) in log.append(action.query) }
  Effect(on: QueryChanged.self, .latest) { action, context in
    try await clock.sleep(for: .milliseconds(300))
    context.dispatch(Found(try await api.search(action.query)))
  }
}

/// A test store of the search; what it writes to the log need not be said.
func searchTest(
  _ api: SearchAPI = .stub, _ clock: ManualClock,
  exhaustivity: Exhaustivity<Search> = .except(\.log), patience: Duration = .seconds(10)
) throws -> TestStore<Search> {
  try TestStore(initialState: Search(), exhaustivity: exhaustivity, patience: patience) {
    searchParts(api, clock)
  }
}
