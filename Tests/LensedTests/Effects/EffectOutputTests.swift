import Lensed
import LensedTestSupport
import Testing

private protocol AppAction: Action {}
private struct Bump: AppAction, Hashable {}
private struct Begin: Action {}

/// What an effect may return.
enum EffectOutput: String, CaseIterable, Codable, Sendable {
  case action, optionalAction, noAction, anyAction, optionalAnyAction, noAnyAction
  case refined, optionalRefined, composed
  case array, optionalArray, noArray, anyArray, optionalAnyArray, noAnyArray, list, arrays
  case stream, anyStream, actions, dispatch, nothing

  private static func stream<Element: Sendable>(_ element: Element) -> AsyncStream<Element> {
    AsyncStream { feed in
      feed.yield(element)
      feed.finish()
    }
  }

  var effect: Effect<Int> {
    switch self {
    case .action: Effect(on: Begin.self) { _, _ in Bump() }
    case .optionalAction: Effect(on: Begin.self) { _, _ -> Bump? in Bump() }
    case .noAction: Effect(on: Begin.self) { _, _ -> Bump? in nil }
    case .anyAction: Effect(on: Begin.self) { _, _ -> any Action in Bump() }
    case .optionalAnyAction: Effect(on: Begin.self) { _, _ -> (any Action)? in Bump() }
    case .noAnyAction: Effect(on: Begin.self) { _, _ -> (any Action)? in nil }
    case .refined: Effect(on: Begin.self) { _, _ in Bump() as any AppAction }
    case .optionalRefined: Effect(on: Begin.self) { _, _ in Bump() as (any AppAction)? }
    case .composed: Effect(on: Begin.self) { _, _ in Bump() as any AppAction & Hashable }
    case .array: Effect(on: Begin.self) { _, _ in [Bump()] }
    case .optionalArray: Effect(on: Begin.self) { _, _ -> [Bump]? in [Bump()] }
    case .noArray: Effect(on: Begin.self) { _, _ -> [Bump]? in nil }
    case .anyArray: Effect(on: Begin.self) { _, _ -> [any Action] in [Bump()] }
    case .optionalAnyArray: Effect(on: Begin.self) { _, _ -> [any Action]? in [Bump()] }
    case .noAnyArray: Effect(on: Begin.self) { _, _ -> [any Action]? in nil }
    case .list: Effect(on: Begin.self) { _, _ in ActionList([Bump()]) }
    case .arrays: Effect(on: Begin.self) { _, _ in [[Bump()], []] }
    case .stream: Effect(on: Begin.self) { _, _ in Self.stream(Bump()) }
    case .anyStream: Effect(on: Begin.self) { _, _ in Self.stream(Bump() as any Action) }
    case .actions: Effect(on: Begin.self) { _, _ in AsyncActions(Self.stream(Bump())) }
    case .dispatch: Effect(on: Begin.self) { _, context in context.dispatch(Bump()) }
    case .nothing: Effect(on: Begin.self) { _, _ in }
    }
  }

  /// The number of actions that are dispatched.
  var count: Int {
    switch self {
    case .noAction, .noAnyAction, .noArray, .noAnyArray, .nothing: 0
    default: 1
    }
  }

  func run() async throws -> Int {
    let store = try Store(initialState: 0) {
      Mutator(\Int.self) { (count: inout Int, _: Bump) in count += 1 }
      effect
    }
    try await store.dispatch(Begin()).finish()
    return store.state
  }
}

@Suite("No action that an effect returns is lost", .timeLimit(.minutes(30)))
struct EffectOutputTests {
  @Test(arguments: EffectOutput.allCases)
  func `it is dispatched, once`(output: EffectOutput) async throws {
    #expect(try await output.run() == output.count)
  }
}
