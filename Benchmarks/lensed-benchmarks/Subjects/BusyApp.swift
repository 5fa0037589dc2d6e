import Lensed

/// A store with effects.
struct BusyApp: Sendable {
  let store: Store<CounterApp>
  private let effects: [StoreSubscription]

  /// Creates a store with one effect of the measured action.
  init(of policy: EffectPolicy) throws {
    store = try CounterApp.store()
    effects = [
      store.install(Effect(on: CounterAction.self, policy) { _, _ in swallow(1) })
    ]
  }

  /// Creates a store with effects of actions that are never dispatched.
  init(otherEffects count: Int) throws {
    let store = try CounterApp.store()
    let effects = (0..<count).map { index in
      switch index % 4 {
      case 0: Self.idle(Quiet<Int8>.self)
      case 1: Self.idle(Quiet<Int16>.self)
      case 2: Self.idle(Quiet<Int32>.self)
      default: Self.idle(Quiet<Int64>.self)
      }
    }
    self.store = store
    self.effects = effects.map { store.install($0) }
  }

  private static func idle<Other: Action>(_ type: Other.Type) -> Effect<CounterApp> {
    Effect(on: Other.self) { _, _ in swallow(1) }
  }

  /// An action that is never dispatched.
  private struct Quiet<Kind: Sendable>: Action {
    var kind: Kind
  }
}
