internal import Synchronization

/// Somebody who is called back for commits.
final class Observer: Sendable {
  /// Grows with each subscription; observers hear in this order.
  let id: UInt64
  let outlets: [Outlet]
  private let deliver: @Sendable (_ revision: UInt64) -> Void
  private let isCancelled = Atomic(false)

  init(
    id: UInt64, outlets: [Outlet], deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) {
    self.id = id
    self.outlets = outlets
    self.deliver = deliver
  }

  func hear(_ revision: UInt64) {
    if !isCancelled.load(ordering: .acquiring) { deliver(revision) }
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
  }
}

/// Whom one commit concerns: never changed once made, so it is handed out without a copy.
final class Audience: Sendable {
  let observers: [Observer]
  let outlets: [Outlet]
  /// Which membership it was drawn from.
  let membership: UInt64

  init(_ observers: [Observer], membership: UInt64) {
    self.observers = observers
    self.membership = membership
    var seen: Set<ObjectIdentifier> = []
    outlets = observers.flatMap(\.outlets).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

/// One commit's calls, yet to be made.
struct Delivery: Sendable {
  let audience: Audience
  let revision: UInt64
  let baton: Baton
}

/// What is left to do for a commit once the lock is released.
struct Aftermath: Sendable {
  /// Readers to wake.
  var wake: ContiguousArray<Signal> = []
  /// Calls to make, when it is this thread that makes them.
  var delivery: Delivery?
  /// What may run a user's `deinit`, and so must not be released under the lock.
  var trash: [any Sendable] = []

  init() {}

  var isEmpty: Bool { wake.isEmpty && delivery == nil && trash.isEmpty }
}
