import Lensed
import LensedTestSupport
import Testing

@Suite("A state and the number of its commit are of one moment")
struct VersionedTests {
  private struct App: Sendable {
    var count = 0
    var part = Part()
  }
  private struct Part: Sendable { var count = 0 }
  private struct Count: Action {}

  private let store: Store<App>

  init() throws {
    store = try Store(initialState: App()) {
      Mutator(\.count) { (count: inout Int, _: Count) in count += 1 }
      Mutator(\.part) { (part: inout Part, _: Count) in part.count += 1 }
    }
  }

  @Test func `in the store and in a scope, whose number is that of the store`() {
    #expect(store.versioned.revision == 0)
    let scope = store.scope(\.part)
    store.dispatch([Count(), Count()])
    let (state, revision) = store.versioned
    #expect(state.count == 2 && revision == 1)
    #expect(scope.versioned.state.count == 2 && scope.versioned.revision == 1)
    #expect(store.dispatch(Count()).revision == store.versioned.revision)
    store.replaceState(App())
    #expect(store.versioned.revision == 3 && scope.versioned.state.count == 0)
  }

  @Test func `while other threads commit`() async {
    let scope = store.scope(\.part)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<500 { store.dispatch(Count()) } }
      }
      for _ in 0..<500 {
        let (whole, part) = (store.versioned, scope.versioned)
        #expect(UInt64(whole.state.count) == whole.revision)
        #expect(UInt64(part.state.count) == part.revision)
      }
    }
    #expect(store.versioned.revision == 1_000)
  }

  @Test func `after the store has gone, a scope has the last ones`() throws {
    var gone: Store<App>? = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.count) { (count: inout Int, _: Count) in count += 1 }
    }
    let scope = try #require(gone?.asScope)
    gone?.dispatch(Count())
    gone = nil
    #expect(scope.versioned.state.count == 1 && scope.versioned.revision == 1)
  }
}
