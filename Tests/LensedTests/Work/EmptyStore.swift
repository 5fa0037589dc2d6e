import LensedTestSupport

@testable import Lensed

/// A store for works alone: no commit is ever under way in it.
final class EmptyStore: WorkStore {
  private let revocation = Locked(())

  var taskExecutor: (any TaskExecutor)? { nil }
  var isClosed: Bool { false }
  var isEntered: Bool { false }
  func callLater(_ body: @escaping @Sendable () -> Void) { body() }
  func whileRevoking(_ body: () -> Void) { revocation.withLock { _ in body() } }
  func unregisterWork(at registryIndex: Int) {}
  func uncountWork() {}
  func workChanged() {}
  func checkEntry(_ intrusion: @autoclosure () -> String) {}
  func awaitCommit() {}
  func keepAlive(_ work: WorkNode) {}
  func numberRun() -> (number: UInt64, time: Duration)? { nil }
  func recordRun(_ make: (_ time: Duration) -> RecordedRun?) {}
  func report(_ error: any Error, of work: WorkNode) {}
}
