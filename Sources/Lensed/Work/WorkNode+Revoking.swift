internal import Synchronization

extension WorkNode {
  /// Forbids the commits of the work, and of what its run owns.
  ///
  /// Called under the lock of the store: no such commit begins once that lock is released. The work is then
  /// to be dropped without the lock, which ends its task.
  func revokeCommits() {
    var works = [self]
    while let work = works.popLast() {
      work.permission.store(.revoked, ordering: .releasing)
      works += work.state.withLock { state in
        state.machine.links.values.filter { $0.relation == .owned }.map(\.child)
      }
    }
  }
}
