import LensedTestSupport
import Testing

@testable import Lensed

/// The runs take no notice of their end until a gate opens.
@Suite("A trigger after the end of a run begins one, whatever the policy", .timeLimit(.minutes(30)))
struct EndedRunPolicyTests {
  private struct Refresh: Action { let number: Int }
  private struct Stop: Action {}
  private struct Show: Action { let session: Session? }
  private struct Done: Action { let number: Int }
  private struct Session: Sendable, Identifiable, Equatable { let id: Int }

  private struct App: Sendable {
    var done: [Int] = []
    var session: Session? = Session(id: 1)
  }

  enum End: CaseIterable, Sendable {
    case arrayWithAction, action, lostTie, otherTie, cancel, cancelledFinish
  }

  @Test(arguments: [EffectPolicy.concurrent, .latest, .first, .serial, .limited(1)], End.allCases)
  func `whatever has ended it`(policy: EffectPolicy, end: End) async throws {
    let gate = Gate()
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.done) { (done: inout [Int], action: Done) in done.append(action.number) }
      Mutator(\.session) { (session: inout Session?, show: Show) in session = show.session }
      Effect<App>(on: Refresh.self, policy) { refresh, context -> Void in
        await Task { try? await gate.wait() }.value
        context.dispatch(Done(number: refresh.number))
      }
      .cancelled(on: Stop.self).tied(to: \.session)
    }
    if end == .arrayWithAction {
      store.dispatch([Refresh(number: 1), Stop(), Refresh(number: 2)] as [any Action])
    } else {
      let task = store.dispatch(Refresh(number: 1))
      await gate.waitForWaiters()
      switch end {
      case .arrayWithAction: break
      case .action: store.dispatch(Stop())
      case .lostTie:
        store.dispatch(Show(session: nil))
        store.dispatch(Show(session: Session(id: 1)))
      case .otherTie: store.dispatch(Show(session: Session(id: 2)))
      case .cancel: task.cancel()
      case .cancelledFinish:
        let waiting = Task { try await task.finish() }
        waiting.cancel()
        await Threads.apart { Threads.wait { task.isCancelled } }
      }
      store.dispatch(Refresh(number: 2))
    }
    gate.open()
    try await store.settled()
    #expect(store.done == [2])
  }

  @Test func `a run that goes on is the first, also beside one that was ended`() async throws {
    let gate = Gate()
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.done) { (done: inout [Int], action: Done) in done.append(action.number) }
      Effect<App>(on: Refresh.self, .first) { refresh, context -> Void in
        await Task { try? await gate.wait() }.value
        context.dispatch(Done(number: refresh.number))
      }
      .cancelled(on: Stop.self)
    }
    store.dispatch(
      [Refresh(number: 1), Stop(), Refresh(number: 2), Refresh(number: 3)] as [any Action])
    gate.open()
    try await store.settled()
    #expect(store.done == [2])
  }

  @Test func `a run past its limit is the first until its code returns: it may be tried again`()
    async throws
  {
    let (gate, clock) = (Gate(), ManualClock())
    let isLate = Gate()
    let begun = Recorder<Int>()
    let store = try Store(initialState: App(), coverage: .partial, onEffectError: { _ in }) {
      Effect<App>(on: Refresh.self, .first) { refresh, _ in
        begun.append(refresh.number)
        await withTaskCancellationHandler {
          await Task { try? await gate.wait() }.value
        } onCancel: {
          isLate.open()
        }
      }
      .timedOut(after: .seconds(1), clock: clock)
    }
    let first = store.dispatch(Refresh(number: 1))
    await clock.waitForSleepers()
    await gate.waitForWaiters()
    clock.move(by: .seconds(1))
    try await isLate.wait()
    store.dispatch(Refresh(number: 2))
    gate.open()
    try await first.finish()
    try await store.dispatch(Refresh(number: 3)).finish()
    #expect(begun.values == [1, 3])
  }
}
