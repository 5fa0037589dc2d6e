import Lensed
import LensedTestSupport

/// What a hostile value does when its `deinit`, its `==` or its `hash` runs.
enum Misdeed: String, Sendable, CaseIterable, Codable {
  case dispatch, subscribe, drop
}

/// A store, the only reference to it, and values that misbehave towards it.
final class HostileScene: Sendable {
  // Its things know it weakly, because it holds the scope, which holds the last state.

  /// Holds a bell, and does its misdeed when it is compared or hashed while it is armed.
  struct Thing: Sendable, Hashable {
    var number = 0
    var bell: Bell?
    var scene: WeakReference<HostileScene>?

    static func == (left: Thing, right: Thing) -> Bool {
      left.scene?.object?.strikeIfArmed()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      scene?.object?.strikeIfArmed()
      hasher.combine(number)
    }
  }

  struct Item: Sendable, Identifiable {
    let id: Thing
    var count = 0
  }

  struct Attic: Sendable {
    var thing = Thing()
    var shelf: [Thing: Int] = [:]
    var items: [Item] = []
    var count = 0
  }

  /// Puts a thing in the place of the one that is there.
  struct Put: Action {
    let thing: Thing
  }

  /// Carries a thing that no reducer keeps.
  struct Carry: Action {
    var thing = Thing()
  }

  /// Has the reducer compare what is there with another thing.
  struct Compare: Action {}

  /// Does what the store does, and does not keep it.
  let scope: ScopedStore<Attic>
  /// What the misdeed's subscription heard.
  let heard = Recorder<Int>()
  let struck = Counter()
  private let misdeed: Misdeed
  private let keeper: Locked<Store<Attic>?>
  private let isArmed = Locked(false)

  init(_ misdeed: Misdeed, _ attic: Attic = Attic()) throws {
    let store = try Store(initialState: attic) {
      Mutator(\.thing) { (thing: inout Thing, action: Put) in thing = action.thing }
        .on(Carry.self) { _, _ in }
        .on(Compare.self) { thing, _ in if thing == Thing(number: 1) { thing.number = 2 } }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Mutator(\.shelf, Self.counting.keyed())
      Mutator(\.items, Self.countingItem.identified())
    }
    self.misdeed = misdeed
    scope = store.scope(\.self)
    keeper = Locked(store)
  }

  private static let counting = Reducer { (count: inout Int, _: CountAction) in count += 1 }
  private static let countingItem = Reducer { (item: inout Item, _: CountAction) in
    item.count += 1
  }

  var store: Store<Attic>? { keeper.withLock { $0 } }

  /// Lets go of the last reference, outside of the keeper's own lock.
  func drop() {
    let last = keeper.withLock { $0.take() }
    _ = last
  }

  func arm() { isArmed.withLock { $0 = true } }

  /// A thing that strikes when the last copy of it is let go.
  func bellThing(_ number: Int = 1) -> Thing {
    Thing(number: number, bell: Bell { [weak self] in self?.strike() })
  }

  /// A thing that strikes once when it is compared or hashed, after the scene was armed.
  func touchyThing(_ number: Int = 1) -> Thing {
    Thing(number: number, scene: WeakReference(self))
  }

  func strike() {
    // Afterwards: a test that waits for the strike finds the misdeed done.
    defer { struck.increment() }
    switch misdeed {
    case .dispatch: store?.dispatch(CountAction.add(1))
    case .subscribe: store?.states(\.count).subscribe { [heard] in heard.append($0) }.cancel()
    case .drop: drop()
    }
  }

  private func strikeIfArmed() {
    let isMine = isArmed.withLock { armed in
      defer { armed = false }
      return armed
    }
    if isMine { strike() }
  }
}
