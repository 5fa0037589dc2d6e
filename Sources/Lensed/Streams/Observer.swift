internal import Synchronization

/// Whether calls may begin.
@usableFromInline
final class CancellationFlag: Sendable {
  enum Phase: UInt8, AtomicRepresentable {
    /// The first call is being made; later ones line up behind it.
    case starting
    case open
    case closed
  }

  private let phase = Atomic(Phase.starting)

  @usableFromInline
  init() {}

  @usableFromInline
  var isOpen: Bool { look() != .closed }

  func look() -> Phase { phase.load(ordering: .acquiring) }

  /// Lets calls begin without lining up, unless none may begin any more.
  func open() {
    _ = phase.compareExchange(
      expected: .starting, desired: .open, ordering: .acquiringAndReleasing)
  }

  func close() {
    phase.store(.closed, ordering: .releasing)
  }
}

/// Somebody who is called back for commits.
///
/// Its calls never overlap. At first the subscriber makes them, beginning with the one of the first value,
/// and what the deliverer has for the observer lines up; once none waits, the deliverer makes them.
final class Observer: Sendable {
  /// Takes what the given commit left of a part, and puts it where the first value was.
  typealias Hand = @Sendable (_ revision: UInt64) -> (@Sendable () -> Void)?

  /// Grows with each subscription; observers hear in this order.
  let id: UInt64
  let outlets: [Outlet]
  let gate: CancellationFlag
  /// Takes what was captured of each part, for a call that is made later.
  private let hands: [Hand]
  private let line = CallQueue()
  private let deliver: @Sendable (_ revision: UInt64) -> Void

  init(
    id: UInt64, outlets: [Outlet], hands: [Hand], gate: CancellationFlag,
    deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) {
    self.id = id
    self.outlets = outlets
    self.hands = hands
    self.gate = gate
    self.deliver = deliver
  }

  /// Makes the first call, and those that line up meanwhile; by the subscriber.
  func start() {
    makeFirstCall()
    letPass()
  }

  func makeFirstCall() {
    if gate.isOpen { deliver(0) }
  }

  /// Makes the calls that have lined up, and lets the deliverer make the later ones.
  func letPass() {
    if line.end() { gate.open() }
  }

  /// Calls back, unless the subscription was cancelled; by the deliverer.
  ///
  /// - Returns: Whether it has taken what was captured for it.
  func hear(_ revision: UInt64) -> Bool {
    switch gate.look() {
    case .closed: return false
    case .open: deliver(revision)
    case .starting: lineUp(revision)
    }
    return true
  }

  private func lineUp(_ revision: UInt64) {
    let hands = hands.compactMap { $0(revision) }
    let call = { @Sendable [gate, deliver] in
      for hand in hands { hand() }
      if gate.isOpen { deliver(0) }
    }
    if !line.submit(call) {
      call()
      // Nobody else makes calls from here on.
      gate.open()
    }
  }
}
