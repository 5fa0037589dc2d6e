internal import Synchronization

// How the end of a run is told:
//
// 1. A job of an effect that is `ended` is made with a `RunEnding`. Its work is *untold*: that keeps it unfinished, and
//    in its queue, without counting as its own code.
// 2. A policy, a tie or an error that ends the run notes the reason. The first reason stands.
// 3. As soon as the run can commit nothing more, `WorkNode.tell` takes the ending, once: after a cancelling pass, or
//    when the code has returned and nothing is left that the run owns.
// 4. Without a lock, the ending is told. What it commits belongs to a child of the work that no cancellation reaches.
// 5. The work is told, and may finish.
//
// A trigger that a policy ignores, or that a newer one replaces in its wait, forgets its ending.

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

/// Tells how one run ended, once.
final class RunEnding: Sendable {
  /// Tells it, as a part of `teller`; without one only warns, because endings have led to each other for too long.
  typealias Tell = @Sendable (_ end: EffectEnd, _ teller: WorkNode?) -> Void

  private struct State: Sendable {
    var end: EffectEnd?
    var isTold = false
  }

  let name: WorkLabel
  private let tell: Tell
  private let state = Locked(State())

  init(of name: WorkLabel, _ tell: @escaping Tell) {
    (self.name, self.tell) = (name, tell)
  }

  /// Notes why the run ends, unless that was noted before.
  func note(_ end: EffectEnd) {
    state.withLock { if $0.end == nil { $0.end = end } }
  }

  /// Tells it, without a lock; `end` is what was not noted otherwise.
  fileprivate func tell(_ end: EffectEnd, by makeTeller: (_ end: EffectEnd) -> WorkNode?) {
    let noted = state.withLock { state -> EffectEnd? in
      if exchange(&state.isTold, with: true) { return nil }
      return state.end ?? end
    }
    guard let noted else { return }
    let teller = makeTeller(noted)
    tell(noted, teller)
    teller?.endClaim()
  }
}

extension WorkNode {
  /// The ending that the work is yet to tell.
  var ending: RunEnding? { state.withLock { $0.ending } }

  /// Notes why the run of the work ends, if that is to be told.
  func note(_ end: EffectEnd) {
    // Where the run is recorded, what is recorded is what is told.
    let standing = trace?.note(end, of: self) ?? end
    ending?.note(standing)
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

  /// Tells the ends of works whose runs can commit nothing more, without a lock; does nothing for those that were told.
  static func tell(_ works: [WorkNode]) {
    var ends: [TellingLoop.Item] = []
    for work in works {
      if let ending = work.state.withLock({ $0.ending.take() }) { ends.append((work, ending)) }
    }
    if !ends.isEmpty { TellingLoop.tell(ends) }
  }

  fileprivate func tell(_ ending: RunEnding) {
    if !store.isClosed {
      let end = isStopped ? EffectEnd.cancelled : .finished
      ending.tell(trace?.note(end, of: self) ?? end) { makeTeller(of: ending, $0) }
    }
    if complete(state.withLock { $0.markTold() }) { store.keepAlive(self) }
    queue?.remove(self)
  }

  /// How many runs in a row may end each other before nothing more comes of it.
  private static let mostEndings = 1_000

  /// The work that tells an end; nil where too many have led to each other.
  private func makeTeller(of ending: RunEnding, _ end: EffectEnd) -> WorkNode? {
    let isInterrupted =
      switch end {
      case .finished, .failed: false
      case .cancelled, .superseded, .gone: true
      }
    if isInterrupted && endings >= Self.mostEndings { return nil }
    let teller = WorkNode(
      .ending(of: ending.name.effect ?? "\(ending.name)"), in: store, under: self,
      relation: .independent, hasClaim: true, endings: isInterrupted ? endings + 1 : 0)
    teller.attachToParent()
    return teller
  }
}

/// Tells ends one after another on one thread: what an ending dispatches may end other runs, whose ends are told after
/// it by the same loop, so that a chain of them takes no stack.
///
/// A task that was started meanwhile inherits `current`, and may outlive the loop on another thread: `thread` and
/// `isOver` refuse its additions.
private final class TellingLoop: Sendable {
  typealias Item = (work: WorkNode, ending: RunEnding)

  private struct State: Sendable {
    var items: RingBuffer<Item>
    var isOver = false
  }

  @TaskLocal static var current: TellingLoop?

  private let state: Locked<State>
  private let thread = ThreadIdentity.current

  private init() {
    state = Locked(State(items: RingBuffer()))
  }

  static func tell(_ items: [Item]) {
    if let current, current.add(items) { return }
    let loop = TellingLoop()
    _ = loop.add(items)
    $current.withValue(loop) {
      while let item = loop.next() { item.work.tell(item.ending) }
    }
  }

  /// Adds ends, to be told after those that are there; false if the loop is over, or of another thread.
  private func add(_ items: [Item]) -> Bool {
    guard thread == ThreadIdentity.current else { return false }
    return state.withLock { state in
      if state.isOver { return false }
      for item in items { state.items.append(item) }
      return true
    }
  }

  private func next() -> Item? {
    state.withLock { state in
      let item = state.items.popFirst()
      if item == nil { state.isOver = true }
      return item
    }
  }
}
