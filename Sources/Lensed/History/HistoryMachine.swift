/// The entries of a history and its current position, as a pure state machine.
struct HistoryMachine<State: Sendable>: Sendable {
  typealias Entry = HistoryEntry<State>

  private let limit: Int
  /// The entries, after `gap` empty places.
  ///
  /// Discarding the oldest entry widens the gap, so that it does not move all others.
  private var places: [Entry?] = []
  private var gap = 0
  /// The index of the current entry.
  private(set) var position = 0
  /// The index that the commit in progress restores, if it is an undo, a redo or a jump.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { places.count - gap }
  var entries: [Entry] { places[gap...].compactMap { $0 } }

  var canRedo: Bool { position + 1 < count }

  /// Starts again with one entry.
  ///
  /// - Returns: The discarded entries, for the caller to release without the lock.
  mutating func restart(with entry: Entry) -> [Entry] {
    let discarded = entries
    self = HistoryMachine(limit: limit)
    places = [entry]
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
    if canRedo {
      discarded = InlineList(places[(gap + position + 1)...].compactMap { $0 })
      places.removeSubrange((gap + position + 1)...)
    }
    places.append(entry)
    // The first entry is the state before the oldest commit; it does not count towards the limit.
    if count - 1 > limit { discardFirst(into: &discarded) }
    position = count - 1
    return discarded
  }

  private mutating func discardFirst(into discarded: inout InlineList<Entry>) {
    if let first = places[gap].take() { discarded.append(first) }
    gap += 1
    if gap > places.count / 2 {
      places.removeFirst(gap)
      gap = 0
    }
  }

  /// Makes the next commit restore an entry, and returns the state of the entry.
  mutating func travel(_ journey: HistoryJourney) -> State? {
    let index: Int? =
      switch journey {
      case .steps(let count): position + count
      case .revision(let revision):
        places[gap...].firstIndex { $0?.revision == revision }.map { $0 - gap }
      }
    guard let index, (0..<count).contains(index), let entry = places[gap + index]
    else { return nil }
    destination = index
    return entry.state
  }
}
