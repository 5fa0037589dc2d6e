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
/// twice as many as can still be asked for. An evicted key that is asked for again is computed again.
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
      if let known = now.byKey[key] { return use(known) }
      let member = made ?? Member(make(key))
      made = member
      _ = use(member)
      var next = now.byKey
      next[key] = member
      if next.count > limit, let oldest = next.min(by: { age($0.value) < age($1.value) }) {
        next[oldest.key] = nil
      }
      let isReplaced = members.withLock { members in
        if members.version != now.version { return false }
        // The former dictionary is released with `now`.
        members.byKey = next
        members.version += 1
        return true
      }
      if isReplaced { return member.derived }
    }
  }

  private func use(_ member: Member) -> Derived<State, Value> {
    let use = uses.wrappingAdd(1, ordering: .relaxed).newValue
    member.lastUse.store(use, ordering: .relaxed)
    return member.derived
  }

  private func age(_ member: Member) -> UInt64 { member.lastUse.load(ordering: .relaxed) }
}
