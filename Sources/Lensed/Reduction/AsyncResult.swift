/// A value that is computed over time, with a placeholder until it is there.
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
/// released. Each placeholder passes through the operators that follow it, at the cost of one call each.
/// Results within `zip` and `all` can be nested 100 deep; deeper ones trap. The captures of a closure are
/// not part of the chain: results captured by closures of other results are released recursively.
public struct AsyncResult<Value: Sendable>: Sendable {
  /// The placeholder from the start.
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

  /// Computes the value, and calls `show` with each later placeholder.
  @concurrent
  func work(_ show: @escaping @Sendable (Value) -> Void) async throws -> Value {
    let value = try await chain.run { show(Self.unboxed($0)) }
    return Self.unboxed(value)
  }

  /// The value that a box of the chain is known to have.
  private static func unboxed(_ box: ValueBox) -> Value {
    guard let box = box as? Boxed<Value> else {
      fatalError(
        "Lensed: an AsyncResult gave another type than `\(Value.self)`; this is a fault of Lensed.")
    }
    return box.value
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

  /// Computes the value.
  ///
  /// - Throws: The error of the work, unless a `recover` handles it.
  nonisolated(nonsending) public func value() async throws -> Value {
    try await work { _ in }
  }

  /// This result, with `loading` as its placeholder while it is computed.
  ///
  /// It survives `recover`, `mapError`, `map` (transformed) and `flatMap` to the same type.
  public func whileLoading(_ loading: Value) -> AsyncResult {
    AsyncResult(loading: loading, chain: chain)
  }

  /// The result of a transformation, which also transforms the placeholder.
  public func map<Next: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Next
  ) -> AsyncResult<Next> {
    let link = AsyncChain.Link.map { value in
      Boxed(transform(Self.unboxed(value)))
    }
    return AsyncResult<Next>(loading: loading.map(transform), chain: chain.appending(link))
  }

  /// The result of further work on the value, of the same type.
  ///
  /// The placeholder stays until the further work sets one of its own. A result that goes on with itself takes neither
  /// stack nor memory for that; every 4,096 steps it lets other jobs run, and ends if its task was cancelled.
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
        let next = next(Self.unboxed(value))
        return AsyncChain.Next(loading: next.loading.map { Boxed($0) }, chain: next.chain)
      })
  }

  /// This result, failing with another error.
  public func mapError(
    _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> AsyncResult {
    recover { error in throw transform(error) }
  }

  /// This result, with a value in place of a failure.
  public func recover(
    _ rescue: @escaping @concurrent @Sendable (any Error) async throws -> Value
  ) -> AsyncResult {
    AsyncResult(
      loading: loading, chain: chain.appending(.rescue { Boxed(try await rescue($0)) }))
  }
}
