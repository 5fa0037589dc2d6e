internal import Synchronization

/// A flag that threads share, set once for all.
///
/// It is stored with release and loaded with acquire ordering: who finds it set sees what came before.
final class SharedFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
