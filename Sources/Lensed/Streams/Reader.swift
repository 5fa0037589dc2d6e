/// One asynchronous reader of a stream: conflating, independent of every other.
///
/// The cycle of `next`: pull each part, and emit if the operators return a value; else enlist the signal, in the
/// critical section that found nothing new, and wait for it. It gives way once its turn is over. One task
/// at a time uses a reader; only its signal is shared with the threads that commit.
@usableFromInline
final class Reader<Element> {
  private let element: Operator<Element>
  private var stores: [PulledStore]
  /// Makes a waiting reader look again.
  let signal = Signal()
  /// The executor that tasks for the reader prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { stores.first?.host.taskExecutor }
  private var isEnlisted = false
  private var isOver = false
  private var turn = JobTurn()

  @usableFromInline
  init(_ pipeline: Pipeline, _ element: @escaping Operator<Element>) {
    self.element = element
    stores = pipeline.stores.all.map { PulledStore($0) }
  }

  deinit {
    delist()
  }

  /// The next value; nil when the stores have gone, the task was cancelled, or `isDue` says to wait no longer.
  ///
  /// Code that makes `isDue` true raises `signal` after it.
  nonisolated(nonsending) func next(orUntil isDue: () -> Bool = { false }) async -> Element? {
    while !isOver {
      // Before the look, so that it finds what is newest then.
      if turn.isOver(on: #isolation) { await Task.yield() }
      if Task.isCancelled { break }
      switch pull() {
      case .fresh:
        if let element = element(0) { return element }
      case .ended:
        end()
      case .unchanged:
        if isDue() { return nil }
        await signal.wait()
      }
    }
    end()
    return nil
  }

  /// Waits until the stores have gone, the task was cancelled, or `isDue` says to wait no longer.
  ///
  /// No commit wakes it. Code that makes `isDue` true raises `signal` after it.
  nonisolated(nonsending) func waitForEnd(orUntil isDue: () -> Bool) async {
    while !isOver && !Task.isCancelled && !isDue() && !areStoresGone() { await signal.wait() }
  }

  private func areStoresGone() -> Bool {
    isEnlisted = true
    // Each store enlists the signal, also behind one that has not gone.
    return stores.count { !$0.isGone(enlisting: signal) } == 0
  }

  private func pull() -> PullResult {
    isEnlisted = true
    var result = PullResult.ended
    for index in stores.indices {
      result = result.combined(with: stores[index].pull(enlisting: signal))
    }
    return result
  }

  private func delist() {
    guard isEnlisted else { return }
    isEnlisted = false
    for index in stores.indices { stores[index].delist() }
  }

  /// Ends the reader: no further value follows.
  func end() {
    isOver = true
    delist()
    for index in stores.indices { stores[index].close() }
  }
}
