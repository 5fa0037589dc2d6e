internal import Synchronization

/// Derived values by a key: one for each id, filter or page.
///
/// ```swift
/// static let byAuthor = DerivedFamily<App, Author.ID, [Todo]>(limit: 100) { author in
///   Derived(\App.todos) { todos in todos.filter { $0.author == author } }
/// }
/// store[Todos.byAuthor[7]]
/// ```
///
/// A family holds as many keys as its limit says. One more key evicts the key that was asked for the longest time
/// ago, in whichever store. A store then releases the value of the evicted key, unless the value is observed: at the
/// latest when half of the values that it holds are such. An evicted key that is asked for again is computed again. If
/// more keys than the limit are asked for in turn, each of them is computed every time, and the store reports a
/// ``StoreWarning``.
///
/// Like a derived value, a family is known by its identity, so make it once.
///
/// Keys are hashed and compared under a lock of the family, so their `==` and `hash(into:)` must not use the family.
///
/// - Complexity: A key costs one look-up more than a derived value, and a new one as much however many are held.
public final class DerivedFamily<State: Sendable, Key: Hashable & Sendable, Value: Sendable>:
  Sendable
{
  /// The members by key; each operation takes one look-up.
  private struct Members: Sendable {
    private var positions: [Key: Int] = [:]
    private var keys: ContiguousArray<Key> = []
    private var order = MemberOrder()

    var count: Int { keys.count }
    var streak: Int { order.streak }

    mutating func use(_ key: Key) -> DerivedReference? { positions[key].map { order.use($0) } }

    /// Adds a key that is not held, and returns the member that was evicted, to be released without the lock.
    mutating func add(
      _ key: Key, _ derived: DerivedReference, limit: Int
    ) -> (key: Key, derived: DerivedReference)? {
      guard keys.count >= limit, let position = order.oldest else {
        positions[key] = keys.count
        keys.append(key)
        order.append(derived, key.hashValue)
        return nil
      }
      let evicted = exchange(&keys[position], with: key)
      positions[evicted] = nil
      positions[key] = position
      return (
        evicted,
        order.replace(
          position, evicted.hashValue, with: derived, key.hashValue, limit: limit)
      )
    }
  }

  /// The greatest number of keys that are held.
  public let limit: Int
  private let members = Locked(Members())
  private let make: @Sendable (_ key: Key) -> Derived<State, Value>

  /// Creates a family that makes the derived value of each key when it is first asked for.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of keys that are held; at least 1.
  ///   - make: Makes the derived value of a key, when one is asked for that is not held. It is called without a lock, by
  ///     each of several threads that ask for one key at once; all of them are given the value of one call.
  public init(limit: Int, _ make: @escaping @Sendable (_ key: Key) -> Derived<State, Value>) {
    guard limit > 0 else {
      fatalError(
        "Lensed: a DerivedFamily was made with a limit of \(limit), so it can hold no key. Use 1 or more."
      )
    }
    self.limit = limit
    self.make = make
  }

  /// The number of keys that are held.
  public var count: Int { members.withLock { $0.count } }

  /// The derived value of a key.
  public subscript(_ key: Key) -> Derived<State, Value> {
    Derived(members.withLock({ $0.use(key) }) ?? add(key))
  }

  // Never inlined, so that a key that is held looks up fewer types.
  @inline(never)
  private func add(_ key: Key) -> DerivedReference {
    let made = make(key).reference
    let (derived, evicted, streak) = members.withLock {
      members -> (DerivedReference, (Key, DerivedReference)?, Int) in
      // Another thread may have made it meanwhile.
      if let known = members.use(key) { return (known, nil, 0) }
      let evicted = members.add(key, made, limit: limit)
      return (made, evicted, members.streak)
    }
    withExtendedLifetime(evicted) {}
    if streak > max(limit, 8) {
      derived.formula.crowdedLimit.store(limit, ordering: .relaxed)
    }
    return derived
  }
}

/// The members of a family in the order of their use; it knows no type, so a use looks none up.
private struct MemberOrder: Sendable {
  private struct Member: Sendable {
    let derived: DerivedReference
    /// The position of the one that was asked for next.
    var newer: Int?
    /// The position of the one that was asked for before.
    var older: Int?
  }

  /// A member keeps its position until it is evicted; then the new one has it.
  private var all: ContiguousArray<Member> = []
  private var newest: Int?
  private(set) var oldest: Int?
  /// The one that was made last: asking for it again proves nothing.
  private var lastMade: Int?
  /// The hashes of keys that were evicted, as far as they are remembered.
  private var evicted: Set<Int> = []
  /// How many evicted keys in a row were asked for again.
  private(set) var streak = 0

  mutating func use(_ position: Int) -> DerivedReference {
    if position != lastMade { streak = 0 }
    if position != newest {
      unlink(position)
      link(position)
    }
    return all[position].derived
  }

  mutating func append(_ derived: DerivedReference, _ hash: Int) {
    all.append(Member(derived: derived))
    made(all.count - 1, hash)
  }

  mutating func replace(
    _ position: Int, _ formerHash: Int, with derived: DerivedReference, _ hash: Int, limit: Int
  ) -> DerivedReference {
    unlink(position)
    let former = exchange(&all[position], with: Member(derived: derived))
    made(position, hash)
    if evicted.count >= 1_000 + 10 * limit { evicted = [] }
    evicted.insert(formerHash)
    return former.derived
  }

  private mutating func made(_ position: Int, _ hash: Int) {
    link(position)
    lastMade = position
    streak = evicted.remove(hash) == nil ? 0 : streak + 1
  }

  private mutating func unlink(_ position: Int) {
    let (newer, older) = (all[position].newer, all[position].older)
    if let newer { all[newer].older = older } else { newest = older }
    if let older { all[older].newer = newer } else { oldest = newer }
  }

  private mutating func link(_ position: Int) {
    all[position].newer = nil
    all[position].older = newest
    if let newest { all[newest].newer = position } else { oldest = position }
    newest = position
  }
}
