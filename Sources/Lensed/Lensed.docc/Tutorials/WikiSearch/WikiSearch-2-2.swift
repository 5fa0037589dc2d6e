import Lensed

struct Search: Sendable, Equatable {
  var query = ""
  var titles: [String] = []
}

struct QueryChanged: Action, Equatable { let query: String }
struct Found: Action, Equatable { let titles: [String] }

struct Encyclopedia: Sendable {
  var titles: @Sendable (_ query: String) async throws -> [String]
}

func search(
  _ encyclopedia: Encyclopedia,
  clock: some Clock<Duration> = ContinuousClock()
) -> Feature<Search> {
  Feature {
    Mutator(\.query) { (query: inout String, action: QueryChanged) in
      query = action.query
    }
    Mutator(\.titles) { (titles: inout [String], action: Found) in
      titles = action.titles
    }
    Effect(on: QueryChanged.self, .latest) { changed, _ in
      if changed.query.isEmpty { return Found(titles: []) }
      return Found(
        titles: try await encyclopedia.titles(changed.query))
    }
    .debounced(for: .milliseconds(300), clock: clock)
  }
}
