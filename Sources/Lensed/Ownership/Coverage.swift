/// Whether every property of a state has to have an owner.
public enum Coverage: Sendable, Hashable {
  /// Every stored property that reflection of the initial state shows has one mutator, by whichever of its
  /// names, or is `Constant`. What is missing is an error of the builder; a store that is registered into
  /// later traps on its first dispatch.
  case complete
  /// Properties may have no owner, for features that are registered one by one.
  case partial
}
