/// The entries of a history and its current position, as a pure state machine.
struct HistoryMachine<State: Sendable>: Sendable {
  typealias Entry = HistoryEntry<State>

  private let limit: Int
  private var buffer = RingBuffer<Entry>()
  /// The index of the current entry.
  private(set) var position = 0
  /// The index that the commit in progress restores, if it is an undo, a redo or a jump.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var entries: [Entry] { (0..<buffer.count).compactMap { buffer[$0] } }

  var canRedo: Bool { position + 1 < buffer.count }

  /// Starts again with one entry.
  ///
  /// - Returns: The discarded entries, for the caller to release without the lock.
  mutating func restart(with entry: Entry) -> [Entry] {
    let discarded = entries
    self = HistoryMachine(limit: limit)
    buffer.append(entry)
    return discarded
  }

  /// Records a commit.
  ///
  /// - Returns: The discarded entries, for the caller to release without the lock.
  mutating func record(_ entry: Entry) -> InlineList<Entry> {
    if let destination {
      position = destination
      self.destination = nil
      return .none
    }
    var discarded = InlineList<Entry>.none
    while canRedo, let undone = buffer.popLast() { discarded.append(undone) }
    buffer.append(entry)
    // The first entry is the state before the oldest commit; it does not count towards the limit.
    if buffer.count - 1 > limit, let oldest = buffer.popFirst() { discarded.append(oldest) }
    position = buffer.count - 1
    return discarded
  }

  /// Makes the next commit restore an entry, and returns the state of the entry.
  mutating func travel(_ journey: HistoryJourney) -> State? {
    let index: Int? =
      switch journey {
      case .steps(let count): position + count
      case .revision(let revision):
        (0..<buffer.count).first { buffer[$0]?.revision == revision }
      }
    guard let index, let entry = buffer[index] else { return nil }
    destination = index
    return entry.state
  }
}
