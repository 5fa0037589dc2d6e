import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("No reader of a child keeps what the child was before", .timeLimit(.minutes(30)))
@MainActor
struct ChildReaderReleaseTests {
  /// A number that counts how many of its kind there are.
  private struct Held: Sendable, Equatable {
    let number: Int
    let token: LiveCount.Token

    static func == (left: Held, right: Held) -> Bool { left.number == right.number }
  }

  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var held: Held
  }

  private struct App: Sendable { var rows: [Row] }

  private struct Put: Action { let held: Held }

  private struct NumberPresenter: Presenter {
    func reaction(to change: Change<Row>) -> Reaction { .props }
    func props(for row: Row, dispatch: Dispatcher) -> Int { row.held.number }
  }

  /// Each way to read a child.
  nonisolated enum Reader: CaseIterable {
    case observedState, observedProperty, observedKeyPath, observedRow, observedDerived
    case state, property, derived
    case subscription, propertySubscription, derivedSubscription
    case states, derivedStates, changes, presentation
  }

  /// Returns the number that it reads after a commit, or nil if there is none.
  private typealias Read = @MainActor () async -> Int?

  private let live = LiveCount()
  private let store: Store<App>
  private let app: ObservedStore<App>
  private let row: ObservedStore<Row>
  private let scope: ScopedStore<Row>

  init() throws {
    store = try Store(
      initialState: App(rows: [Row(id: 1, held: Held(number: 0, token: live.token()))]),
      coverage: .partial
    ) {
      Mutator(\Row.held) { (held: inout Held, put: Put) in held = put.held }
        .identified().lifted(\App.rows)
    }
    app = ObservedStore(store)
    row = try #require(app.scope(\.rows, id: 1))
    scope = try #require(store.scope(\.rows, id: 1))
  }

  @Test(arguments: Reader.allCases)
  func `while one reads on and on, no more are alive than are in use`(
    _ reader: Reader
  ) async throws {
    let read = try await start(reader)
    for number in 1...20 {
      let held = Held(number: number, token: live.token())
      store.dispatch(ElementAction(id: 1, action: Put(held: held)))
      #expect(await read() == number)
      // The present one, the one before, and those of a change that is being delivered.
      #expect(live.value <= 4)
    }
  }

  private func start(_ reader: Reader) async throws -> Read {
    let (app, row, scope) = (app, row, scope)
    let number = Derived(\Row.held) { $0.number }
    switch reader {
    case .observedState: return shown { row.state.held.number }
    case .observedProperty: return shown { row.held.number }
    case .observedKeyPath: return shown { row[\.held.number] }
    case .observedRow: return shown { app[\.rows, id: 1]?.held.number }
    case .observedDerived: return shown { row[number] }
    case .state: return { scope.state.held.number }
    case .property: return { scope.held.number }
    case .derived: return { scope[number] }
    case .subscription: return heard(by: scope.states.map(\.held.number))
    case .propertySubscription: return heard(by: scope.states(\.held).map(\.number))
    case .derivedSubscription: return heard(by: scope.states(number))
    case .states: return try await iterated(scope.states.map(\.held.number))
    case .derivedStates: return try await iterated(scope.states(number))
    case .changes:
      var changes = scope.changes(keepingPrevious: true).makeAsyncIterator()
      return { await changes.next()?.state.held.number }
    case .presentation:
      let heard = Recorder<Int>()
      let presentation = scope.present(NumberPresenter()) { heard.append($0) }
      presentation.start()
      var count = 1
      return {
        defer { withExtendedLifetime(presentation) {} }
        count += 1
        return await heard.waitForCount(count).last
      }
    }
  }

  private func shown(_ read: @escaping @MainActor () -> Int?) -> Read {
    {
      app.reflecting { _ in }
      row.reflecting { _ in }
      return read()
    }
  }

  private func heard(by stream: StateStream<Int>) -> Read {
    let heard = Recorder<Int>()
    let subscription = stream.subscribe { heard.append($0) }
    return {
      withExtendedLifetime(subscription) {}
      return heard.values.last
    }
  }

  private func iterated(_ stream: StateStream<Int>) async throws -> Read {
    var values = stream.makeAsyncIterator()
    _ = await values.next()
    return { await values.next() }
  }
}
