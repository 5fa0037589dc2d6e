/// The computation of a result: some work, and the operations on its value, whose type only they know.
///
/// Each operation is a link to the one before it, so that adding one costs the same however many there
/// are, and results that begin alike share their beginnings. A chain is run, and released, link by link:
/// its length takes no stack.
final class AsyncChain: Sendable {
  /// Shows a placeholder of the value.
  typealias Show = @Sendable (ValueBox) -> Void

  enum Link: Sendable {
    /// Stands at the beginning of a chain, and nowhere else.
    case work(@concurrent @Sendable () async throws -> ValueBox)
    case map(@Sendable (ValueBox) -> ValueBox)
    /// Continues with another chain; `keepsPlaceholder` says that the placeholder so far also stands for the
    /// next value.
    case flatMap(keepsPlaceholder: Bool, @Sendable (ValueBox) -> Next)
    case rescue(@concurrent @Sendable (any Error) async throws -> ValueBox)
  }

  struct Next: Sendable {
    let loading: ValueBox?
    let chain: AsyncChain
  }

  /// The greatest depth of results within `zip` and `all`.
  static let greatestDepth = 100

  private let link: Link
  private let previous: Locked<AsyncChain?>
  /// The depth of the inputs of its work.
  let depth: Int

  /// The first link of a chain, whose inputs are `depth` deep.
  init(depth: Int, work: @escaping @concurrent @Sendable () async throws -> ValueBox) {
    if depth > Self.greatestDepth {
      fatalError(
        """
        Lensed: results of AsyncResult.zip and AsyncResult.all were put into one another more than \
        \(Self.greatestDepth) deep. Give all of them to one AsyncResult.all.
        """)
    }
    link = .work(work)
    previous = Locked(nil)
    self.depth = depth
  }

  private init(_ link: Link, after previous: AsyncChain) {
    self.link = link
    self.previous = Locked(previous)
    depth = previous.depth
  }

  func appending(_ link: Link) -> AsyncChain { AsyncChain(link, after: self) }

  deinit {
    // Released one by one, because each link that held the last reference to the one before would
    // release it on top of its own stack frame.
    var next = previous.withLock { $0.take() }
    while next != nil, isKnownUniquelyReferenced(&next) {
      next = next?.previous.withLock { $0.take() }
    }
  }

  @concurrent
  func run(_ show: Show) async throws -> ValueBox {
    // The remaining links, the next one last.
    var pending: [Link] = []
    unfold(into: &pending)
    var outcome = await Self.runFirstLink(&pending)
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
        next.chain.unfold(into: &pending)
        outcome = await Self.runFirstLink(&pending)
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

  /// Adds the links to the remaining ones, so that the first link of the chain is the next.
  private func unfold(into pending: inout [Link]) {
    var chain: AsyncChain? = self
    while let link = chain {
      pending.append(link.link)
      chain = link.previous.withLock { $0 }
    }
  }

  /// Does the work of the first link.
  private static func runFirstLink(_ pending: inout [Link]) async -> Result<ValueBox, any Error> {
    guard case .work(let work)? = pending.popLast() else {
      fatalError("Lensed: an AsyncResult does not begin with work; this is a fault of Lensed.")
    }
    return await result { try await work() }
  }

  private static func result(
    _ body: () async throws -> ValueBox
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
      case .work, .rescue: break
      }
    }
    show(placeholder)
  }
}
