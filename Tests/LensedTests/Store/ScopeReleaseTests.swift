import Lensed
import LensedTestSupport
import Testing

/// What a scope of a child has read before is released by whoever reads it next: no task is started for that.
///
/// A release under the lock would trap: each bearer reads the store as it goes.
@Suite(
  "The former value of a child is released when the read returns, without the lock",
  .timeLimit(.minutes(30)))
struct ScopeReleaseTests {
  private final class Bearer: Sendable {
    let number: Int
    private let onRelease: @Sendable (Int) -> Void

    init(_ number: Int, _ onRelease: @escaping @Sendable (Int) -> Void) {
      (self.number, self.onRelease) = (number, onRelease)
    }

    deinit { onRelease(number) }
  }

  private struct Inner: Sendable { var bearer: Bearer? }

  private struct Child: Sendable {
    var bearer: Bearer?
    var inner: Inner?
    var count = 0
  }

  private struct Root: Sendable { var child: Child? = Child(inner: Inner()) }

  private struct Put: Action { let bearer: Bearer? }
  private struct PutInside: Action { let bearer: Bearer? }
  private struct Leave: Action {}
  private struct Unrelated: Action {}

  private struct Catcher: Middleware {
    typealias State = Root
    let stores: Recorder<StoreHandle<Root>>
    func attached(to store: StoreHandle<Root>) { stores.append(store) }
  }

  private let stores = Recorder<StoreHandle<Root>>()
  private let released = Recorder<Int>()
  private let store: Store<Root>

  init() throws {
    store = try Store(
      initialState: Root(), coverage: .partial, middleware: [Catcher(stores: stores)]
    ) {
      Mutator(\.child) { (child: inout Child?, put: Put) in
        child?.bearer = put.bearer
        child?.count += 1
      }
      .on(PutInside.self) { child, put in child?.inner?.bearer = put.bearer }
      .on(Leave.self) { child, _ in child = nil }
    }
  }

  private func bearer(_ number: Int) -> Bearer {
    Bearer(number) { [stores, released] number in
      _ = stores.values[0].state
      released.append(number)
    }
  }

  private func put(_ number: Int) { store.dispatch(Put(bearer: bearer(number))) }

  @Test func `the state, and a property of it`() throws {
    let scope = try #require(store.scope(\.child))
    for number in 0..<20 {
      put(number)
      // The scope still holds the one before.
      #expect(released.count == max(0, number - 1))
      if number.isMultiple(of: 2) {
        #expect(scope.state.bearer?.number == number)
      } else {
        #expect(scope.bearer?.number == number)
      }
      #expect(released.count == number)
    }
    #expect(released.values == Array(0..<19))
  }

  @Test func `a child of a child, which two scopes have read`() throws {
    let outer = try #require(store.scope(\.child))
    let inner = try #require(outer.scope(\.inner))
    for number in 0..<20 {
      store.dispatch(PutInside(bearer: bearer(number)))
      #expect(inner.bearer?.number == number)
      #expect(released.count == number)
    }
    store.dispatch(Leave())
    #expect(inner.bearer?.number == 19)
    #expect(released.count == 19)
  }

  @Test func `the result of a dispatch`() throws {
    let scope = try #require(store.scope(\.child))
    for number in 0..<20 {
      let count = scope.dispatch(Put(bearer: bearer(number)), focusingOn: \.count)
      #expect(count == number + 1)
      #expect(released.count == number)
    }
  }

  @Test(.warnsOnPurpose) func `a dispatch of a child of a child`() throws {
    let outer = try #require(store.scope(\.child))
    let inner = try #require(outer.scope(\.inner))
    for number in 0..<20 {
      put(number)
      // It looks whether both are there, and reads the outer one for that.
      inner.dispatch(Unrelated())
      #expect(released.count == number)
    }
  }

  @Test func `the calls of a subscription`() throws {
    let scope = try #require(store.scope(\.child))
    let heard = Recorder<Int>()
    let subscription = scope.states.subscribe { heard.append($0.bearer?.number ?? -1) }
    for number in 0..<20 {
      put(number)
      #expect(released.count == number)
    }
    #expect(heard.values == Array(-1..<20))
    subscription.cancel()
  }

  @Test func `the values of a reader`() async throws {
    let scope = try #require(store.scope(\.child))
    var states = scope.states.makeAsyncIterator()
    _ = await states.next()
    for number in 0..<20 {
      put(number)
      #expect(await states.next()?.bearer?.number == number)
      #expect(released.count == number)
    }
  }

  @Test @MainActor func `an observed store`() throws {
    let app = ObservedStore(store)
    let scope = try #require(app.scope(\.child))
    for number in 0..<20 {
      scope.dispatch(Put(bearer: bearer(number)))
      #expect(scope.state.bearer?.number == number)
      #expect(scope.bearer?.number == number)
    }
    #expect(released.count >= 18)
  }

  @Test func `the changes that are read`() async throws {
    let scope = try #require(store.scope(\.child))
    var changes = scope.changes().makeAsyncIterator()
    for number in 0..<20 {
      put(number)
      #expect(await changes.next()?.state.bearer?.number == number)
      #expect(released.count == number)
    }
  }

  /// Each commit reads the child for them.
  ///
  /// What is never taken out must not pile up.
  @Test func `the changes that nobody reads`() async throws {
    let scope = try #require(store.scope(\.child))
    let changes = scope.changes(buffering: .bounded(1, dropping: .oldest)).makeAsyncIterator()
    for number in 0..<1_000 { put(number) }
    await released.waitForCount(900)
    withExtendedLifetime(changes) {}
    #expect(scope.bearer?.number == 999)
  }

  @Test(.enabled(if: countsAllocations))
  func `a child that has not changed is read without an allocation`() async {
    await #expect(processExitsWith: .success) {
      let tests = try ScopeReleaseTests()
      tests.put(0)
      let scope = try #require(tests.store.scope(\.child))
      #expect(allocations { _ = scope.count } == 0)
      #expect(tests.released.count == 0)
    }
  }
}
