/// Where one part of the state comes out to those who are called back.
///
/// Under the lock, a commit *captures* the part; without it, the deliverer lends it to the observers
/// and *releases* it. Captures of commits that have to wait for their turn are *queued* and
/// *promoted* when it comes. What only one observer reads is handed over rather than copied. The
/// functions are closures rather than methods so that they are compiled where the type of the part
/// is known.
@usableFromInline
final class Outlet: Sendable {
  @usableFromInline
  typealias Capture =
    @Sendable (_ state: StateAddress, _ revision: UInt64, _ isShared: Bool) -> Void

  /// What of the state is read, or nil when that cannot be seen.
  let footprint: Footprint?
  let capture: Capture
  let queue: @Sendable (_ state: StateAddress, _ revision: UInt64) -> Void
  let promote: @Sendable (_ revision: UInt64) -> Void
  let release: @Sendable () -> Void
  /// Which sub-states touch the footprint; guarded by the store's lock.
  let interest = UnsafeCell(Interest.everything)

  @usableFromInline
  init(
    footprint: Footprint?, capture: @escaping Capture,
    queue: @escaping @Sendable (_ state: StateAddress, _ revision: UInt64) -> Void,
    promote: @escaping @Sendable (_ revision: UInt64) -> Void,
    release: @escaping @Sendable () -> Void
  ) {
    self.footprint = footprint
    self.capture = capture
    self.queue = queue
    self.promote = promote
    self.release = release
  }
}

/// Which commits a reader of the state wants to hear of.
enum Interest: Sendable, Equatable {
  /// Every commit that a reducer handled.
  case everything
  /// Those in which the reducer of one of these slots ran; with none, only replacements.
  case slots([Int])

  /// Whether a commit concerns the reader that ran the reducers of `touched`.
  func isConcerned(by touched: [Int]) -> Bool {
    switch self {
    case .everything: true
    case .slots(let own): own.contains { touched.contains($0) }
    }
  }
}
