/// The parts of the state that a derived value and its inputs read, as one commit left them.
///
/// They are copied in the critical section of a commit, or of a pull, and computed of without the lock. They are
/// released once the value was computed.
struct DerivedCopies: Sendable {
  private var parts: [(node: DerivedNode, values: [ValueBox])] = []
  private var revision: UInt64

  /// Copies what a node and its inputs read; under the lock of the store.
  init(of node: DerivedNode, from state: StateAddress, at revision: UInt64) {
    self.revision = revision
    copy(node, state)
  }

  private mutating func copy(_ node: DerivedNode, _ state: StateAddress) {
    if parts.contains(where: { $0.node === node }) { return }
    for input in node.inputs { copy(input, state) }
    parts.append((node, node.read(state)))
  }

  /// Copies what a node and its inputs read, out of a copy of the state that `reference` knows.
  init(
    of node: DerivedNode, from state: StateAddress, at revision: UInt64,
    as reference: DerivedReference
  ) {
    self.revision = revision
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

  /// The same, of another commit: one that left the same parts.
  func dated(_ revision: UInt64) -> DerivedCopies {
    var copies = self
    copies.revision = revision
    return copies
  }

  /// The value that a node has in the commit of the copies.
  consuming func result(of node: DerivedNode, in core: StoreCore) -> DerivedResult {
    let (revision, parts) = (revision, parts)
    let evaluation = core.withLock("read a derived value") { protected in
      DerivedEvaluation(of: node, at: revision, protected.table) { node in
        parts.first { $0.node === node }?.values ?? []
      }
    }
    return evaluation.computeAndStore(in: core)
  }
}
