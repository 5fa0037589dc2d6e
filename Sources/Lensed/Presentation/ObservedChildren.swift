/// What a child of an observed store was asked for by.
struct ObservedChildKey: Hashable {
  private let keyPath: AnyKeyPath
  private let id: AnyHashable?
  private let tag: ObjectIdentifier?
  /// The number of a prism of actions.
  private let action: UInt64?

  init(
    _ keyPath: AnyKeyPath, _ id: AnyHashable? = nil, tag: (any Any.Type)? = nil,
    action: UInt64? = nil
  ) {
    (self.keyPath, self.id, self.action) = (keyPath, id, action)
    self.tag = tag.map { ObjectIdentifier($0) }
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
