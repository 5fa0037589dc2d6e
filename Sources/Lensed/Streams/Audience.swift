/// The observers of one commit; never changed once made, so it is handed out without a copy.
///
/// It counts no references to its observers. They live as long as they are in the table, and those
/// that left it are kept until there is no deliverer.
final class Audience: Sendable {
  /// The one observer and the one part it reads: the usual case, without the loops.
  private struct Solo: Sendable {
    let observer: Unretained<Observer>
    let capture: Unretained<PartCapture>
  }

  private let solo: Solo?
  private let observers: ContiguousArray<Unretained<Observer>>
  private let captures: ContiguousArray<Unretained<PartCapture>>
  let baton: Baton
  /// The commit whose calls are made; belongs to the deliverer.
  let delivered = UnsafeCell<UInt64>(0)

  /// `isTouched` says which parts the commits touch that it is drawn for: what they do not touch is
  /// not captured, however many of its observers read it.
  init(
    _ observers: [Observer], baton: Baton,
    touching isTouched: (PartCapture) -> Bool = { _ in true }
  ) {
    self.observers = ContiguousArray(observers.map { Unretained($0) })
    self.baton = baton
    let touched = observers.flatMap(\.captures.all).filter(isTouched)
    solo =
      observers.count == 1 && touched.count == 1
      ? Solo(observer: Unretained(observers[0]), capture: Unretained(touched[0])) : nil
    captures = ContiguousArray(touched.map { Unretained($0) })
  }

  var isEmpty: Bool { observers.isEmpty }

  /// Has the parts captured that a commit touched; under the lock, for the deliverer.
  @inline(__always)
  func capture(_ state: StateAddress, _ revision: UInt64) {
    delivered.value = revision
    if let solo { return solo.capture.lend { $0.capture(state, revision) } }
    captureAll(state, revision)
  }

  @inline(never)
  private func captureAll(_ state: StateAddress, _ revision: UInt64) {
    for index in captures.indices {
      captures[index].lend { $0.capture(state, revision) }
    }
  }

  /// Calls the observers, then releases the values that were captured for them.
  @inline(__always)
  func deliver(_ revision: UInt64) {
    if let solo {
      // What the observer reads, it has taken; unless it was cancelled.
      if !solo.observer.lend({ $0.notify(revision) }) { solo.capture.lend { $0.release() } }
    } else {
      deliverAll(revision)
    }
  }

  @inline(never)
  private func deliverAll(_ revision: UInt64) {
    var allNotified = true
    for index in observers.indices {
      if !observers[index].lend({ $0.notify(revision) }) { allNotified = false }
    }
    // An observer has taken what it reads, unless it was cancelled.
    if allNotified { return }
    for index in captures.indices { captures[index].lend { $0.release() } }
  }

  /// Hands out each part that is read.
  func forEachCapture(_ body: (PartCapture) -> Void) {
    for capture in captures { capture.lend(body) }
  }
}
