/// A property that no action changes, deliberately.
///
/// A store with complete coverage requires a reducer for every property; this stands for one that has
/// none. `replaceState` still replaces it.
///
/// ```swift
/// let store = try Store(initialState: AppState()) {
///   counterMutator
///   Constant(\.configuration)
/// }
/// ```
public struct Constant<State: Sendable>: Sendable {
  let footprint: Footprint

  /// The property at a key path, a constant one too, stays as it is.
  public init<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) {
    footprint = PartPath(keyPath).footprint
  }

  /// What a lens focuses on stays as it is.
  public init<Value>(_ lens: some LensLike<State, Value>) {
    footprint = lens.asLens.footprint
  }
}

/// The former name of `Constant`.
@available(*, deprecated, renamed: "Constant")
public typealias Unreduced<State: Sendable> = Constant<State>
