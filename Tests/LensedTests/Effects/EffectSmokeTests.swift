import Lensed
import LensedTestSupport
import Testing

struct Lab: Sendable, Equatable {
  var query = ""
  var found: [String] = []
  var count = 0
  var page = LabPage.start
}

enum LabPage: Sendable, Equatable { case start, loading, loaded(Int), failed }
enum QueryAction: Action { case search(String) }
enum FoundAction: Action { case found(String) }
enum LabCount: Action { case add(Int) }
enum LabPageEvent: Action { case load(Int), fail }
struct LabFailure: Error {}

func makeLab(
  errors: Recorder<String> = Recorder(), @StoreBuilder<Lab> _ more: () -> [StorePart<Lab>] = { [] }
) throws -> Store<Lab> {
  try Store(
    initialState: Lab(), coverage: .partial, onEffectError: { errors.append("\($0)") }
  ) {
    Mutator(\.query) { (query: inout String, action: QueryAction) in
      if case .search(let text) = action { query = text }
    }
    Mutator(\.found) { (found: inout [String], action: FoundAction) in
      if case .found(let text) = action { found.append(text) }
    }
    Mutator(\.count) { (count: inout Int, action: LabCount) in
      if case .add(let n) = action { count += n }
    }
    more()
  }
}

@Suite struct EffectSmokeTests {
  @Test(.timeLimit(.minutes(30))) func `an effect answers`() async throws {
    let store = try makeLab {
      Effect(on: QueryAction.self) { action, context in
        guard case .search(let text) = action else { return nil }
        return FoundAction.found(text + context.state.query)
      }
    }
    try await store.dispatch(QueryAction.search("a")).finish()
    #expect(store.found == ["aa"])
  }

  @Test(.timeLimit(.minutes(30))) func `concurrent increments are exact`() async throws {
    let store = try makeLab {
      Effect(on: QueryAction.self) { _, context in
        for _ in 0..<1000 { context.dispatch(LabCount.add(1)) }
      }
    }
    try await store.dispatch((0..<100).map { QueryAction.search("\($0)") }).finish()
    #expect(store.count == 100_000)
  }

  @Test(.timeLimit(.minutes(30))) func `latest cancels, finish waits, cancel reaches`() async throws
  {
    let gate = Gate()
    let store = try makeLab {
      Effect(on: QueryAction.self, .latest) { action, context in
        if case .search("slow") = action { try await gate.wait() }
        context.dispatch(FoundAction.found("\(action)"))
      }
    }
    let slow = store.dispatch(QueryAction.search("slow"))
    await gate.waitForWaiters()
    try await store.dispatch(QueryAction.search("quick")).finish()
    try await slow.finish()
    #expect(store.found.count == 1)
    let other = store.dispatch(QueryAction.search("slow"))
    await gate.waitForWaiters()
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.finish() }
    #expect(other.isCancelled)
  }

  @Test(.timeLimit(.minutes(30))) func `waiting for oneself throws`() async throws {
    let errors = Recorder<String>()
    let tasks = Recorder<DispatchTask>()
    let gate = Gate()
    let store = try makeLab(errors: errors) {
      Effect(on: QueryAction.self) { action, context in
        try await gate.wait()
        try await tasks.values[0].finish()
      }
    }
    tasks.append(store.dispatch(QueryAction.search("x")))
    gate.open()
    try await tasks.values[0].finish()
    #expect(errors.values.count == 1)
    #expect(errors.values[0].contains("cannot end before"))
  }

  @Test(.timeLimit(.minutes(30))) func `serial queue waiting for itself throws`() async throws {
    let errors = Recorder<String>()
    let store = try makeLab(errors: errors) {
      Effect(on: QueryAction.self, .serial) { action, context in
        if case .search("outer") = action {
          try await context.dispatch(QueryAction.search("inner")).finish()
        }
      }
    }
    try await store.dispatch(QueryAction.search("outer")).finish()
    #expect(errors.values.count == 1)
  }

  @Test(.timeLimit(.minutes(30))) func `the product page`() async throws {
    let errors = Recorder<String>()
    let seen = Recorder<LabPage>()
    let store = try makeLab(errors: errors) {
      AsyncMutator(\.page) { (page: LabPage, event: LabPageEvent) -> AsyncResult<LabPage> in
        switch event {
        case .load(let n):
          AsyncResult { n }.map(LabPage.loaded).whileLoading(.loading).recover { _ in .failed }
        case .fail:
          AsyncResult { throw LabFailure() }.whileLoading(.loading)
        }
      }
    }
    let subscription = store.states(\.page).subscribe { seen.append($0) }
    try await store.dispatch(LabPageEvent.load(1)).finish()
    try await store.dispatch([LabPageEvent.fail, .load(2)]).finish()
    subscription.cancel()
    #expect(
      seen.values == [.start, .loading, .loaded(1), .loading, .loaded(1), .loading, .loaded(2)])
    #expect(errors.values.count == 1)
  }
}
