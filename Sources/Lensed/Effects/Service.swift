/// Effects that belong together, under one name.
///
/// ```swift
/// let library = Service<AppState>("library", onInstall: { $0.dispatch(LibraryAction.open) }) {
///   Effect(on: LoadAction.self, .first, when: { _, change in !change.state.isLoading }) { … }
///   Effect(whenChanged: \.query, .latest) { … }
/// }
/// let installed = store.install(library)
/// ```
///
/// The conditions of its effects are called in the order of the effects. An effect can dispatch, and cannot
/// write the state.
public struct Service<State: Sendable>: Sendable {
  /// The name of the service; its effects are called `name/effect` in messages.
  public let name: String
  let effects: [Effect<State>]
  /// What is called when it comes and goes, if it has to be.
  let life: (any ServiceLife<State>)?

  /// A service.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - onInstall: Called once its effects are installed, with the store to read and dispatch to. In children,
  ///     called for each one that is there and for each one that appears.
  ///   - onRemove: Called once, when it is removed or its store is released. In children, called once for each one
  ///     that `onInstall` was called for: when the child goes, or with the service or the store if it is still there.
  ///   - effects: The effects.
  public init(
    _ name: String, onInstall: (@Sendable (_ store: ScopedStore<State>) -> Void)? = nil,
    onRemove: (@Sendable () -> Void)? = nil,
    @EffectBuilder<State> _ effects: () -> [Effect<State>]
  ) {
    let isSilent = onInstall == nil && onRemove == nil
    self.init(
      name: name, effects: effects().map { $0.named("\(name)/\($0.name)") },
      life: isSilent
        ? nil
        : PlacedService<State, State>(
          path: ChildPath(.identity), onInstall: onInstall ?? { _ in }, onRemove: onRemove ?? {}))
  }

  init(name: String, effects: [Effect<State>], life: (any ServiceLife<State>)?) {
    (self.name, self.effects, self.life) = (name, effects, life)
  }
}

/// Collects the effects of a service, as written between its braces.
@resultBuilder
public enum EffectBuilder<State: Sendable> {
  /// An effect.
  public static func buildExpression(_ effect: Effect<State>) -> [Effect<State>] { [effect] }

  /// Effects made elsewhere.
  public static func buildExpression(_ effects: [Effect<State>]) -> [Effect<State>] { effects }

  /// All of them, in order.
  public static func buildBlock(_ effects: [Effect<State>]...) -> [Effect<State>] {
    effects.flatMap(\.self)
  }

  /// An `if` without an `else`.
  public static func buildOptional(_ effects: [Effect<State>]?) -> [Effect<State>] {
    effects ?? []
  }

  /// The first branch.
  public static func buildEither(first: [Effect<State>]) -> [Effect<State>] { first }

  /// The second branch.
  public static func buildEither(second: [Effect<State>]) -> [Effect<State>] { second }

  /// A loop.
  public static func buildArray(_ effects: [[Effect<State>]]) -> [Effect<State>] {
    effects.flatMap(\.self)
  }
}
