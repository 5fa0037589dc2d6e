import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// On a machine of one core, no other thread runs what would cancel them: without a pause they would go on for ever.
@Suite("Sequences that never wait let other work run", .timeLimit(.minutes(30)))
struct RestlessSequencesTests {
  /// It ends some time, so that a test of it does.
  private struct Restless<Element: Sendable>: AsyncSequence, Sendable {
    let element: Element

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(element: element) }

    struct AsyncIterator: AsyncIteratorProtocol {
      let element: Element
      var left = 10_000

      mutating func next() async -> Element? {
        left -= 1
        return left < 0 ? nil : element
      }
    }
  }

  enum Form: CaseIterable, Sendable {
    case typed, mixed, listed, merged, returned

    fileprivate func dispatch(to store: Store<Desk>) -> DispatchTask {
      let (typed, mixed) = (
        Restless(element: CountAction.add(1)), Restless<any Action>(element: CountAction.add(1))
      )
      switch self {
      case .typed: return store.dispatch(typed)
      case .mixed: return store.dispatch(mixed)
      case .listed: return store.dispatch(ActionList([AsyncActions(typed)]))
      case .merged: return store.dispatch(AsyncActions.merge(typed))
      case .returned: return store.dispatch(NoteAction.append(0))
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `after 4,096 actions in a row`(form: Form) async throws {
    let running = Recorder<DispatchTask>()
    let test = try TestStore(initialState: Desk(), exhaustivity: .off) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      // It begins when the sequence gives way, because one job at a time runs on a scheduler.
      Effect(on: CountAction.self) { _, _ in running.last?.cancel() }
      Effect(on: NoteAction.self) { _, _ in Restless(element: CountAction.add(1)) }
    }
    test.scheduler.hold()
    running.append(form.dispatch(to: test.store))
    test.scheduler.release()
    await #expect(throws: CancellationError.self) { try await running.last?.finish() }
    #expect(test.store.count == 4_096)
    await test.finish()
  }
}
