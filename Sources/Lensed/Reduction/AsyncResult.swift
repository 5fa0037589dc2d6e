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
///
/// A chain of operators may be of any length: its length takes no stack, when it runs and when it is
/// released. Each stand-in goes through the operators that follow it, so it costs as many calls. Results may be put into `zip` and `all` of which others are made up to 100 deep; deeper ones
/// trap. What a closure captures is not part of the chain: closures that capture results that hold such
/// closures are released one inside of another.
public struct AsyncResult<Value: Sendable>: Sendable {
  /// Shows what stands in for the value from here on.
  typealias Stand = @Sendable (Value) -> Void

  /// What stands in for the value from the start.
  let loading: Value?
  let chain: AsyncChain

  init(loading: Value?, chain: AsyncChain) {
    self.loading = loading
    self.chain = chain
  }

  init(
    loading: Value?, depth: Int = 0,
    work: @escaping @concurrent @Sendable () async throws -> Value
  ) {
    self.loading = loading
    chain = AsyncChain(depth: depth) { Boxed(try await work()) }
  }

  /// Works the value out; calls `show` with what stands in for it later on.
  @concurrent
  func work(_ show: @escaping Stand) async throws -> Value {
    let value = try await chain.run { show(AsyncChain.value($0, as: Value.self)) }
    return AsyncChain.value(value, as: Value.self)
  }

  /// The result of some work.
  public init(_ work: @escaping @concurrent @Sendable () async throws -> Value) {
    self.init(loading: nil, work: work)
  }

  /// A value that is there already.
  public init(value: Value) {
    self.init(loading: nil) { value }
  }

  /// A failure.
  public init(error: any Error) {
    self.init(loading: nil) { throw error }
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
    AsyncResult(loading: loading, chain: chain)
  }

  /// The result of a transformation, which what stands in for the value goes through too.
  public func map<Next: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Next
  ) -> AsyncResult<Next> {
    let link = AsyncChain.Link.map { value in
      Boxed(transform(AsyncChain.value(value, as: Value.self)))
    }
    return AsyncResult<Next>(loading: loading.map(transform), chain: chain.appending(link))
  }

  /// The result of further work on the value, of the same type: what stands in for the value goes on
  /// standing in, until the further work has a stand-in of its own.
  public func flatMap(
    _ next: @escaping @Sendable (Value) -> AsyncResult<Value>
  ) -> AsyncResult<Value> {
    AsyncResult(loading: loading, chain: chain(keepingPlaceholder: true, next))
  }

  /// The result of further work on the value.
  @_disfavoredOverload
  public func flatMap<Next: Sendable>(
    _ next: @escaping @Sendable (Value) -> AsyncResult<Next>
  ) -> AsyncResult<Next> {
    AsyncResult<Next>(loading: nil, chain: chain(keepingPlaceholder: false, next))
  }

  private func chain<Next: Sendable>(
    keepingPlaceholder: Bool, _ next: @escaping @Sendable (Value) -> AsyncResult<Next>
  ) -> AsyncChain {
    chain.appending(
      .flatMap(keepsPlaceholder: keepingPlaceholder) { value in
        let next = next(AsyncChain.value(value, as: Value.self))
        return AsyncChain.Next(loading: next.loading.map { Boxed($0) }, chain: next.chain)
      })
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
    AsyncResult(
      loading: loading, chain: chain.appending(.rescue { Boxed(try await rescue($0)) }))
  }
}
