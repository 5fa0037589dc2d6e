/// Objects by keys whose `==` is the user's own code: made when needed, gone when no caller holds them and they
/// are idle.
///
/// The lock guards the buckets. No key is compared or hashed under it: a key comes with its hash, candidates
/// are copied out and compared without the lock, and then found again by their identity.
final class KeyedTable<Entry: KeyedEntry>: Sendable {
  private let slots = KeyedSlots()

  var isEmpty: Bool { slots.isEmpty }

  var all: [Entry] { slots.all.map { known($0) } }

  /// The entry that matches, made if there is none, and held until `release`.
  ///
  /// `make` is given what the entry is to call when it may have become idle.
  func hold(
    _ hash: Int, where matches: (Entry) -> Bool,
    orMake make: (_ tidy: @escaping @Sendable () -> Void) -> Entry
  ) -> Entry {
    known(slots.hold(hash, where: { matches(known($0)) }, orMake: make))
  }

  /// Ends a hold; removes the entry if it is idle.
  func release(_ entry: Entry) { slots.release(entry) }

  /// Removes an entry, held or not.
  func remove(_ entry: Entry) { slots.remove(entry) }

  /// The entry that an object is known to be.
  ///
  /// Invariant: it comes from `hold` or `all` of this table, whose slots are private and get entries from `hold`
  /// alone, which makes them as `Entry`.
  func known(_ entry: any KeyedEntry) -> Entry {
    unsafe unsafeDowncast(entry, to: Entry.self)
  }
}

/// The entries of a `KeyedTable`, without their type, so that the compiler makes this code once and for good.
private final class KeyedSlots: Sendable {
  private struct Slot: Sendable {
    let entry: any KeyedEntry
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

  var all: [any KeyedEntry] {
    table.withLock { table in
      if table.count == 0 { return [] }
      return table.buckets.values.flatMap { slots in slots.map { $0.entry } }
    }
  }

  func hold(
    _ hash: Int, where matches: (any KeyedEntry) -> Bool,
    orMake make: (_ tidy: @escaping @Sendable () -> Void) -> any KeyedEntry
  ) -> any KeyedEntry {
    while true {
      let candidates = table.withLock { $0.buckets[hash] ?? [] }
      if let found = candidates.first(where: { matches($0.entry) })?.entry {
        if hold(found) { return found }
      } else {
        let place = Locked(WeakEntry())
        // Weak: the table holds the entries, and each of them this closure.
        let new = make { [weak self] in
          if let entry = place.withLock({ $0.entry }) { self?.tidy(entry) }
        }
        place.withLock { $0.entry = new }
        if add(new, unlessMoreThan: candidates) {
          sweep()
          return new
        }
      }
    }
  }

  /// Holds an entry, if it is in the table.
  private func hold(_ entry: any KeyedEntry) -> Bool {
    edit(entry) {
      $0.holds += 1
      $0.uses += 1
    }
  }

  func release(_ entry: any KeyedEntry) {
    _ = edit(entry) { $0.holds -= 1 }
    tidy(entry)
  }

  /// Removes an entry if it is idle and no caller holds it.
  private func tidy(_ entry: any KeyedEntry) {
    let hash = entry.hash
    let uses = table.withLock { table in
      table.buckets[hash]?.first { $0.entry === entry && $0.holds == 0 }?.uses
    }
    // Asked without the lock: it may ask a clock.
    guard let uses, entry.isIdle else { return }
    table.withLock { table in
      guard
        let index = table.buckets[hash]?.firstIndex(where: {
          $0.entry === entry && $0.holds == 0 && $0.uses == uses
        })
      else { return }
      Self.remove(index, of: hash, from: &table)
    }
  }

  func remove(_ entry: any KeyedEntry) {
    let hash = entry.hash
    table.withLock { table in
      if let index = table.buckets[hash]?.firstIndex(where: { $0.entry === entry }) {
        Self.remove(index, of: hash, from: &table)
      }
    }
  }

  private static func remove(_ index: Int, of hash: Int, from table: inout Table) {
    table.count -= 1
    if table.buckets[hash]?.count == 1 {
      table.buckets[hash] = nil
    } else {
      table.buckets[hash]?.remove(at: index)
    }
  }

  private func edit(_ entry: any KeyedEntry, _ body: (inout Slot) -> Void) -> Bool {
    let hash = entry.hash
    return table.withLock { table in
      guard let index = table.buckets[hash]?.firstIndex(where: { $0.entry === entry })
      else { return false }
      body(&table.buckets[hash, default: []][index])
      return true
    }
  }

  private func add(_ entry: any KeyedEntry, unlessMoreThan known: [Slot]) -> Bool {
    let hash = entry.hash
    return table.withLock { table in
      let present = table.buckets[hash] ?? []
      guard present.count == known.count,
        zip(present, known).allSatisfy({ $0.entry === $1.entry })
      else { return false }
      table.buckets[hash, default: []].append(Slot(entry: entry, holds: 1, uses: 1))
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

/// A reference to an entry of a `KeyedTable` that does not keep it alive.
private struct WeakEntry: Sendable {
  weak var entry: (any KeyedEntry)?
}
