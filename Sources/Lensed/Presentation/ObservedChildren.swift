/// What a child of an observed store was asked for by.
struct ObservedChildKey: Hashable {
  /// What the child is of the value at the key path.
  enum Kind: Hashable {
    /// The value itself, which is always there.
    case part
    /// The value of an optional.
    case value
    case row(AnyHashable)
    /// One case of an enum, by the number of its prism.
    case matching(UInt64)
  }

  /// How the actions of the child are transformed on their way.
  enum Actions: Hashable {
    case unchanged
    case tagged(ObjectIdentifier)
    /// Embedded by the prism with this number.
    case embedded(UInt64)
  }

  private let keyPath: AnyKeyPath
  private let kind: Kind
  private let actions: Actions

  init(_ kind: Kind, at keyPath: AnyKeyPath, _ actions: Actions = .unchanged) {
    (self.keyPath, self.kind, self.actions) = (keyPath, kind, actions)
  }

  init(_ kind: Kind, at keyPath: AnyKeyPath, tagged tag: (some Any).Type) {
    self.init(kind, at: keyPath, .tagged(ObjectIdentifier(tag)))
  }
}

/// The children of an observed store that the app still holds.
@MainActor
final class ObservedChildren {
  private struct Holder {
    weak var child: AnyObject?
  }

  private var holders: [ObservedChildKey: Holder] = [:]
  /// The number of holders at which those of released children are removed.
  private var limit = 16

  nonisolated init() {}

  func known<Child: AnyObject>(_ key: ObservedChildKey) -> Child? {
    holders[key]?.child as? Child
  }

  /// The child that is held, or else a new one.
  func child<Child: AnyObject>(_ key: ObservedChildKey, _ make: () -> Child) -> Child {
    if let known: Child = known(key) { return known }
    if holders.count >= limit {
      holders = holders.filter { $0.value.child != nil }
      limit = max(16, holders.count * 2)
    }
    let child = make()
    holders[key] = Holder(child: child)
    return child
  }
}
