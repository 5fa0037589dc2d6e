/// A derived value, as a scope sees it.
///
/// The store keeps a value of the part itself. While the child of the scope is not there, another value stands for
/// it; then the derived value is computed of that, and is the scope's alone.
struct ScopedDerived: Sendable {
  private typealias Copy = @Sendable (_ state: StateAddress, _ node: DerivedNode) -> DerivedCopies

  /// As the store knows it.
  let reference: DerivedReference
  /// The child that the part lies in, or is; nil where the part is always there.
  private let child: PartPresence?
  /// Copies what stands for the part.
  private let copySubstitute: Copy

  init<State: Sendable>(
    _ derived: DerivedReference, in part: PartPath<State>, of core: StoreCore
  ) {
    var derived = derived
    if !derived.formula.asks.isEmpty { derived.givers = derived.findGivers(in: part, of: core) }
    reference = derived.placed(in: StatePlace(part))
    child = part.child
    copySubstitute = { [derived] state, node in
      StateAddress.reading(part.read(state), as: State.self) {
        DerivedCopies(of: node, from: $0, as: derived, given: state, isSubstitute: true)
      }
    }
  }

  /// Whether the part might not be there.
  var mayBeGone: Bool { child != nil }

  /// Whether the part is there, and not that of another child; under the lock of the store.
  func isThere(_ state: StateAddress) -> Bool { child?.isThere(state) ?? true }

  /// Copies what a node and its inputs read; under the lock of the store.
  func copies(of node: DerivedNode, from state: StateAddress) -> DerivedCopies {
    isThere(state) ? DerivedCopies(of: node, from: state) : copySubstitute(state, node)
  }
}
