/// A child of the state that might not be there, as a scope knows it.
struct ScopedChild: Sendable {
  private let isPresent: @Sendable (_ state: StateAddress) -> Bool
  private let name: String

  init<Child>(_ path: PartPath<Child?>) {
    isPresent = { path.read($0) != nil }
    name = path.footprint.name
  }

  private init(isPresent: @escaping @Sendable (StateAddress) -> Bool, name: String) {
    (self.isPresent, self.name) = (isPresent, name)
  }

  /// Whether it is there; true when the store has gone, which causes no warning.
  func isThere(in core: StoreCore) -> Bool { core.readIfOpen(isPresent) ?? true }

  /// The child of a child: it is there if both are.
  func inside(_ outer: ScopedChild?) -> ScopedChild {
    guard let outer else { return self }
    return ScopedChild(
      isPresent: { [isPresent] in outer.isPresent($0) && isPresent($0) }, name: name)
  }

  func warn(of batch: ActionBatch, in core: StoreCore) {
    guard let warnings = core.warnings else { return }
    var warning = StoreWarning(.departedScope, action: batch.batch.boxed(), at: batch.site)
    warning.property = "`\(name)`"
    warnings.report(warning)
  }
}

/// The last value of a child, for a view that is leaving.
final class LastValue<Child: Sendable>: Sendable {
  private let last: Locked<Child>

  init(_ child: Child) {
    last = Locked(child)
  }

  /// The value that is there, or else the last one there was; called under the lock of the store.
  func value(or present: Child?) -> Child {
    guard let present else { return last.withLock { $0 } }
    let former = last.withLock { exchange(&$0, with: present) }
    // Its release may run a user's `deinit`, and so has to wait until no lock is held.
    if !_isPOD(Child.self) { LateRelease.take(former) }
    return present
  }
}

/// Values that are released by a task, because they were dropped under a lock.
private enum LateRelease {
  private static let values = Locked<[any Sendable]>([])

  static func take(_ value: any Sendable) {
    let isFirst = values.withLock { values in
      values.append(value)
      return values.count == 1
    }
    if isFirst { Task.detached { release() } }
  }

  private static func release() {
    let dropped = values.withLock { exchange(&$0, with: []) }
    withExtendedLifetime(dropped) {}
  }
}
