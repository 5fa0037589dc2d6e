/// Objects by keys whose `==` is the user's own code: made when needed, gone when no caller holds them and they
/// are idle.
///
/// The lock guards the buckets. No key is compared or hashed under it: a key comes with its hash, and candidates
/// are copied out and compared without the lock.
///
/// `hold`, `inspect` and `forEach` may be called under a lock of the caller's. There the `deinit` of an entry must not
/// run, because it releases objects of the user's:
///
/// 1. `inspect` holds the lock throughout, so no entry is removed meanwhile. Its body runs no user code.
/// 2. `hold` and `forEach`, which run user code, pin the entries that they look at, and remove none.
/// 3. No idle entry is removed while it is pinned, so who unpins an entry never has its last reference.
/// 4. `sweep` removes what was pinned when it became idle, and idle entries that nothing else removes. `release` calls
///    it when that is due; after `forEach`, its caller does so once it holds no lock.
/// 5. `remove` is not called while another thread looks, and its caller keeps the entry.
final class KeyedTable<Entry: KeyedEntry>: Sendable {
  private let slots = KeyedSlots()

  var isEmpty: Bool { slots.isEmpty }

  /// The entries, for a caller who may be the one to release them.
  var all: [Entry] { slots.all.map { known($0) } }

  /// Lends each entry under the lock, to a body that runs no user code; releases none, and leaves nothing to be swept.
  func inspect(_ body: (Entry) -> Void) { slots.inspect { body(known($0)) } }

  /// Lends each entry, pinned: releases none.
  ///
  /// - Returns: Whether some entry became idle while it was pinned, so that `sweep` is due.
  func forEach(_ body: (Entry) -> Void) -> Bool { slots.forEach { body(known($0)) } }

  /// Removes all idle entries; may ask a clock.
  func sweep() { slots.sweep() }

  /// The entry that matches, made if there is none, and held until `release`.
  ///
  /// `make` is given what the entry is to call when it may have become idle.
  func hold(
    _ hash: Int, where matches: (Entry) -> Bool,
    orMake make: (_ tidy: @escaping @Sendable () -> Void) -> Entry
  ) -> Entry {
    known(slots.hold(hash, where: { matches(known($0)) }, orMake: make))
  }

