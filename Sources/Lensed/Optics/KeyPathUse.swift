/// What a key path is given for that is read, or written, whenever the state has changed: there it must not trap.
///
/// A key path with `!`, or with an index of an array, traps in some states, under the lock of the store. So it is
/// refused when it is given, with a sentence. A lens made of it is not: `Lens(\.squares[3])` says that the part
/// is always there.
@usableFromInline
enum KeyPathUse: String, Sendable {
  case mutator, lift, scope, stream, effect, input, history

  /// Traps if reading a key path traps in some states, as far as can be seen.
  @usableFromInline
  func check(_ keyPath: AnyKeyPath) {
    guard let step = TrappingStep(in: keyPath) else { return }
    let when =
      switch step {
      case .forcedOptional: "the optional in it is nil"
      case .index: "the array in it is too short"
      }
    fatalError("Lensed: the \(rawValue) of \(keyPath) would trap whenever \(when). \(remedy(step))")
  }

  private func remedy(_ step: TrappingStep) -> String {
    switch (self, step) {
    case (.mutator, .forcedOptional):
      "Write a mutator of the optional itself, or of the part alone, and make it optional()."
    case (.lift, .forcedOptional):
      "Make what is lifted optional(), and lift that to the optional itself."
    case (.scope, .forcedOptional):
      """
      Write scope(…) of the optional itself: it is nil when the part is, and dispatches in the terms of the part. \
      What follows is a scope of that one.
      """
    case (.stream, .forcedOptional), (.effect, .forcedOptional), (.input, .forcedOptional):
      "Write `?` in place of `!`: the value is nil whenever the optional is."
    case (.history, .forcedOptional):
      "Record the optional itself."
    case (.mutator, .index), (.lift, .index):
      "Make it identified() or offset(), for the array itself. \(lens)"
    case (.scope, .index):
      "Write scope(_:id:) of the array itself: it is nil when the element is not there. \(lens)"
    case (.stream, .index), (.effect, .index), (.input, .index):
      "Write the array itself with `id:`: the value is nil whenever the element is not there. \(lens)"
    case (.history, .index):
      "Record the array itself. \(lens)"
    }
  }

  private var lens: String { "If it is never shorter, give a lens: `Lens(…)`." }
}

extension Lens {
  /// The lens of a key path that must not trap.
  @inlinable
  init(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, for use: KeyPathUse
  ) {
    self.init(keyPath)
    if case .closures = location { use.check(keyPath) }
  }
}

extension PartPath {
  /// The part at a key path that must not trap.
  @inlinable
  init<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable, for use: KeyPathUse) {
    self.init(keyPath)
    if offset == nil { use.check(keyPath) }
  }
}
