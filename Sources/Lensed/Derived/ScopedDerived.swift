/// A derived value, as a scope sees it.
///
/// The store keeps a value of the part itself. While the part is not there, the scope has the last value that it saw;
/// then the derived value is computed of that, and is the scope's alone.
struct ScopedDerived: Sendable {
  private typealias LendState =
    @Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Void

  /// As the store knows it.
  let reference: DerivedReference
  /// As the scope knows it.
  private let inner: DerivedReference
  private let place: StatePlace
  /// Lends the state of the scope, which is the last one while the part is not there; nil where it always is.
  private let lendLast: LendState?
  private let formers: FormerValues?

  init<State: Sendable>(_ derived: DerivedReference, in part: PartPath<State>) {
    inner = derived
    place = StatePlace(part)
    reference = derived.placed(in: place)
    let lend: LendState = { state, body in
      StateAddress.reading(part.read(state), as: State.self, body)
    }
    formers = part.formers
    lendLast = formers == nil ? nil : lend
  }

  /// Whether the part might not be there.
  var mayBeGone: Bool { lendLast != nil }

  /// Copies what a node and its inputs read; under the lock of the store.
  func copies(of node: DerivedNode, from state: StateAddress) -> DerivedCopies {
    guard let lendLast else { return DerivedCopies(of: node, from: state) }
    let isThere = place.lend(state) { _ in }
    var copies: DerivedCopies?
    lendLast(state) { copies = DerivedCopies(of: node, from: $0, as: inner, isLast: !isThere) }
    return PartPath.lent(copies)
  }

  /// Releases the values of the scope that `copies` has replaced; to be called without a lock, by each of its callers.
  func releaseFormers() { formers?.release() }
}
