import Lensed

struct Search: Sendable, Equatable {
  var query = ""
  var titles: [String] = []
  var isLoading = false
  var failure: String?
}

struct QueryChanged: Action, Equatable { let query: String }
struct Found: Action, Equatable { let titles: [String] }
struct Failed: Action, Equatable { let reason: String }

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
    Mutator(\.isLoading) { (isLoading: inout Bool, _: QueryChanged) in
      isLoading = true
    }
    .on(Found.self) { isLoading, _ in isLoading = false }
    .on(Failed.self) { isLoading, _ in isLoading = false }
    Mutator(\.failure) { (failure: inout String?, action: Failed) in
      failure = action.reason
    }
    .on(QueryChanged.self) { failure, _ in failure = nil }
    Effect(
      on: QueryChanged.self, .latest,
      catch: { error, context in
        context.dispatch(Failed(reason: "\(error)"))
      },
      { changed, _ in
        if changed.query.isEmpty { return Found(titles: []) }
        return Found(
          titles: try await encyclopedia.titles(changed.query))
      }
    )
    .retried(attempts: 3, after: .seconds(1), clock: clock)
    .timedOut(after: .seconds(10), clock: clock)
    .debounced(for: .milliseconds(300), clock: clock)
  }
}
