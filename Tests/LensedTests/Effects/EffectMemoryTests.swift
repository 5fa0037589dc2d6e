import Lensed
import LensedTestSupport
import Testing

// In processes of their own, where no other test allocates meanwhile.

@Suite("Effects: memory stays flat", .timeLimit(.minutes(30)))
struct EffectMemoryTests {
  private struct NotCancelled: Error {}

  /// Notes how much memory is in use, ten times over `total` steps.
  private static func sample(_ step: Int, of total: Int, in sizes: Recorder<Int>) {
    if step > 0 && step.isMultiple(of: total / 10) { sizes.append(ResidentSize.now ?? .max) }
  }

  @Test(.enabled(if: ResidentSize.isExact))
  func `over the emissions of one endless effect`() async {
    await #expect(processExitsWith: .success) {
      let (sizes, gate, total) = (Recorder<Int>(), Gate(), VerificationLength.big(500_000))
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        // Every tenth emission starts an effect, and is a child for a while.
        Effect<Desk>(on: NoteAction.self) { _, _ -> Void in }
        Effect<Desk>(on: TitleAction.self) { _, context -> Void in
          for step in 1...total {
            context.dispatch(CountAction.add(1))
            if step.isMultiple(of: 10) {
              let task = context.dispatch(NoteAction.append(step))
              // Never more than a hundred at once.
              if step.isMultiple(of: 1_000) { try await task.finish() }
            }
            EffectMemoryTests.sample(step, of: total, in: sizes)
          }
          gate.open()
        }
      }
      try await store.dispatch(TitleAction.rename("x")).finish()
      try #require(gate.isOpen && store.count == total)
      try ResidentSize.requireFlat(sizes.values)
    }
  }

  @Test(.enabled(if: ResidentSize.isExact))
  func `over the links of a chain, each effect answering with what starts the next`() async {
    await #expect(processExitsWith: .success) {
      let (sizes, total) = (Recorder<Int>(), VerificationLength.big(250_000))
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect<Desk>(on: CountAction.self, when: { $1.state.count < total }) {
          _, context in
          EffectMemoryTests.sample(context.change.state.count, of: total, in: sizes)
          return CountAction.add(1)
        }
      }
      try await store.dispatch(CountAction.add(1)).finish()
      try #require(store.count == total)
      try ResidentSize.requireFlat(sizes.values, samples: 9)
    }
  }

  @Test func `a chain of any length can be cancelled, and can lose its store`() async {
    await #expect(processExitsWith: .success) {
      let (gate, counts, length) = (Gate(), Counter(), VerificationLength.big(50_000))
      var store: Store<Desk>? = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect<Desk>(on: CountAction.self) { _, context in
          if context.change.state.count.isMultiple(of: length) {
            counts.increment()
            try await gate.wait()
          }
          return CountAction.add(1)
        }
      }
      let first = try #require(store?.dispatch(CountAction.add(1)))
      await gate.waitForWaiters()
      first.cancel()
      do {
        try await first.finish()
        throw NotCancelled()
      } catch is CancellationError {}
      let second = try #require(store?.dispatch(CountAction.add(1)))
      await gate.waitForWaiters()
      store = nil
      try await second.finish()
      try #require(counts.value == 2)
    }
  }

  @Test func `so can dispatches that wait for each other 10,000 deep`() async {
    await #expect(processExitsWith: .success) {
      let gate = Gate()
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect<Desk>(on: CountAction.self) { _, context -> Void in
          if context.change.state.count == 10_000 { return try await gate.wait() }
          try await context.dispatch(CountAction.add(1)).finish()
        }
      }
      let task = store.dispatch(CountAction.add(1))
      await gate.waitForWaiters()
      task.cancel()
      do {
        try await task.finish()
        throw NotCancelled()
      } catch is CancellationError {}
    }
  }
}
