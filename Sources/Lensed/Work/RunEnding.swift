internal import Synchronization

// How the end of a run is told:
//
// 1. A job of an effect that is `ended` is made with a `RunEnding`. Its work is *untold*: that keeps it unfinished, and
//    in its queue, without counting as its own code.
// 2. A policy, a tie or an error that ends the run notes the reason in the work. The first reason stands. So does what
//    first stops the run (`RunEnder`): after an error, its handler may go on.
// 3. As soon as the run can commit nothing more, `WorkNode.tell` takes the ending, once: after a cancelling pass, or
//    when the code has returned and nothing is left that the run owns.
// 4. Without a lock, the ending is told. What it commits belongs to a child of the work that no cancellation reaches.
// 5. The work is told, and may finish.
//
// A trigger that a policy ignores, or that a newer one replaces in its wait, forgets its ending. What is told of a run that
// an old state has ended is no step of its own, or is not applied: see `RunEnder`.

/// How a run of an effect ended, as `Effect.ended(_:)` is given it.
///
/// ```swift
/// effect.ended { end, _ in
///   switch end {
///   case .finished, .superseded: nil
///   case .failed, .cancelled, .gone: LoadStopped()
///   }
/// }
/// ```
public enum EffectEnd: Sendable {
  /// Its code has returned, and all that it had under way has ended.
  case finished
  /// Its code has thrown this error.
  case failed(any Error)
  /// An action or the cancellation of its dispatch ended it, or the effect was removed.
  case cancelled
  /// A newer trigger took its place, by the policy.
  case superseded
  /// The value that it was tied to, or its child, went away or became another.
  case gone
}

/// What ends a run, as far as it matters to what is told of that.
enum RunEnder: UInt8, Sendable {
  case ordinary
  /// An undo, a redo or a jump: what comes of the end is no step, and keeps the redo list.
  case journey
  /// The commit of a replay: nothing is applied that comes of the end, because the session has the state after it.
  case replay
}

/// Tells how one run ended, once: a trigger that has waited, and its job, share it.
final class RunEnding: Sendable {
  /// Tells it, as a part of `teller`; without one only warns, because endings have led to each other for too long.
  typealias Tell = @Sendable (_ end: EffectEnd, _ teller: WorkNode?) -> Void

  let label: WorkLabel
  private let tell: Tell
  private let isTold = Atomic(false)

  init(of label: WorkLabel, _ tell: @escaping Tell) {
    (self.label, self.tell) = (label, tell)
  }

  /// Tells it, without a lock.
  fileprivate func tell(_ end: EffectEnd, by makeTeller: () -> WorkNode?) {
    if isTold.exchange(true, ordering: .acquiringAndReleasing) { return }
    let teller = makeTeller()
    tell(end, teller)
    teller?.endClaim()
  }
}

extension WorkNode {
  /// The ending that the work is yet to tell.
  var ending: RunEnding? { state.withLock { $0.ending } }

  /// Notes why the run of the work ends, if that is to be told or recorded, unless it was noted before.
  func note(_ end: EffectEnd, by ender: RunEnder = .ordinary) {
    state.withLock { state in
      if state.ending == nil && state.trace == nil { return }
      // It is noted before the run is stopped.
      if !isStopped && state.ender == .ordinary { state.ender = ender }
      state.note(end)
    }
  }

  /// Lets the work tell no end, while its claim is held; returns what is to be released without a lock.
  func forgetEnding() -> RunEnding? {
    state.withLock { state in
      state.machine.isUntold = false
      return state.ending.take()
    }
  }

  /// Whether the work tells the end of a run.
  var isTeller: Bool {
    if case .ending = label { true } else { false }
  }

  /// The loop that tells ends on this thread: what an ending dispatches may end other runs, whose ends it tells next.
  @TaskLocal private static var telling:
    ThreadLoop<RingBuffer<(work: WorkNode, ending: RunEnding)>>?

  /// Tells the ends of works whose runs can commit nothing more, without a lock; does nothing for those that were told.
  static func tell(_ works: [WorkNode]) {
    var ends = RingBuffer<(work: WorkNode, ending: RunEnding)>()
    for work in works {
      if let ending = work.state.withLock({ $0.ending.take() }) { ends.append((work, ending)) }
    }
    if ends.isEmpty { return }
    if let telling, telling.isOpen {
      let new = ends.removeAll()
      return telling.edit { items in for item in new { items.append(item) } }
    }
    let loop = ThreadLoop(consume ends)
    $telling.withValue(loop) {
      while let item = loop.next({ $0.popFirst() }) { item.work.tell(item.ending) }
    }
  }

  private func tell(_ ending: RunEnding) {
    if !store.isClosed {
      let end = isStopped ? EffectEnd.cancelled : .finished
      let (reason, ender) = state.withLock { ($0.note(end), $0.ender) }
      ending.tell(reason) { makeTeller(of: ending, reason, by: ender) }
    }
    // The error is not kept with the work: its context may lead back to it. A trace is yet to record it.
    let end = state.withLock { $0.trace == nil ? $0.end.take() : nil }
    if complete(state.withLock { $0.markTold() }) { store.keepAlive(self) }
    withExtendedLifetime(end) {}
    queue?.remove(self)
  }

  /// How many runs in a row may end each other before nothing more comes of it.
  private static let mostEndings = 1_000

  /// The work that tells an end; nil where too many have led to each other.
  private func makeTeller(
    of ending: RunEnding, _ end: EffectEnd, by ender: RunEnder
  ) -> WorkNode? {
    let isInterrupted =
      switch end {
      case .finished, .failed: false
      case .cancelled, .superseded, .gone: true
      }
    if isInterrupted && endings >= Self.mostEndings { return nil }
    let teller = WorkNode(
      .ending(of: ending.label.name, by: ender), in: store, under: self,
      relation: .independent, hasClaim: true, endings: isInterrupted ? endings + 1 : 0)
    teller.attach(to: self)
    if ender == .replay { teller.cancel() }
    return teller
  }
}