  /// Ends a hold; removes the entry if it is idle, and others when that is due; may ask a clock.
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
    var holds = 1
    /// How often it was taken.
    var uses = 1
    /// How many callers are looking at it.
    var pins = 0
  }

  private struct Table: Sendable {
    var buckets: [Int: [Slot]] = [:]
    var count = 0
    /// The count at which idle entries are looked for that nothing else removes.
    var limit = 16
    /// Whether an entry was pinned when it was to be removed.
    var hasMissed = false

    var all: [any KeyedEntry] {
      var all: [any KeyedEntry] = []
      all.reserveCapacity(count)
      for slots in buckets.values { for slot in slots { all.append(slot.entry) } }
      return all
    }

    func index(of entry: any KeyedEntry, _ hash: Int) -> Int? {
      buckets[hash]?.firstIndex { $0.entry === entry }
    }

    /// The index of an entry that no caller is using, and how often it was taken; nil while it is pinned.
    mutating func free(_ entry: any KeyedEntry, _ hash: Int) -> (index: Int, uses: Int)? {
      guard let index = index(of: entry, hash), let slot = buckets[hash]?[index], slot.holds == 0
      else { return nil }
      if slot.pins == 0 { return (index, slot.uses) }
      hasMissed = true
      return nil
    }

    mutating func edit(_ index: Int, of hash: Int, _ body: (inout Slot) -> Void) {
      body(&buckets[hash, default: []][index])
    }

    /// Ends a look at the first entries of a bucket, which still are the first ones: none was removed.
    mutating func unpin(first count: Int, of hash: Int) {
      for index in 0..<count { edit(index, of: hash) { $0.pins -= 1 } }
    }

    mutating func remove(_ index: Int, of hash: Int) {
      count -= 1
      if buckets[hash]?.count == 1 {
        buckets[hash] = nil
      } else {
        buckets[hash]?.remove(at: index)
      }
    }
  }

  private let table = Locked(Table())

  var isEmpty: Bool { table.withLock { $0.count == 0 } }

  var all: [any KeyedEntry] { table.withLock { $0.all } }

  func inspect(_ body: (any KeyedEntry) -> Void) {
    table.withLock { table in
      for slots in table.buckets.values { for slot in slots { body(slot.entry) } }
    }
  }

  func forEach(_ body: (any KeyedEntry) -> Void) -> Bool {
    let all = table.withLock { table in
      for hash in table.buckets.keys {
        for index in table.buckets[hash, default: []].indices {
          table.edit(index, of: hash) { $0.pins += 1 }
        }
      }
      return table.all
    }
    for entry in all { body(entry) }
    return unpin(all)
  }

  private func unpin(_ entries: consuming [any KeyedEntry]) -> Bool {
    if entries.isEmpty { return false }
    let (removed, isSweepDue) = table.withLock { table in
      var removed: [any KeyedEntry] = []
      for entry in entries {
        let hash = entry.hash
        if let index = table.index(of: entry, hash) {
          table.edit(index, of: hash) { $0.pins -= 1 }
        } else {
          removed.append(entry)
        }
      }
      // Under the lock: the table has the others, so this is never the last reference.
      entries = []
      return (removed, table.hasMissed)
    }
    withExtendedLifetime(removed) {}
    return isSweepDue
  }

  func hold(
    _ hash: Int, where matches: (any KeyedEntry) -> Bool,
    orMake make: (_ tidy: @escaping @Sendable () -> Void) -> any KeyedEntry
  ) -> any KeyedEntry {
    while true {
      var candidates = pinned(hash)
      let index = candidates.firstIndex { matches($0.entry) }
      let found = index.map { candidates[$0].entry }
      let count = candidates.count
      candidates = []
      if let index, let found {
        table.withLock { table in
          table.edit(index, of: hash) {
            $0.holds += 1
            $0.uses += 1
          }
          table.unpin(first: count, of: hash)
        }
        return found
      }
      let place = Locked(WeakEntry())
      // Weak: the table holds the entries, and each of them this closure.
      let new = make { [weak self] in
        if let entry = place.withLock({ $0.entry }) { self?.tidy(entry) }
      }
      place.withLock { $0.entry = new }
      if add(new, after: count) { return new }
    }
  }

  /// The entries of a bucket, pinned.
  private func pinned(_ hash: Int) -> [Slot] {
    table.withLock { table in
      for index in (table.buckets[hash] ?? []).indices {
        table.edit(index, of: hash) { $0.pins += 1 }
      }
      return table.buckets[hash] ?? []
    }
  }

  /// Adds an entry and unpins the others of its bucket, unless another was added after these.
  private func add(_ entry: any KeyedEntry, after count: Int) -> Bool {
    let hash = entry.hash
    return table.withLock { table in
      table.unpin(first: count, of: hash)
      guard table.buckets[hash]?.count ?? 0 == count else { return false }
      table.buckets[hash, default: []].append(Slot(entry: entry))
      table.count += 1
      return true
    }
  }

  func release(_ entry: any KeyedEntry) {
    let hash = entry.hash
    let isSweepDue = table.withLock { table in
      if let index = table.index(of: entry, hash) { table.edit(index, of: hash) { $0.holds -= 1 } }
      return table.count > table.limit || table.hasMissed
    }
    tidy(entry)
    if isSweepDue { sweep() }
  }

  /// Removes an entry if it is idle and no caller is using it.
  private func tidy(_ entry: any KeyedEntry) {
    let hash = entry.hash
    let uses = table.withLock { $0.free(entry, hash)?.uses }
    // Asked without the lock: it may ask a clock.
    guard let uses, entry.isIdle else { return }
    table.withLock { table in
      guard let free = table.free(entry, hash), free.uses == uses else { return }
      table.remove(free.index, of: hash)
    }
  }

  func remove(_ entry: any KeyedEntry) {
    let hash = entry.hash
    table.withLock { table in
      if let index = table.index(of: entry, hash) { table.remove(index, of: hash) }
    }
  }

  func sweep() {
    let all = table.withLock { table in
      table.hasMissed = false
      return table.all
    }
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
