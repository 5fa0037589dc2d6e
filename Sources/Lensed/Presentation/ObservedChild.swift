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

/// What an observed store was asked for by one key: a child or, where it might not be there, those that were in its place.
@MainActor
class ObservedChild {
  /// Whether the app holds none, and nothing is read through any.
  var isIdle: Bool { true }

  /// Lets go of the values that nobody tracks, of children that the app does not hold.
  func removeUntracked() {}
}

/// The object that the app may hold, and the values that are read through it.
///
/// The values outlive the object. So a view is notified that has read through a child and does not hold it.
class ObservedPart: ObservedChild {
  weak var object: AnyObject?
  let values = TrackedValues()

  override var isIdle: Bool { object == nil && values.isEmpty }

  override func removeUntracked() {
    if object == nil { values.removeUntracked() }
  }
}

/// The children that have been in one place, of which the app holds an object, or something is read through: the one that
/// is there now, and those that have left, of which one may come back.
final class BoundObservedChildren<Child: Sendable>: ObservedChild {
  private var all: [BoundObservedChild<Child>] = []

  override var isIdle: Bool { all.allSatisfy(\.isIdle) }

  override func removeUntracked() {
    for child in all { child.removeUntracked() }
    all.removeAll(where: \.isIdle)
  }

  /// Returns the one that has the identity of `shown`.
  func child(like shown: Child) -> BoundObservedChild<Child> {
    if let known = all.first(where: { $0.identity.isSame(as: shown) }) { return known }
    all.removeAll(where: \.isIdle)
    let child = BoundObservedChild(shown)
    all.append(child)
    return child
  }

  /// Notes what is shown now; not, if the child is not there.
  func update(_ shown: Child?) {
    guard let shown else { return }
    all.first { $0.identity.isSame(as: shown) }?.update(shown)
  }
}

/// A child that might not be there: one of an identity, and how it was shown last.
final class BoundObservedChild<Child: Sendable>: ObservedPart {
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

  /// Notes how it is shown now.
  func update(_ shown: Child) {
    // What it replaces is released without the lock.
    _ = last.value.withLock { exchange(&$0, with: shown) }
  }

  /// Returns how the child was shown last; from any thread.
  nonisolated var substitute: @Sendable () -> Child {
    { [last] in last.value.withLock { $0 } }
  }
}
