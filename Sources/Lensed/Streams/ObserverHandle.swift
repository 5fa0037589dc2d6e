internal import Synchronization

/// The registered observer, as its subscription holds it: by number, so that the store alone keeps the observer
/// and releases it, with what its closure holds, when the store goes.
///
/// `phase` decides whether a call may begin.
/// 1. *Writers.* `open` replaces `starting` by one compare-and-exchange, so it never reopens a closed handle.
///    `cancel` stores `closed`, the last phase, with release ordering.
/// 2. *Readers.* The thread that is about to make a call loads the phase with acquire ordering.
/// 3. *A stale `starting`* sends a call through the queue of the observer, which refuses it once it has ended:
///    the caller makes that call itself.
/// 4. *A stale `open`* lets one call begin that was decided on before `cancel` returned, as
///    `StoreSubscription` documents.
@usableFromInline
final class ObserverHandle: Sendable {
  enum Phase: UInt64 {
    /// The subscriber makes the calls; those of later commits line up.
    case starting
    /// The deliverer makes the calls.
    case open
    /// No call may begin.
    case closed
  }

  let registry: any ObserverRegistry
  /// The number of the observer, and its phase in the two lowest bits: one word, because there are many handles.
  private let word: Atomic<UInt64>

  init(id: UInt64, in registry: any ObserverRegistry, startingAt phase: Phase) {
    self.registry = registry
    word = Atomic(id << 2 | phase.rawValue)
  }

  /// Grows with each subscription to a store; observers are called in this order.
  var id: UInt64 { word.load(ordering: .relaxed) >> 2 }

  /// Whether calls may begin.
  @usableFromInline
  var isOpen: Bool { phase != .closed }

  var phase: Phase { Phase(rawValue: word.load(ordering: .acquiring) & 3) ?? .closed }

  /// Lets the deliverer make the calls, unless the subscription was cancelled.
  func open() {
    let number = id << 2
    _ = word.compareExchange(
      expected: number | Phase.starting.rawValue, desired: number | Phase.open.rawValue,
      ordering: .acquiringAndReleasing)
  }

  /// Lets no call begin, and unregisters the observer.
  func cancel() {
    close()
    registry.removeObserver(id)
  }

  /// Lets no call begin.
  func close() {
    word.store(id << 2 | Phase.closed.rawValue, ordering: .releasing)
  }
}

/// A store, as the handles of its observers know it.
@usableFromInline
protocol ObserverRegistry: AnyObject, Sendable {
  /// The executor that its tasks prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Unregisters the observer with this number, if it is registered.
  func removeObserver(_ id: UInt64)

  /// Notes that the deliverer has left the call for a commit to another thread; before it delivers the next commit.
  func noteCallLeft()

  /// Notes that such a call was made, or dropped.
  func noteCallMade()
}
