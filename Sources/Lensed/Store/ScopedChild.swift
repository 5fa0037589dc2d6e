/// A child of the state that might not be there, as a scope knows it.
struct ScopedChild: Sendable {
  private let isPresent: @Sendable (_ state: StateAddress) -> Bool
  private let name: String
  /// Where looking leaves the values that it replaces.
  private let formers: FormerValues?

  init<Child>(_ path: PartPath<Child?>) {
    self.init(
      isPresent: { path.read($0) != nil }, name: path.footprint.name, formers: path.formers)
  }

  private init(
    isPresent: @escaping @Sendable (StateAddress) -> Bool, name: String, formers: FormerValues?
  ) {
    (self.isPresent, self.name, self.formers) = (isPresent, name, formers)
  }

  /// Whether it is there; true when the store has gone, which causes no warning.
  func isThere(in core: StoreCore) -> Bool {
    defer { formers?.release() }
    return core.readIfOpen(isPresent) ?? true
  }

  /// The child of a child: it is there if both are.
  func inside(_ outer: ScopedChild?) -> ScopedChild {
    guard let outer else { return self }
    return ScopedChild(
      isPresent: { [isPresent] in outer.isPresent($0) && isPresent($0) }, name: name,
      // Those of a child inside of another release those of the outer one, too.
      formers: formers ?? outer.formers)
  }

  func warn(of batch: ActionBatch, from site: CallSite, in core: StoreCore) {
    guard let warnings = core.warnings else { return }
    var warning = StoreWarning(.departedScope, action: batch.boxed(), at: site)
    warning.property = "`\(name)`"
    warnings.report(warning)
  }
}

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
