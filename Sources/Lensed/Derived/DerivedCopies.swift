/// The parts of the state that a derived value and its inputs read, as one commit left them.
///
/// Copied in the critical section of a commit or a pull, computed of without the lock, and then released.
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

  /// Copies what a node and its inputs read, under the lock of the store; where there is a `reference`, out of a copy
  /// of the state that it knows, of which `isSubstitute` says that it stands for a child that is not there.
  ///
  /// What is given lies in `root`, the state of the store.
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

// MARK: Of a scope

/// A derived value, as a scope sees it.
///
/// The store keeps a value of the part itself. While the child of the scope is not there, another value stands for
/// it; then the derived value is computed of that, and is the scope's alone.
struct ScopedDerived: Sendable {
  private typealias Copy = @Sendable (_ state: StateAddress, _ node: DerivedNode) -> DerivedCopies

  let reference: DerivedReference
  /// The child that the part lies in, or is; nil where the part is always there.
  private let child: PartPresence?
  private let copySubstitute: Copy

  init<State: Sendable>(_ derived: DerivedReference, in part: PartPath<State>, of core: StoreCore) {
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

  var mayBeGone: Bool { child != nil }

  /// Whether the part is there, and not that of another child; under the lock of the store.
  func isThere(_ state: StateAddress) -> Bool { child?.isThere(state) ?? true }

  /// Copies what a node and its inputs read; under the lock of the store.
  func copies(of node: DerivedNode, from state: StateAddress) -> DerivedCopies {
    isThere(state) ? DerivedCopies(of: node, from: state) : copySubstitute(state, node)
  }
}

// MARK: Of a subscription

/// The inputs of a derived value, as one subscription, or one reader, is given them: of the commit that it is notified
/// of.
///
/// `CapturedPart` says who may touch what, and when. `stagedRevision` belongs to whoever has the staged value there.
final class CapturedInputs: PartSlot {
  let footprint: Footprint
  private let part: CapturedPart<DerivedCopies>
  private let stagedRevision = UnsafeCell<UInt64>(0)

  init(of node: DerivedNode, _ derived: ScopedDerived) {
    footprint = node.footprint
    part = CapturedPart(
      PartPath(way: .unnamed) { state in derived.copies(of: node, from: state) })
  }

  var capture: PartCapture { PartCapture(self) { [part] in part.load(from: $0, at: $1) } }

  /// Hands out the copies of the given commit, with its number, once; zero stands for what was staged, or pulled.
  func takeCopies(at revision: UInt64) -> (copies: DerivedCopies, revision: UInt64)? {
    guard let copies = part.takeValue(at: revision) else { return nil }
    return (copies, revision == 0 ? stagedRevision.value : revision)
  }

  func willReadFirst(at revision: UInt64) { stagedRevision.value = revision }

  func queue(_ state: StateAddress, _ revision: UInt64) { part.queue(state, revision) }

  func promote(_ revision: UInt64) { part.promote(revision) }

  func release() { part.release() }

  func stage(_ revision: UInt64) -> (@Sendable () -> Void)? {
    guard let stage = part.stage(revision) else { return nil }
    return {
      self.stagedRevision.value = revision
      stage()
    }
  }
}
