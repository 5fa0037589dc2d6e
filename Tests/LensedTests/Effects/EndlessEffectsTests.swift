import Lensed
import LensedTestSupport
import Testing

@Suite("Effects that set each other off are warned of after 1,000 rounds", .timeLimit(.minutes(30)))
struct EndlessEffectsTests {
  private struct Ping: Action {}
  private struct Pong: Action {}
  private struct App: Sendable {
    var rounds = 0
    var number = 0
  }

  enum Loop: CaseIterable, Sendable { case actions, value }

  @Test(arguments: Loop.allCases, [999, 1_100])
  func `one that nothing from outside came into is named once, and a shorter one is not`(
    loop: Loop, length: Int
  ) async throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: App(), coverage: .partial, onWarning: { warnings.append($0) }
    ) {
      Mutator(\App.rounds) { (rounds: inout Int, _: Ping) in rounds += 1 }
        .on(Pong.self) { rounds, _ in rounds += 1 }
      if loop == .actions {
        Effect<App>(on: Ping.self) { _, context in
          if context.state.rounds < length { context.dispatch(Pong()) }
        }
        .named("a")
        Effect<App>(on: Pong.self) { _, context in
          if context.state.rounds < length { context.dispatch(Ping()) }
        }
        .named("b")
      } else {
        Effect<App>(whenChanged: \.rounds) { rounds, context in
          if rounds < length { context.dispatch(Ping()) }
        }
        .named("a")
      }
    }
    store.dispatch(Ping())
    try await store.settled()
    #expect(warnings.values.map(\.kind).filter { $0 != .endlessEffects } == [])
    let found = warnings.values.filter { $0.kind == .endlessEffects }
    #expect(found.count <= 2 && found.isEmpty == (length < 1_000))
    #expect(found.allSatisfy { "\($0)".contains("effect \($0.effect ?? "?")") })
  }
}
