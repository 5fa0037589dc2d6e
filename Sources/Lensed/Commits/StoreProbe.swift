/// What a test has of each store that is made while it is current: where its tasks run, and what it reports.
package final class StoreProbe: Sendable {
  /// The probe of the stores that are made while this has a value.
  @TaskLocal package static var current: StoreProbe?

  /// The executor that the tasks of the store prefer, so that the test knows when they rest; nil is the global one.
  let executor: (any TaskExecutor)?
  /// Called without a lock wherever other threads may act in the middle of a commit's delivery: it may run tasks,
  /// dispatch, and call observers.
  let attack: (@Sendable () -> Void)?
  private let onEffectError: EffectErrorHandler
  let onWarning: StoreWarningHandler

  /// A probe.
  package init(
    executor: (any TaskExecutor)? = nil, onEffectError: @escaping EffectErrorHandler = { _ in },
    onWarning: @escaping StoreWarningHandler = { _ in }, attack: (@Sendable () -> Void)? = nil
  ) {
    (self.executor, self.attack) = (executor, attack)
    (self.onEffectError, self.onWarning) = (onEffectError, onWarning)
  }

  /// A handler that is followed by the probe's, if there is one; without either, a line on the standard error stream.
  static func observed(_ handler: EffectErrorHandler?) -> EffectErrorHandler {
    guard let probe = current else { return handler ?? EffectError.report }
    return { error in
      handler?(error)
      probe.onEffectError(error)
    }
  }
}
