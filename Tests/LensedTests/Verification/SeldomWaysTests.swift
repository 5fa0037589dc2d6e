import Lensed
import LensedTestSupport
import Testing

@Suite("Ways that are seldom taken lead to the same place", .timeLimit(.minutes(30)))
struct SeldomWaysTests {
  private enum Left {}

  private struct Office: Sendable {
    var desk = Desk()
  }

  /// A lens that nothing is known of but its name: no bytes, no way in place.
  private static let desk = Lens<Office, Desk>(
    name: "desk", get: { $0.desk }, modify: { $1(&$0.desk) })

  private static func makeOffice() throws -> Store<Office> {
    try Store(initialState: Office()) {
      Desk.countMutator.lifted(desk)
      Desk.titleMutator.lifted(desk)
      Desk.notesMutator.lifted(desk)
    }
  }

  @Test func `a scope behind closures is read and observed in all its parts`() async throws {
    let store = try Self.makeOffice()
    let scope = store.scope(Self.desk)
    let heard = Recorder<Int>()
    let subscription = scope.states(Lens(\.count)).subscribe { heard.append($0) }
    store.dispatch([CountAction.add(2), TitleAction.rename("T")])
    #expect(scope[Lens(\.count)] == 2)
    #expect([scope.summary, scope.title] == ["T: 2", "T"])
    #expect(heard.values == [0, 2])
    var counts = scope.states(\.count).makeAsyncIterator()
    #expect(await counts.next() == 2)
    subscription.cancel()
  }

  @Test func `two parts of one store and one of another are heard together`() throws {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore())
    let heard = Recorder<String>()
    let subscription = left.states(\.count).combineLatest(left.states(\.title))
      .combineLatest(right.states(\.count))
      .subscribe { heard.append("\($0.0) \($0.1) \($1)") }
    left.dispatch([CountAction.add(1), TitleAction.rename("T")])
    right.dispatch(CountAction.add(5))
    #expect(heard.values == ["0  0", "1 T 0", "1 T 5"])
    subscription.cancel()
  }

  @Test func `a lens selects what cannot be compared`() throws {
    struct Plain: Sendable { let number: Int }
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let lens = Lens<Desk, Plain>(
      get: { Plain(number: $0.count) }, set: { desk, _ in desk })
    let subscription = store.states.select(lens).subscribe { heard.append($0.number) }
    store.dispatch(CountAction.keep)
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 0, 1])
    subscription.cancel()
  }

  @Test func `a tagged scope gives the outcome of its own action`() throws {
    let store = try Store(initialState: Office(), coverage: .partial) {
      Desk.countMutator.lifted(Lens(\Office.desk)).tagged(Left.self)
    }
    let scope = store.scope(\.desk, actions: .tagged(Left.self))
    #expect(scope.dispatch(CountAction.add(3), focusingOn: \.count) == 3)
    #expect(store.desk.count == 3)
  }

  @Test func `a part stands behind a check of availability`() throws {
    let store = try Store(initialState: Desk()) {
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { Desk.countMutator }
      Desk.titleMutator
      Desk.notesMutator
    }
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }

  @Test func `an action knows where it was dispatched`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    let line = #line + 1
    store.dispatch(CountAction.add(1))
    let site = try #require(await changes.next()?.site)
    #expect(site.fileID == "LensedTests/SeldomWaysTests.swift")
    #expect(site.function.contains("an action knows where"))
    #expect(site.line == line)
  }

  @Test func `a reducer that runs alone takes nothing that comes over time`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var count = 0
      let actions = AsyncActions(ScriptedActions(giving: CountAction.add(1)))
      Reducer { (count: inout Int, _: CountAction) in count += 1 }.reduce(&count, actions)
    }
    #expect(result.message.contains("was given to a reducer that runs alone"))
  }
}
