internal import Synchronization

/// Tells a mirror on the main actor that something it shows was touched, from any thread.
///
/// While the mirror itself is dispatching, a ring is only noted: whoever dispatches looks when it is
/// done. At any other time the first ring calls for somebody to look. So a commit that a mirror made
/// itself schedules nothing, and which thread rings never matters.
@usableFromInline
final class DirtyFlag: Sendable {
  private struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    /// Something was touched, and nobody has looked since.
    static let rung = Flags(rawValue: 1)
    /// The mirror is dispatching.
    static let attended = Flags(rawValue: 2)
  }

  private let flags = Atomic<UInt8>(0)

  init() {}

  /// Notes that something was touched; any thread.
  ///
  /// - Returns: Whether nobody is going to look who does so already.
  func ring() -> Bool {
    flags.bitwiseOr(Flags.rung.rawValue, ordering: .acquiringAndReleasing).oldValue == 0
  }

  /// Says that the mirror begins to dispatch.
  ///
  /// - Returns: Whether it was not doing so already.
  @usableFromInline
  func attend() -> Bool {
    let old = flags.bitwiseOr(Flags.attended.rawValue, ordering: .acquiringAndReleasing).oldValue
    return !Flags(rawValue: old).contains(.attended)
  }

  /// Takes note of all rings so far, before looking.
  func answer() {
    flags.bitwiseAnd(~Flags.rung.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Says that the mirror is done dispatching, if nothing was touched that it has not looked at.
  func leave() -> Bool {
    flags.compareExchange(
      expected: Flags.attended.rawValue, desired: 0, ordering: .acquiringAndReleasing
    ).exchanged
  }
}
