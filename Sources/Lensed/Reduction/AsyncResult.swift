/// A value that is computed over time, with a placeholder until it is there.
///
/// ```swift
/// AsyncResult { try await api.product() }
///   .map(Page.product)
///   .whileLoading(.loading)
///   .recover { _ in .failed }
/// ```
///
/// It is a description: nothing runs until an `AsyncMutator` runs it, or `value()` is awaited, and it runs once each
/// time. Cancelling the task that runs it cancels it; a cancellation is never recovered from.
///
/// The operators lie in an array: their number takes no stack, when they run and when they are released, and adding one
/// copies those before it. Each placeholder passes through the operators that follow it, at the cost of one call each.
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
  private static func unboxed(_ box: ValueBox?) -> Value {
    guard let box = box as? Boxed<Value> else {
      fatalError(
        "Lensed: an AsyncResult gave another type than \(code: Value.self); this is a fault of Lensed."
      )
    }
    return box.value
  }

  /// The result of some work.
  public init(_ work: @escaping @concurrent @Sendable () async throws -> Value) {
    self.init(loading: nil, work: work)
  }

  /// A value that is there already.
  public init(value: Value) { self.init(loading: nil) { value } }

  /// A failure.
  public init(error: any Error) { self.init(loading: nil) { throw error } }

  /// Computes the value.
  ///
  /// - Throws: The error of the work, unless a `recover` handles it.
  nonisolated(nonsending) public func value() async throws -> Value { try await work { _ in } }

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
        return (next.loading.map { Boxed($0) }, next.chain)
      })
  }

  /// This result, failing with another error.
  public func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> AsyncResult {
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

// MARK: Side by side

extension AsyncResult {
  /// The values of several results, computed side by side.
  ///
  /// ```swift
  /// let page: AsyncResult<(String, Int)> = .zip(AsyncResult { try await text() }, AsyncResult(value: 1))
  /// ```
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func zip<each Input: Sendable>(
    _ results: repeat AsyncResult<each Input>
  ) -> AsyncResult<(repeat each Input)> where Value == (repeat each Input) {
    var (works, depth): ([@Sendable () async throws -> ValueBox], Int) = ([], 0)
    for result in repeat each results {
      works.append(result.boxed)
      depth = max(depth, result.chain.depth)
    }
    return AsyncResult<(repeat each Input)>(loading: nil, depth: depth + 1) { [works] in
      var boxes = try await sideBySide(works).makeIterator()
      return (repeat (each results).next(of: &boxes))
    }
  }

  /// The values of any number of results of one type, computed side by side, in the order of the results.
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func all<Element: Sendable>(
    _ results: [AsyncResult<Element>]
  ) -> AsyncResult<[Element]> where Value == [Element] {
    let depth = results.map { $0.chain.depth }.max() ?? 0
    let works = results.map(\.boxed)
    return AsyncResult<[Element]>(loading: nil, depth: depth + 1) {
      var boxes = try await sideBySide(works).makeIterator()
      return results.map { $0.next(of: &boxes) }
    }
  }

  /// Computes the value, in a box.
  fileprivate var boxed: @Sendable () async throws -> ValueBox {
    { Boxed(try await value()) }
  }

  fileprivate func next(of boxes: inout IndexingIterator<[ValueBox]>) -> Value {
    Self.unboxed(boxes.next())
  }
}

/// Computes several values at once, in the order of the works; the first failure cancels the others.
private func sideBySide(
  _ works: [@Sendable () async throws -> ValueBox]
) async throws -> [ValueBox] {
  try await withThrowingTaskGroup(of: (Int, ValueBox).self) { group in
    for (index, work) in works.enumerated() { group.addTask { (index, try await work()) } }
    var boxes: [Int: ValueBox] = [:]
    for try await (index, box) in group { boxes[index] = box }
    return works.indices.compactMap { boxes[$0] }
  }
}

// MARK: How it is computed

/// Some work, and the operations on its value, whose type only they know; run link by link, so its length takes no
/// stack.
struct AsyncChain: Sendable {
  typealias Show = @Sendable (ValueBox) -> Void

  enum Link: Sendable {
    case map(@Sendable (ValueBox) -> ValueBox)
    /// Continues with another chain; `keepsPlaceholder` says that the placeholder so far also stands for the
    /// next value.
    case flatMap(keepsPlaceholder: Bool, @Sendable (ValueBox) -> Next)
    case rescue(@concurrent @Sendable (any Error) async throws -> ValueBox)
  }

  typealias Next = (loading: ValueBox?, chain: AsyncChain)

  /// The greatest depth of results within `zip` and `all`.
  static let greatestDepth = 100

  private let work: @concurrent @Sendable () async throws -> ValueBox
  private var links: [Link] = []
  /// The depth of the inputs of its work.
  let depth: Int

  /// A chain without operations, whose inputs are `depth` deep.
  init(depth: Int, work: @escaping @concurrent @Sendable () async throws -> ValueBox) {
    if depth > Self.greatestDepth {
      fatalError(
        """
        Lensed: results of AsyncResult.zip and AsyncResult.all were put into one another more than \
        \(Self.greatestDepth) deep. Give all of them to one AsyncResult.all.
        """)
    }
    (self.work, self.depth) = (work, depth)
  }

  func appending(_ link: Link) -> AsyncChain {
    changed(self) { $0.links.append(link) }
  }

  @concurrent
  func run(_ show: Show) async throws -> ValueBox {
    // The remaining links, the next one last.
    var pending: [Link] = links.reversed()
    var outcome = await Self.result(of: work)
    var turn = JobTurn()
    while let link = pending.popLast() {
      switch (link, outcome) {
      case (.map(let transform), .success(let value)):
        outcome = .success(transform(value))
      case (.flatMap, .success) where await isEnded(&turn):
        outcome = .failure(CancellationError())
      case (.flatMap(_, let make), .success(let value)):
        let next = make(value)
        if let loading = next.loading { Self.pass(loading, through: pending, to: show) }
        pending += next.chain.links.reversed()
        outcome = await Self.result(of: next.chain.work)
      case (.rescue(let rescue), .failure(let error)) where !Task.isCancelled:
        outcome = await Self.result { try await rescue(error) }
      default: break
      }
    }
    return try outcome.get()
  }

  /// Whether a chain that goes on with itself was cancelled, which it is asked between two turns.
  private func isEnded(_ turn: inout JobTurn) async -> Bool {
    guard turn.isOver(on: nil) else { return false }
    await Task.yield()
    return Task.isCancelled
  }

  private static func result(
    of body: @concurrent @Sendable () async throws -> ValueBox
  ) async -> Result<ValueBox, any Error> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }

  /// Shows a placeholder, transformed by the remaining operations.
  private static func pass(_ placeholder: ValueBox, through pending: [Link], to show: Show) {
    var placeholder = placeholder
    for link in pending.reversed() {
      switch link {
      case .map(let transform): placeholder = transform(placeholder)
      case .flatMap(let keepsPlaceholder, _): if !keepsPlaceholder { return }
      case .rescue: break
      }
    }
    show(placeholder)
  }
}
