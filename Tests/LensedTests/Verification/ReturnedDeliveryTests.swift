import Lensed
import LensedTestSupport
import Testing

/// A tie, and `.cancelled(on:)`, act in their commit: whoever delivers it, and whenever.
@Suite(
  "Where a commit ends an effect, that holds once its dispatch has returned",
  .timeLimit(.minutes(30)))
struct ReturnedDeliveryTests {
  enum End: CaseIterable, Sendable {
    case tie, cancelledOn
  }

  @Test(arguments: End.allCases)
  func `while another thread delivers`(end: End) async throws {
    let (isDelivering, mayDeliver) = (ThreadGate(), ThreadGate())
    let (mayWrite, hasWritten) = (Gate(), Counter())
    let effect = Effect<Desk>(on: TitleAction.self) { _, context in
      for await _ in Strokes(gate: mayWrite) {
        context.dispatch(CountAction.add(1))
        hasWritten.increment()
      }
    }
    let store = try Store(initialState: Desk(notes: [1]), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      Mutator(\Desk.notes) { (notes: inout [Int], _: NoteAction) in notes = [] }
      end == .tie ? effect.tied(to: \.openNote) : effect.cancelled(on: NoteAction.self)
    }
    let run = store.dispatch(TitleAction.rename("a"))
    await mayWrite.waitForWaiters()
    let subscription = store.states(\.count).subscribe { count in
      if count == 100 {
        isDelivering.open()
        mayDeliver.wait()
      }
    }
    let deliverer = Threads.start { store.dispatch(CountAction.add(100)) }
    await Threads.apart { isDelivering.wait() }
    let ending = store.dispatch(NoteAction.append(1))
    #expect(store.notes.isEmpty)
    // It has returned, and is yet to be delivered: the run goes on, and commits nothing.
    mayWrite.open()
    await hasWritten.wait(for: 1)
    #expect(store.count == 100)
    mayDeliver.open()
    try await ending.finish()
    await Threads.apart { deliverer.wait() }
    try await run.finish()
    #expect(store.count == 100, "\(end)")
    subscription.cancel()
  }

  /// Strokes without end once the gate is open, whether or not the task was cancelled; a limit makes it end.
  private struct Strokes: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let gate: Gate
    var left = 10_000

    mutating func next() async -> Int? {
      await Task { [gate] in try? await gate.wait() }.value
      await Task.yield()
      left -= 1
      return left == 0 ? nil : left
    }

    func makeAsyncIterator() -> Strokes { self }
  }
}

extension Desk {
  fileprivate var openNote: Int? { notes.first }
}
