/// What looks for the child that an action of one reducer is for.
struct ChildLookup: Sendable {
  let finder: ChildFinder
  /// The number of the handler of the reducer.
  let handler: Int
}
