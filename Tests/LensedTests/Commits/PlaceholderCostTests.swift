import LensedTestSupport
import LensedTesting
import Testing

@testable import Lensed

/// Counted in bytes: a list that is copied for each commit shows there.
@Suite("What a placeholder costs beside others", .timeLimit(.minutes(30)))
struct PlaceholderCostTests {
  private enum Page: Sendable, Equatable { case start, loading, shown }
  private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var page = Page.start
  }
  private struct App: Sendable, Equatable { var rows: Entities<Row> }
  private struct Load: Action {}

  /// How many bytes the outcome of one row asks for, while all rows show placeholders, and a history is attached.
  private static func bytesOfEach(of count: Int) throws -> UInt64 {
    let (jobs, gate, bytes) = (HandExecutor(), Gate(), Recorder<UInt64>())
    let store = try StoreProbe.$current.withValue(StoreProbe(executor: jobs)) {
      try Store(
        initialState: App(rows: try Entities((0..<count).map { Row(id: $0) })), coverage: .partial,
        middleware: [History<App>()]
      ) {
        Feature<Row> {
          AsyncMutator(\Row.page) { (_: Page, _: Load) in
            AsyncResult<Page> {
              try await gate.wait()
              bytes.append(bytesOfThisThread)
              return .shown
            }
            .whileLoading(.loading)
          }
        }
        .identified().lifted(\App.rows)
      }
    }
    for id in 0..<count { store.dispatch(Load().element(id)) }
    jobs.run()
    try #require(store.rows.allSatisfy { $0.page == .loading })
    try #require(store.settledState.rows.allSatisfy { $0.page == .start })
    gate.open()
    jobs.run()
    try #require(store.rows.allSatisfy { $0.page == .shown })
    try #require(store.settledState == store.state)
    let (first, last) = (try #require(bytes.values.min()), try #require(bytes.values.max()))
    return (last - first) / UInt64(count - 1)
  }

  @Test(.enabled(if: countsAllocations))
  func `is not that of a list of them`() async {
    await #expect(processExitsWith: .success) {
      let (few, many) = (try Self.bytesOfEach(of: 100), try Self.bytesOfEach(of: 1_000))
      try #require(many < 2 * few, "\(few) bytes each among 100, \(many) among 1,000")
    }
  }
}
