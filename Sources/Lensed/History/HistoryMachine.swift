/// The past of a store, where it stands in it, and what was undone, as a pure machine.
struct HistoryMachine<State: Sendable>: Sendable {
  typealias Entry = HistoryEntry<State>

  private let limit: Int
  private(set) var entries: [Entry] = []
  /// The entry that the state of the store is.
  private(set) var position = 0
  /// Where the commit that is being made leads, when the history makes it itself.
  private var destination: Int?

  init(limit: Int) {
    self.limit = limit
  }

  var canUndo: Bool { position > 0 }
  var canRedo: Bool { position + 1 < entries.count }

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
      forgotten = Array(entries[(position + 1)...])
      entries.removeSubrange((position + 1)...)
    }
    entries.append(entry)
    // The first entry is where replaying begins; it is not one of those that are counted.
    if entries.count > limit + 1 { forgotten.append(entries.removeFirst()) }
    position = entries.count - 1
    return forgotten
  }

  /// The entry so many steps from the present one, if it is there.
  func index(_ steps: Int) -> Int? {
    let index = position + steps
    return entries.indices.contains(index) ? index : nil
  }

  /// The entry of a commit, if it is kept.
  func index(of revision: UInt64) -> Int? {
    entries.firstIndex { $0.revision == revision }
  }

  /// Says where the commit leads that is made next, and gives its state.
  mutating func travel(to index: Int) -> State {
    destination = index
    return entries[index].state
  }
}
