/// How close a work is to its parent: the closer, the more cancellations of the parent reach it.
enum WorkRelation: Comparable, CaseIterable, Sendable {
  /// A changed value set it off: it belongs to the state, and no cancellation of a cause reaches it.
  case independent
  /// A commit of the parent set it off. The commit is a fact: only an explicit cancel reaches it.
  case caused
  /// It is part of the parent's own run: the end of that run ends it.
  case owned
}
