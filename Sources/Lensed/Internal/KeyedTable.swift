/// Objects by keys whose `==` is the user's own code: made when needed, gone when no caller holds them and they
/// are idle.
///
/// The lock guards the buckets. No key is compared or hashed under it: a key comes with its hash, candidates
/// are copied out and compared without the lock, and then found again by their identity.
final class KeyedTable<Entry: KeyedEntry>: Sendable {
  private struct Slot: Sendable {
    let entry: Entry
    /// How many callers are using the entry.
    var holds: Int
    /// How often it was taken.
    var uses: Int
  }

  private struct Table: Sendable {
    var buckets: [Int: [Slot]] = [:]
    var count = 0
    /// The count at which idle entries are looked for that nothing else removes.
    var limit = 16
  }

  private let table = Locked(Table())

  var isEmpty: Bool { table.withLock { $0.count == 0 } }

  var all: [Entry] { table.withLock { $0.buckets.values.flatMap { $0.map(\.entry) } } }

  /// The entry that matches, made if there is none, and held until `release`.
  func hold(
    _ hash: Int, where matches: (Entry) -> Bool, orMake make: () -> Entry
  ) -> Entry {
    while true {
      let candidates = table.withLock { $0.buckets[hash] ?? [] }
      if let found = candidates.first(where: { matches($0.entry) })?.entry {
        if hold(found) { return found }
      } else {
        let new = make()
        if add(new, unlessMoreThan: candidates.map(\.entry)) {
          sweep()
          return new
        }
      }
    }
  }

  /// Holds an entry, if it is in the table.
  func hold(_ entry: Entry) -> Bool {
    edit(entry) {
      $0.holds += 1
      $0.uses += 1
    }
  }

  /// Ends a hold; removes the entry if it is idle.
  func release(_ entry: Entry) {
    _ = edit(entry) { $0.holds -= 1 }
    tidy(entry)
  }

  /// Removes an entry if it is idle and no caller holds it.
  func tidy(_ entry: Entry) {
    let uses = table.withLock { table in
      table.buckets[entry.hash]?.first { $0.entry === entry && $0.holds == 0 }?.uses
    }
    // Asked without the lock: it may ask a clock.
    guard let uses, entry.isIdle else { return }
    table.withLock { table in
      guard
        let index = table.buckets[entry.hash]?.firstIndex(where: {
          $0.entry === entry && $0.holds == 0 && $0.uses == uses
        })
      else { return }
      Self.remove(index, of: entry.hash, from: &table)
    }
  }

  /// Removes an entry, held or not.
  func remove(_ entry: Entry) {
    table.withLock { table in
      if let index = table.buckets[entry.hash]?.firstIndex(where: { $0.entry === entry }) {
        Self.remove(index, of: entry.hash, from: &table)
      }
    }
  }

  private static func remove(_ index: Int, of hash: Int, from table: inout Table) {
    table.buckets[hash]?.remove(at: index)
    if table.buckets[hash]?.isEmpty == true { table.buckets[hash] = nil }
    table.count -= 1
  }

  private func edit(_ entry: Entry, _ body: (inout Slot) -> Void) -> Bool {
    table.withLock { table in
      guard
        let index = table.buckets[entry.hash]?.firstIndex(where: { $0.entry === entry })
      else { return false }
      body(&table.buckets[entry.hash, default: []][index])
      return true
    }
  }

  private func add(_ entry: Entry, unlessMoreThan known: [Entry]) -> Bool {
    table.withLock { table in
      let present = table.buckets[entry.hash] ?? []
      guard present.count == known.count, zip(present, known).allSatisfy({ $0.entry === $1 })
      else { return false }
      table.buckets[entry.hash, default: []].append(Slot(entry: entry, holds: 1, uses: 1))
      table.count += 1
      return true
    }
  }

  private func sweep() {
    let isDue = table.withLock { $0.count > $0.limit }
    if !isDue { return }
    for entry in all { tidy(entry) }
    table.withLock { $0.limit = 2 * $0.count + 16 }
  }
}

/// An entry of a `KeyedTable`.
protocol KeyedEntry: AnyObject, Sendable {
  var hash: Int { get }
  /// Whether it can go, and be made anew when it is needed.
  var isIdle: Bool { get }
}
