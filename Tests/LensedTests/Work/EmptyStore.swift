import LensedTestSupport

@testable import Lensed

/// A store for works alone: no commit is ever under way in it.
final class EmptyStore: WorkStore {
  private let revocation = Locked(())

  func whileRevoking(_ body: () -> Void) { revocation.withLock { _ in body() } }
  func unregisterWork(at registryIndex: Int) {}
  func uncountWork() {}
  func workChanged() {}
  func awaitCommit() {}
  func report(_ error: any Error, of work: WorkNode) {}
}
