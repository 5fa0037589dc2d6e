/// The value of a child that was read last, for a view that is leaving.
final class LastValue<Child: Sendable>: Sendable {
  private let last: Locked<Child>
  private let formers: FormerValues

  init(_ child: Child, formers: FormerValues) {
    last = Locked(child)
    self.formers = formers
  }

  /// The value that is there, or else the one that was read last; under the lock of the store, or of a copy.
  func value(or present: Child?) -> Child {
    guard let present else { return last.withLock { $0 } }
    let former = last.withLock { last -> Child? in
      // `present` holds what an unchanged value refers to.
      !_isPOD(Child.self) && haveSameBytes(last, present) ? nil : exchange(&last, with: present)
    }
    // Its release may run a user's `deinit`, and so has to wait until no lock is held.
    if let former, !_isPOD(Child.self) { formers.deferRelease(former) }
    return present
  }
}
