/// One asynchronous reader of a stream: conflating, independent of every other.
///
/// `next` pulls each part, and emits if the operators return a value; else it enlists the signal, in the critical
/// section that found nothing new, and waits for it. One task at a time uses a reader; only its signal is shared.
@usableFromInline
final class Reader<Element> {
  private let element: Operator<Element>
  private var stores: [PulledStore]
  let signal = Signal()
  /// The executor that tasks for the reader prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { stores.first?.host.taskExecutor }
  /// The stores that it reads.
  var hosts: [any StateHost] { stores.map(\.host) }
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

  func end() {
    isOver = true
    delist()
    for index in stores.indices { stores[index].close() }
  }
}

// MARK: What it waits for

/// Which commits concern a reader of the state.
enum Interest: Sendable {
  /// Every commit that a reducer handled.
  case everything
  /// Commits in which the reducer of one of these slots ran; with no slots, only replacements.
  case slots([Int])
  /// Those of the slots of one row, but for those in which only other rows were reduced.
  case row(RowRecord)
  /// Commits that concern a reader with one of these.
  indirect case any([Interest])

  /// Commits in which the reducer of one of some slots ran; one or two low ones share their array with other readers.
  static func oneOf(_ slots: [Int]) -> Interest {
    switch slots.count {
    case 1 where slots[0] < shared.count:
      .slots(shared[slots[0]])
    case 2 where slots[0] < sharedPairs.count && slots[1] < sharedPairs.count:
      .slots(sharedPairs[slots[0]][slots[1]])
    default:
      .slots(slots)
    }
  }

  private static let shared = (0..<64).map { [$0] }
  private static let sharedPairs = (0..<12).map { first in (0..<12).map { [first, $0] } }

  /// Whether a commit that ran the reducers of `touched` may concern the reader.
  func isConcerned(by touched: [Int]) -> Bool {
    switch self {
    case .everything: true
    case .slots(let own): own.contains { touched.contains($0) }
    case .row(let row): row.slots.contains { touched.contains($0) }
    case .any(let interests): interests.contains { $0.isConcerned(by: touched) }
    }
  }

  /// Whether a commit that ran the reducers of `touched` concerns the reader, whichever rows it touched.
  func isConcerned(byAnyRowOf touched: [Int]) -> Bool {
    switch self {
    case .everything, .slots: isConcerned(by: touched)
    case .row: false
    case .any(let interests): interests.contains { $0.isConcerned(byAnyRowOf: touched) }
    }
  }
}
