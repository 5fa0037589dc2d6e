/// The past of a store, where it stands in it, and what was undone, as a pure machine.
struct HistoryMachine<State: Sendable>: Sendable {
  typealias Entry = HistoryEntry<State>

  private let limit: Int
  /// The entries, after as many empty places as `gap` says.
  ///
  /// What is forgotten leaves a gap at the beginning, so that forgetting one does not move all others.
  private var places: [Entry?] = []
  private var gap = 0
  /// The entry that the state of the store is.
  private(set) var position = 0
  /// Where the commit that is being made leads, when the history makes it itself.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { places.count - gap }
  var entries: [Entry] { places[gap...].compactMap { $0 } }
  /// The entries up to the one that the state of the store is.
  var past: [Entry] { places[gap...].prefix(position + 1).compactMap { $0 } }
  var canUndo: Bool { position > 0 }
  var canRedo: Bool { position + 1 < count }

  /// Forgets everything, and begins with this entry.
  ///
  /// - Returns: What is forgotten, to be released without the lock.
  mutating func begin(with entry: Entry) -> [Entry] {
    let forgotten = entries
    self = HistoryMachine(limit: limit)
    places = [entry]
    return forgotten
  }

  /// Notes a commit.
  ///
  /// - Returns: What is forgotten, to be released without the lock.
  mutating func record(_ entry: Entry) -> [Entry] {
    if let destination {
      position = destination
      self.destination = nil
      return []
    }
    var forgotten: [Entry] = []
    if canRedo {
      forgotten = places[(gap + position + 1)...].compactMap { $0 }
      places.removeSubrange((gap + position + 1)...)
    }
    places.append(entry)
    // The first entry is where replaying begins; it is not one of those that are counted.
    if count - 1 > limit { forgetFirst(into: &forgotten) }
    position = count - 1
    return forgotten
  }

  private mutating func forgetFirst(into forgotten: inout [Entry]) {
    if let first = places[gap].take() { forgotten.append(first) }
    gap += 1
    if gap > places.count / 2 {
      places.removeFirst(gap)
      gap = 0
    }
  }

  /// The entry so many steps from the present one, if it is there.
  func index(_ steps: Int) -> Int? {
    let index = position + steps
    return (0..<count).contains(index) ? index : nil
  }

  /// The entry of a commit, if it is kept.
  func index(of revision: UInt64) -> Int? {
    places[gap...].firstIndex { $0?.revision == revision }.map { $0 - gap }
  }

  /// Says where the commit leads that is made next, and gives its state; nil where nothing is kept.
  mutating func travel(to index: Int) -> State? {
    guard let entry = places[gap + index] else { return nil }
    destination = index
    return entry.state
  }
}
