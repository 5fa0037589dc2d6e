import Lensed
import LensedTestSupport
import Testing

/// Each in a process of its own: whoever runs out of stack ends it.
@Suite("Lists in lists, very deep, on a small stack", .timeLimit(.minutes(30)))
struct DeepListTests {
  private static let depth = VerificationLength.big(100_000)

  /// Nested in each other, with an action before each list, after it, or neither.
  private enum Shape: Int, CaseIterable, Codable {
    case before, after, around, alone, arrays

    func wrapped(_ list: ActionList) -> ActionList {
      let one = CountAction.add(1)
      return switch self {
      case .before: ActionList([one, list])
      case .after: ActionList([list, one])
      case .around: ActionList([one, list, one])
      case .alone: ActionList([list])
      case .arrays: ActionList([one, [list, ActionList([])]])
      }
    }

    var count: Int {
      switch self {
      case .before, .after, .arrays: 1
      case .around: 2
      case .alone: 0
      }
    }

    func nested(_ depth: Int) -> ActionList {
      var list = ActionList([CountAction.add(1)])
      for _ in 0..<depth { list = wrapped(list) }
      return list
    }
  }

  @Test(arguments: Shape.allCases)
  private func `they are made and released`(shape: Shape) async {
    await #expect(processExitsWith: .success) { [shape] in
      SmallStack.run {
        let list = shape.nested(Self.depth)
        let copy = list
        withExtendedLifetime(copy) {}
      }
    }
  }

  @Test(arguments: Shape.allCases)
  private func `they are dispatched, judged, recorded and reduced alone`(shape: Shape) async {
    await #expect(processExitsWith: .success) { [shape] in
      SmallStack.run {
        let (history, recorder) = (History<Desk>(), SessionRecorder<Desk>())
        guard
          let plain = try? Desk.makeStore(),
          let watched = try? Store(
            initialState: Desk(), coverage: .partial, middleware: [history, recorder],
            parts: { Desk.countMutator })
        else { return }
        let expected = 1 + shape.count * Self.depth
        for store in [plain, watched] {
          store.dispatch(shape.nested(Self.depth))
          precondition(store.count == expected)
          precondition(
            store.dispatch([shape.nested(Self.depth)], focusingOn: \.count) == 2 * expected)
        }
        precondition(history.entries.last?.actions.count == expected)
        var desk = Desk()
        Desk.countReducer.reduce(&desk.count, shape.nested(Self.depth))
        precondition(desk.count == expected)
      }
    }
  }

  @Test func `they go through a scope and a lifted effect`() async {
    await #expect(processExitsWith: .success) {
      enum Tag {}
      enum Wide: Action { case narrow(CountAction) }
      let prism = Prism<Wide, CountAction>(
        embed: Wide.narrow, extract: { if case .narrow(let action) = $0 { action } else { nil } })
      let seen = Recorder<Int>()
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator.lifted(action: prism)
        Effect<Desk>(on: StrayAction.self) { _, context in
          context.dispatch(Shape.before.nested(Self.depth))
        }
        .lifted(action: prism)
      }
      try await SmallStack.runTask {
        try await store.dispatch(StrayAction()).finish()
        seen.append(store.count)
      }
      try #require(seen.values == [Self.depth + 1])
    }
  }

  @Test func `in tagged actions they may be 100 deep, and deeper ones trap with a sentence`() async
  {
    enum Tag {}
    await #expect(processExitsWith: .success) {
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator.tagged(Tag.self)
      }
      SmallStack.run { store.dispatch(Self.tagged(Tag.self, 1)) }
      try #require(store.count == 1)
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(initialState: Desk(), coverage: .partial) { Desk.countMutator }
      SmallStack.run { store.dispatch(Self.tagged(Tag.self, 101)) }
    }
    #expect(result?.message.contains("more than 100 deep in tagged actions") == true)
  }

  /// A tagged list in a list, so often.
  private static func tagged<Tag>(_ tag: Tag.Type, _ depth: Int) -> ActionList {
    var list = ActionList([CountAction.add(1)])
    for _ in 0..<depth { list = ActionList([list.tagged(Tag.self)]) }
    return list
  }

  @Test func `a list looks as it is written`() {
    let list = ActionList([CountAction.keep, ActionList([CountAction.reset])])
    #expect("\(ActionList([CountAction.keep]))".hasPrefix("ActionList(actions: ["))
    #expect("\(list)".contains("CountAction.reset"))
    #expect(list.actions.count == 2)
  }

  @Test func `copies of a list on two threads are released by whoever is last`() {
    for _ in 0..<20 {
      let list = Shape.around.nested(1_000)
      let parcels = (0..<2).map { _ in Parcel(list) }
      Threads.run(2) { thread in _ = parcels[thread].take() }
      withExtendedLifetime(list) {}
    }
  }
}

extension Desk {
  fileprivate static let countReducer = Reducer<Int> { (count: inout Int, action: CountAction) in
    if case .add(let amount) = action { count += amount }
  }
}
