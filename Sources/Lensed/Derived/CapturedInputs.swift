/// The inputs of a derived value, as one subscription, or one reader, is given them.
///
/// They are copied in the critical section of the commit, or of the pull: so what is delivered is of the commit that
/// it is delivered with.
///
/// `CapturedPart` says who may touch what, and when. `stagedRevision` belongs to whoever has the staged value there.
final class CapturedInputs: PartSlot {
  let footprint: Footprint
  private let part: CapturedPart<DerivedCopies>
  /// The commit of the staged copies.
  private let stagedRevision = UnsafeCell<UInt64>(0)

  init(of node: DerivedNode, _ derived: ScopedDerived) {
    footprint = node.footprint
    part = CapturedPart(
      PartPath(way: .unnamed) { state in derived.copies(of: node, from: state) })
  }

  /// The capture that a pipeline connects.
  var capture: PartCapture {
    PartCapture(self) { [part] in part.load(from: $0, at: $1) }
  }

  /// Hands out the copies that belong to the given commit, with its number, once; zero stands for the commit of what
  /// was staged, or pulled.
  func takeCopies(at revision: UInt64) -> (copies: DerivedCopies, revision: UInt64)? {
    guard let copies = part.takeValue(at: revision) else { return nil }
    return (copies, revision == 0 ? stagedRevision.value : revision)
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
