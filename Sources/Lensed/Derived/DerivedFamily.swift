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
/// It holds as many keys as its limit says. One more key evicts the one that was asked for the longest time
/// ago, in whichever store. Stores then release the value, unless it is observed: at the latest when they hold
/// twice as many as can still be asked for. An evicted key that is asked for again is computed again. If that is all
/// that happens, because the family is asked in turn for more keys than it holds, the store reports a
/// ``StoreWarning``.
///
/// Like a derived value, a family is one by identity, so make it once.
///
/// - Complexity: A key that is held costs one look-up more than a derived value; a new one O(*limit*).
public final class DerivedFamily<State: Sendable, Key: Hashable & Sendable, Value: Sendable>:
  Sendable
{
  /// The member of one key, and when it was asked for last.
  private final class Member: Sendable {
    let derived: Derived<State, Value>
    let lastUse = Atomic<UInt64>(0)

    init(_ derived: Derived<State, Value>) {
      self.derived = derived
    }
  }

  /// The members by key.
  ///
  /// A dictionary is never changed, but replaced: so keys are hashed and compared outside of the lock, because that
  /// may be the user's own code.
  private struct Members: Sendable {
    var byKey: [Key: Member] = [:]
    var version = 0
    /// The member that was asked for last: asking for it again proves nothing.
    var newest: Member?
    var evictions = Evictions()
  }

  /// What was evicted, as far as it is remembered: by the hashes of the keys.
  private struct Evictions: Sendable {
    private var hashes: Set<Int> = []
    /// How many evicted keys in a row were asked for again.
    private(set) var streak = 0

    mutating func endStreak() { streak = 0 }

    /// Notes that a key has taken the place of another.
    mutating func note(_ key: Int, evicting evicted: Int?, limit: Int) {
      streak = hashes.remove(key) == nil ? 0 : streak + 1
      guard let evicted else { return }
      if hashes.count >= 1_000 + 10 * limit { hashes = [] }
      hashes.insert(evicted)
    }
  }

  /// The greatest number of keys that are held.
  public let limit: Int
  private let members = Locked(Members())
  private let uses = Atomic<UInt64>(0)
  private let make: @Sendable (_ key: Key) -> Derived<State, Value>

  /// A family of derived values.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of keys that are held; at least 1.
  ///   - make: Makes the derived value of a key. It is called once for each key that is held.
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
  public var count: Int { members.withLock { $0.byKey.count } }

  /// The derived value of a key.
  public subscript(_ key: Key) -> Derived<State, Value> {
    var made: Member?
    while true {
      let now = members.withLock { $0 }
      if let known = now.byKey[key] {
        if now.evictions.streak > 0 && known !== now.newest {
          members.withLock { $0.evictions.endStreak() }
        }
        return use(known)
      }
      let member = made ?? Member(make(key))
      made = member
      _ = use(member)
      var next = now.byKey
      next[key] = member
      let hash = key.hashValue
      var evicted: Int?
      if next.count > limit, let oldest = next.min(by: { age($0.value) < age($1.value) }) {
        next[oldest.key] = nil
        evicted = oldest.key.hashValue
      }
      let streak: Int? = members.withLock { members in
        if members.version != now.version { return nil }
        // The former dictionary and member are released with `now`.
        members.byKey = next
        members.version += 1
        members.newest = member
        members.evictions.note(hash, evicting: evicted, limit: limit)
        return members.evictions.streak
      }
      guard let streak else { continue }
      if streak > max(limit, 8) {
        member.derived.reference.formula.crowdedLimit.store(limit, ordering: .relaxed)
      }
      return member.derived
    }
  }

  private func use(_ member: Member) -> Derived<State, Value> {
    let use = uses.wrappingAdd(1, ordering: .relaxed).newValue
    member.lastUse.store(use, ordering: .relaxed)
    return member.derived
  }

  private func age(_ member: Member) -> UInt64 { member.lastUse.load(ordering: .relaxed) }
}
