import Lensed
import LensedTestSupport
import Testing

/// The fast path, the slow path, and every way to be forced from one to the other make the same calls.
@Suite("Operators: the same calls on every path of delivery", .timeLimit(.minutes(30)))
struct OperatorDifferentialTests {
  /// What keeps a store from the fast path, or does not.
  private enum Company: CaseIterable {
    case none, idleReader, idleMiddleware, idleEffect, lists, stranger
  }

  private struct Idle: Middleware {
    typealias State = Desk
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `random chains of operators over random commits`(seed: UInt64) throws {
    let expected = try calls(seed, .none)
    for company in Company.allCases where company != .none {
      #expect(try calls(seed, company) == expected, "seed \(seed), \(company)")
    }
  }

  @Test func `a pair is not emitted for a commit that touched neither of its sides`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let even = store.states(\.count).filter { $0.isMultiple(of: 2) }
    let subscription = even.combineLatest(store.states(\.title, repeats: .kept)) { "\($0)\($1)" }
      .subscribe { heard.append($0) }
    for _ in 0..<4 { store.dispatch(CountAction.add(1)) }
    #expect(heard.values == ["0", "2", "4"])
    subscription.cancel()
  }

  @Test func `a part of another sub-state is not captured, however many read it`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let titles = store.states(\.title, repeats: .kept)
    let never = store.states(\.count).filter { _ in false }
    let subscriptions = (0..<3).map { reader in
      titles.map { "\($0)" }.combineLatest(never.map { "\($0)" }.combineLatest(titles) { $1 })
        .subscribe { heard.append("\(reader): \($0)") }
    }
    for _ in 0..<4 { store.dispatch(CountAction.add(1)) }
    #expect(heard.values.isEmpty)
    for subscription in subscriptions { subscription.cancel() }
  }

  /// What the observers of one program are called with, in order.
  private func calls(_ seed: UInt64, _ company: Company) throws -> [String] {
    var random = SeededGenerator(seed: seed)
    let store = try Store(
      initialState: Desk(), coverage: .partial,
      middleware: company == .idleMiddleware ? [Idle()] : []
    ) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    let changes = company == .idleReader ? store.changes().makeAsyncIterator() : nil
    let effect: StoreSubscription? =
      company == .idleEffect ? store.install(Effect(whenChanged: \.notes) { _, _ -> Void in }) : nil
    let heard = Recorder<String>()
    var subscriptions: [StoreSubscription] = []
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let stream = Self.stream(of: store, depth: 3, &random)
      subscriptions.append(stream.subscribe { heard.append("\(number): \($0)") })
    }
    for step in 0..<60 {
      let number = Int.random(in: 0..<10, using: &random)
      if step == 40, !subscriptions.isEmpty { subscriptions.removeFirst().cancel() }
      send(Self.action(number, step), to: store, company)
    }
    for subscription in subscriptions { subscription.cancel() }
    withExtendedLifetime((changes, effect)) {}
    return heard.values
  }

  private func send(_ action: any Action, to store: Store<Desk>, _ company: Company) {
    switch company {
    case .lists: store.dispatch(ActionList([action]))
    case .stranger:
      // Another observer comes and goes, so that every audience is outdated.
      let stranger = store.states.subscribe { _ in }
      store.dispatch(action)
      stranger.cancel()
    default: store.dispatch(action)
    }
  }

  private static func action(_ number: Int, _ step: Int) -> any Action {
    switch number {
    case 0...3: CountAction.add(step % 3)
    case 4: CountAction.keep
    case 5, 6: TitleAction.rename(String(repeating: "x", count: step % 4))
    case 7: NoteAction.append(step)
    case 8: ClearAction()
    default: ActionList([CountAction.add(1), NoteAction.append(step)])
    }
  }

  private static func stream(
    of store: Store<Desk>, depth: Int, _ random: inout SeededGenerator
  ) -> StateStream<Int> {
    let repeats: Repeats = Bool.random(using: &random) ? .kept : .removed
    if depth == 0 || Int.random(in: 0..<6, using: &random) == 0 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return store.states(\.count, repeats: repeats)
      case 1: return store.states(\.title, repeats: repeats).map(\.count)
      case 2: return store.states(\.notes, repeats: repeats).map(\.count)
      case 3: return store.states(\.summary, repeats: repeats).map(\.count)
      default: return store.states.map { $0.count + $0.notes.count }
      }
    }
    let divisor = Int.random(in: 2...4, using: &random)
    let base = stream(of: store, depth: depth - 1, &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return base.map { $0 / divisor }
    case 1: return base.filter { $0.isMultiple(of: divisor) }
    case 2: return base.compactMap { $0.isMultiple(of: divisor) ? nil : $0 }
    case 3: return base.removeDuplicates()
    default:
      let other = stream(of: store, depth: depth - 1, &random)
      return base.combineLatest(other) { $0 * 31 + $1 }
    }
  }
}
