import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// `context.changes()` of an effect that is `keepingPrevious()`.
@Suite("The previous states of what an effect reads", .timeLimit(.minutes(30)))
struct EffectPreviousTests {
  struct State: Sendable { var count = 0 }
  struct Start: Action {}
  struct Add: Action {}

  @Test(arguments: [true, false])
  func `are there where they are kept`(_ isKept: Bool) async throws {
    let seen = Recorder<[Int?]>()
    let (gate, done) = (Gate(), Gate())
    let effect = Effect<State>(on: Start.self) { _, context in
      try await gate.wait()
      for await change in context.changes() {
        seen.append([change.previous?.count, change.state.count])
        if change.state.count == 3 { break }
      }
      done.open()
    }
    .keepingChanges()
    let store = try Store(initialState: State()) {
      Mutator(\.count) { (count: inout Int, _: Add) in count += 1 }
      isKept ? effect.keepingPrevious() : effect
    }
    store.dispatch([Start(), Add()])
    store.dispatch(Add())
    gate.open()
    store.dispatch(Add())
    try await done.wait()
    #expect(seen.values == (isKept ? [[1, 2], [2, 3]] : [[nil, 2], [nil, 3]]))
  }
}
