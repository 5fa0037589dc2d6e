/// A value that is worked out over time, and what stands in for it meanwhile.
///
/// ```swift
/// AsyncResult { try await api.product() }
///   .map(Page.product)
///   .whileLoading(.loading)
///   .recover { _ in .failed }
/// ```
///
/// It is a description: nothing runs until an `AsyncMutator` runs it, or `value()` is awaited, and it
/// runs once each time. Cancelling the task that runs it cancels it; a cancellation is never
/// recovered from.
public struct AsyncResult<Value: Sendable>: Sendable {
  /// Shows what stands in for the value from here on.
  typealias Stand = @Sendable (Value) -> Void
  typealias Course = @concurrent @Sendable (_ show: @escaping Stand) async throws -> Value

  /// What stands in for the value from the start.
  let loading: Value?
  /// Works the value out; calls `show` with what stands in for it later on.
  let work: Course

  init(loading: Value?, work: @escaping Course) {
    self.loading = loading
    self.work = work
  }

  /// The result of some work.
  public init(_ work: @escaping @concurrent @Sendable () async throws -> Value) {
    self.init(loading: nil) { _ in try await work() }
  }

  /// A value that is there already.
  public init(value: Value) {
    self.init(loading: nil) { _ in value }
  }

  /// A failure.
  public init(error: any Error) {
    self.init(loading: nil) { _ in throw error }
  }

  /// Works the value out.
  ///
  /// - Throws: What the work threw and nobody recovered from.
  nonisolated(nonsending) public func value() async throws -> Value {
    try await work { _ in }
  }

  /// This result, for which `loading` stands in while it is worked out.
  ///
  /// It survives `recover`, `mapError`, `map` (transformed) and `flatMap` to the same type.
  public func whileLoading(_ loading: Value) -> AsyncResult {
    AsyncResult(loading: loading, work: work)
  }

  /// The result of a transformation, which what stands in for the value goes through too.
  public func map<Next: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Next
  ) -> AsyncResult<Next> {
    let work = work
    return AsyncResult<Next>(loading: loading.map(transform)) { show in
      transform(try await work { show(transform($0)) })
    }
  }

  /// The result of further work on the value, of the same type: what stands in for the value goes on
  /// standing in, until the further work has a stand-in of its own.
  public func flatMap(
    _ next: @escaping @Sendable (Value) -> AsyncResult<Value>
  ) -> AsyncResult<Value> {
    let work = work
    return AsyncResult(loading: loading) { show in
      try await next(work(show)).go(on: show)
    }
  }

  /// The result of further work on the value.
  @_disfavoredOverload
  public func flatMap<Next: Sendable>(
    _ next: @escaping @Sendable (Value) -> AsyncResult<Next>
  ) -> AsyncResult<Next> {
    let work = work
    return AsyncResult<Next>(loading: nil) { show in
      try await next(work { _ in }).go(on: show)
    }
  }

  /// This result, failing with another error.
  public func mapError(
    _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> AsyncResult {
    rescued { error in throw transform(error) }
  }

  /// This result, with a value in place of a failure.
  public func recover(
    _ rescue: @escaping @concurrent @Sendable (any Error) async throws -> Value
  ) -> AsyncResult {
    rescued(rescue)
  }

  private func rescued(
    _ rescue: @escaping @concurrent @Sendable (any Error) async throws -> Value
  ) -> AsyncResult {
    let work = work
    return AsyncResult(loading: loading) { show in
      do {
        return try await work(show)
      } catch {
        if Task.isCancelled { throw error }
        return try await rescue(error)
      }
    }
  }

  /// Goes on with this result in the middle of another: shows its stand-in, then works it out.
  private func go(on show: @escaping Stand) async throws -> Value {
    if let loading { show(loading) }
    return try await work(show)
  }
}
