/// What a child of an observed store was asked for by.
struct ObservedChildKey: Hashable {
  /// What the child is of the value at the key path.
  enum Kind: Hashable {
    /// The value itself, which is always there.
    case part
    /// The value of an optional.
    case value
    case row(AnyHashable)
    /// One case of an enum, by the identity of its prism.
    case matching(PrismID)
  }

  private let keyPath: AnyKeyPath
  private let kind: Kind
  private let actions: AnyID?

  init(_ kind: Kind, at keyPath: AnyKeyPath, _ actions: ScopeActions) {
    (self.keyPath, self.kind, self.actions) = (keyPath, kind, actions.id)
  }
}

/// A child of an observed store: the object that the app may hold, and the values that are read through it.
///
/// The values outlive the object. So a view is notified that has read through a child and does not hold it.
@MainActor
class ObservedChild {
  weak var object: AnyObject?
  let values = TrackedValues()

  /// Whether the app does not hold it, and nothing is read through it.
  var isIdle: Bool { object == nil && values.isEmpty }
}

/// A child that might not be there: one of an identity, and how it was shown last.
final class BoundObservedChild<Child: Sendable>: ObservedChild {
  let identity: BoundChild<Child>
  /// Stands for the child once that is not there any more.
  ///
  /// An object of its own: the values of this child hold it by their paths, and must not hold the child.
  private let last: Last

  private final class Last: Sendable {
    let value: Locked<Child>

    init(_ child: Child) { value = Locked(child) }
  }

  init(_ child: Child) {
    identity = BoundChild(child)
    last = Last(child)
  }

  /// Notes what is shown now; not, if the child is not there, or another is.
  func update(_ shown: Child?) {
    guard let shown, identity.isSame(as: shown) else { return }
    // What it replaces is released without the lock.
    _ = last.value.withLock { exchange(&$0, with: shown) }
  }

  /// Returns how the child was shown last; from any thread.
  nonisolated var substitute: @Sendable () -> Child {
    { [last] in last.value.withLock { $0 } }
  }
}
