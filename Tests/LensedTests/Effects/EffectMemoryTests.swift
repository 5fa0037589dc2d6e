import Foundation
import Lensed
import LensedTestSupport
import Testing

/// The sanitizers keep what was freed for a while, or notes about it, so memory grows under them.
#if ASAN || TSAN
  private let isExact = false
#else
  private let isExact = true
#endif

// In processes of their own, where no other test allocates meanwhile.

@Suite("Effects: memory stays flat", .timeLimit(.minutes(5)))
struct EffectMemoryTests {
  /// Notes how much memory is in use, ten times over `total` steps.
  private static func sample(_ step: Int, of total: Int, in sizes: Recorder<Int>) {
    if step > 0 && step.isMultiple(of: total / 10) { sizes.append(EffectMemory.resident ?? 0) }
  }

  @Test(.enabled(if: isExact && EffectMemory.resident != nil))
  func `over 1,000,000 emissions of one endless effect`() async {
    await #expect(processExitsWith: .success) {
      let (sizes, gate) = (Recorder<Int>(), Gate())
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        // Every tenth emission starts an effect, and is a child for a while.
        Effect<Desk>(on: NoteAction.self) { _, _ -> Void in }
        Effect<Desk>(on: TitleAction.self) { _, context -> Void in
          for step in 1...1_000_000 {
            context.dispatch(CountAction.add(1))
            if step.isMultiple(of: 10) {
              let task = context.dispatch(NoteAction.append(step))
              // Never more than a hundred at once.
              if step.isMultiple(of: 1_000) { try await task.finish() }
            }
            EffectMemoryTests.sample(step, of: 1_000_000, in: sizes)
          }
          gate.open()
        }
      }
      try await store.dispatch(TitleAction.rename("x")).finish()
      try #require(gate.isOpen && store.count == 1_000_000)
      try EffectMemory.requireFlat(sizes)
    }
  }

  @Test(.enabled(if: isExact && EffectMemory.resident != nil))
  func `over 200,000 links of a chain, each effect answering with what starts the next`() async {
    await #expect(processExitsWith: .success) {
      let sizes = Recorder<Int>()
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect<Desk>(on: CountAction.self, when: { $1.state.count < 200_000 }) {
          _, context in
          EffectMemoryTests.sample(context.change.state.count, of: 200_000, in: sizes)
          return CountAction.add(1)
        }
      }
      try await store.dispatch(CountAction.add(1)).finish()
      try #require(store.count == 200_000)
      try EffectMemory.requireFlat(sizes)
    }
  }

  @Test func `a chain of any length can be cancelled, and can lose its store`() async {
    await #expect(processExitsWith: .success) {
      let (gate, counts) = (Gate(), Counter())
      var store: Store<Desk>? = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect<Desk>(on: CountAction.self) { _, context in
          if context.change.state.count.isMultiple(of: 50_000) {
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
        throw CocoaError(.featureUnsupported)
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
        throw CocoaError(.featureUnsupported)
      } catch is CancellationError {}
    }
  }
}

/// How much of this process lies in memory.
private enum EffectMemory {
  /// In bytes; nil where the system does not say.
  static var resident: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * NSPageSize() }
  }

  /// Throws when memory has grown since the first sample: by more than one word for each step would
  /// be.
  static func requireFlat(_ sizes: Recorder<Int>) throws {
    let first = try #require(sizes.values.first)
    let growth = try #require(sizes.values.max()) - first
    try #require(sizes.count >= 9 && growth < 4 << 20, "\(growth) bytes: \(sizes.values)")
  }
}
