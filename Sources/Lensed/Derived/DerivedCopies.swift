/// The parts of the state that a derived value and its inputs read, as one commit left them.
///
/// They are copied in the critical section of a commit, or of a pull, and computed of without the lock. They are
/// released once the value was computed.
struct DerivedCopies: Sendable {
  /// How many nodes are looked through faster than looked up.
  private static let fewNodes = 8

  /// By nodes, inputs first.
  private var parts: [(node: DerivedNode, values: [ValueBox])] = []
  /// The indices of the nodes in `parts`; empty while they are few.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// Whether they are of what stands for a child that is not there, and of no commit.
  private(set) var isSubstitute = false
  /// Whether a given value is missing, because what gave it has gone.
  private(set) var isIncomplete = false

  private func index(of node: DerivedNode) -> Int? {
    indices.isEmpty
      ? parts.firstIndex { $0.node === node } : indices[ObjectIdentifier(node)]
  }

  private mutating func append(_ node: DerivedNode, _ values: [ValueBox]) {
    parts.append((node, values))
    if parts.count <= Self.fewNodes { return }
    for index in indices.count..<parts.count {
      indices[ObjectIdentifier(parts[index].node)] = index
    }
  }

  /// Copies what a node and its inputs read, under the lock of the store: out of the state of the store, or out of a copy
  /// of the state that `reference` knows.
  ///
  /// `isSubstitute` says that the copy stands for a child that is not there. What is given lies in `root`, the state of
  /// the store.
  init(
    of node: DerivedNode, from state: StateAddress, as reference: DerivedReference? = nil,
    given root: StateAddress? = nil, isSubstitute: Bool = false
  ) {
    copy(node, state, reference, root)
    self.isSubstitute = isSubstitute
  }

  private mutating func copy(
    _ node: DerivedNode, _ state: StateAddress, _ reference: DerivedReference?,
    _ root: StateAddress?
  ) {
    if index(of: node) != nil { return }
    // Both have the derived inputs of one formula.
    let inner = reference?.inputs
    for (number, input) in node.inputs.enumerated() { copy(input, state, inner?[number], root) }
    guard let reference else { return append(node, node.read(state)) }
    var values: [ValueBox] = []
    let source = node.formula.isGiven ? root : state
    if let source { reference.readPlace.lend(source) { values = node.formula.readParts(of: $0) } }
    if node.formula.isGiven && values.isEmpty { isIncomplete = true }
    append(node, values)
  }

  /// The value that a node has in the commit that the copies are of.
  consuming func result(
    of node: DerivedNode, at revision: UInt64, in core: StoreCore
  ) -> DerivedResult {
    if isSubstitute { return DerivedResult(value: computed(), changedAt: revision) }
    let copies = self
    var evaluation = core.withLock("read a derived value") { protected in
      DerivedEvaluation(of: node, at: revision, protected.table) { node in
        copies.index(of: node).map { copies.parts[$0].values } ?? []
      }
    }
    return evaluation.computeAndStore(in: core)
  }

  /// Computes the value of the last node, and of those before it, and stores nothing.
  private consuming func computed() -> ValueBox {
    var known: [ObjectIdentifier: ValueBox] = [:]
    var value: ValueBox?
    for (node, values) in parts {
      let inputs = node.arguments(values) { inner, _ in
        PartPath.lent(known[ObjectIdentifier(inner)])
      }
      let result = node.compute(inputs)
      known[ObjectIdentifier(node)] = result
      value = result
    }
    return PartPath.lent(value)
  }
}
