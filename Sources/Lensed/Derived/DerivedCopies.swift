/// The parts of the state that a derived value and its inputs read, as one commit left them.
///
/// They are copied in the critical section of a commit, or of a pull, and computed of without the lock. They are
/// released once the value was computed.
struct DerivedCopies: Sendable {
  private var parts: [(node: DerivedNode, values: [ValueBox])] = []

  /// Copies what a node and its inputs read; under the lock of the store.
  init(of node: DerivedNode, from state: StateAddress) {
    copy(node, state)
  }

  private mutating func copy(_ node: DerivedNode, _ state: StateAddress) {
    if parts.contains(where: { $0.node === node }) { return }
    for input in node.inputs { copy(input, state) }
    parts.append((node, node.read(state)))
  }

  /// Copies what a node and its inputs read, out of a copy of the state that `reference` knows.
  init(of node: DerivedNode, from state: StateAddress, as reference: DerivedReference) {
    copy(node, state, reference)
  }

  private mutating func copy(
    _ node: DerivedNode, _ state: StateAddress, _ reference: DerivedReference
  ) {
    if parts.contains(where: { $0.node === node }) { return }
    var values: [ValueBox] = []
    var inputs = node.inputs.makeIterator()
    for input in node.formula.inputs {
      switch input {
      case .part(let part): reference.place.lend(state) { values.append(part.read($0)) }
      case .derived(let inner):
        if let input = inputs.next() { copy(input, state, inner.placed(in: reference.place)) }
      }
    }
    parts.append((node, values))
  }

  /// The value that a node has in the commit that the copies are of.
  consuming func result(
    of node: DerivedNode, at revision: UInt64, in core: StoreCore
  ) -> DerivedResult {
    let parts = parts
    let evaluation = core.withLock("read a derived value") { protected in
      DerivedEvaluation(of: node, at: revision, protected.table) { node in
        parts.first { $0.node === node }?.values ?? []
      }
    }
    return evaluation.computeAndStore(in: core)
  }
}
