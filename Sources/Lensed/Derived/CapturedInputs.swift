/// The parts of the state that a derived value depends on, as one subscription, or one reader, is given them.
///
/// They are copied in the critical section of the commit, or of the pull, and computed of without the lock: so what
/// is delivered is of the commit that it is delivered with. The copies are released once the value was computed.
///
/// The guards are those of `CapturedPart`, and `stagedRevision` has the guard of the staged value.
final class CapturedInputs: PartSlot {
  /// The parts that each node reads itself, and the commit that left them.
  struct Copies: Sendable {
    fileprivate var parts: [(node: DerivedNode, values: [ValueBox])] = []
    fileprivate var revision: UInt64 = 0
  }

  let footprint: Footprint
  private let part: CapturedPart<Copies>
  /// The commit of the staged copies.
  private let stagedRevision = UnsafeCell<UInt64>(0)

  init(of node: DerivedNode) {
    footprint = node.footprint
    part = CapturedPart(
      PartPath(label: .unnamed) { state in
        var copies = Copies()
        node.forEachNode { copies.parts.append(($0, $0.read(state))) }
        return copies
      })
  }

  /// The capture that a pipeline connects.
  var capture: PartCapture {
    PartCapture(self) { [part] in part.load(from: $0, at: $1) }
  }

  /// Hands out the copies that belong to the given commit, once; zero for what was staged, or pulled.
  func take(at revision: UInt64) -> Copies? {
    guard var copies = part.take(at: revision) else { return nil }
    copies.revision = revision == 0 ? stagedRevision.value : revision
    return copies
  }

  var interest: Interest {
    get { part.interest }
    set { part.interest = newValue }
  }

  func willReadFirst(at revision: UInt64) {
    stagedRevision.value = revision
  }

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

extension CapturedInputs.Copies {
  /// The value that a node has in the commit of the copies.
  consuming func result(of node: DerivedNode, in core: StoreCore) -> DerivedResult {
    let (revision, parts) = (revision, parts)
    return DerivedEvaluation.result(of: node, at: revision, in: core) { node in
      parts.first { $0.node === node }?.values ?? []
    }
  }
}
