internal import Synchronization

// The life of a node:
//
// 1. *Made*, under the lock of the store, when a caller asks for the derived value for the first time.
// 2. *Verified*, under the lock: nothing that it reads was touched since its last commit, so its value is current
//    (`result`; `DerivedEvaluation`, where it has derived inputs). A reader asks the `MemoValue` first.
// 3. *Computed*, without the lock, after something was touched; then *stored*, under the lock.
// 4. *Released* with the store, or once it is abandoned and the table looks for such nodes.
//
// Mutable state: the record, which the lock of the store guards, and the seed, which has a lock of its own.

/// What one store keeps of a derived value: the value of one commit, and how long it has been so.
final class DerivedNode: Sendable {
  /// What the lock of the store guards.
  struct Record: Sendable {
    /// The value, which a read looks at first.
    var memo = MemoValue()
    /// The commit that the value was first computed of; a result that equals the former one keeps that.
    var changedAt: UInt64 = 0
    /// Which commits touch the parts that the function reads itself; nil where these are all.
    var own: Boxed<Interest>?
    var equalCount: UInt32 = 0
    /// Whether another value derives from it: then it is not computed in vain if it comes out equal.
    var isInput = false
    /// The computations of it that are under way, one for each thread.
    var computations = InlineList<DerivedComputation>()

    /// The value at the commit that it is verified at; nil while it was never computed.
    var result: DerivedResult? { memo.value.map { DerivedResult(value: $0, changedAt: changedAt) } }
  }

  /// What most nodes do without.
  private struct Surroundings: Sendable {
    var place = StatePlace.whole
    /// Those of its inputs that are derived, in order.
    var inputs: [DerivedNode] = []
    /// What a formula that follows rows goes on from; nil for all others.
    var seed: Seed?
    /// What the value depends on, if some of its inputs are derived: many nodes might lie below.
    var footprint: Boxed<Footprint>?
  }

  /// What a computation left for the next one; of any commit, since it names its own arguments.
  private final class Seed: Sendable {
    let content = Locked<DerivedFormula.Computed?>(nil)
  }

  private static let memoOffset = ReducerCase.requiredOffset(of: \Record.memo)

  let formula: DerivedFormula
  /// Nil for the whole state, no derived inputs, and no rows.
  private let surroundings: Boxed<Surroundings>?
  let record = UnsafeCell(Record())

  init(_ formula: DerivedFormula, in place: StatePlace, inputs: [DerivedNode]) {
    self.formula = formula
    let isPlain =
      place.isWhole && inputs.isEmpty && !formula.followsRows
    var surroundings = Surroundings(place: place, inputs: inputs)
    if formula.followsRows { surroundings.seed = Seed() }
    if !inputs.isEmpty {
      surroundings.footprint = Boxed(
        Footprint(ofAll: formula.ownFootprints(in: place) + inputs.map(\.footprint)))
    }
    self.surroundings = isPlain ? nil : Boxed(surroundings)
  }

  var memoPlace: StateAddress { record.place.advanced(by: Self.memoOffset) }

  private var place: StatePlace { surroundings?.value.place ?? .whole }

  var inputs: [DerivedNode] { surroundings?.value.inputs ?? [] }

  var isAbandoned: Bool { formula.isAbandoned.load(ordering: .relaxed) }

  private var ownFootprint: Footprint { Footprint(ofAll: formula.ownFootprints(in: place)) }

  var footprint: Footprint { surroundings?.value.footprint?.value ?? ownFootprint }

  /// Runs the function; without a lock.
  func compute(_ inputs: [ValueBox]) -> ValueBox {
    guard let seed = surroundings?.value.seed else { return formula.compute(inputs, nil) }
    let former = seed.content.withLock { $0 }
    let value = formula.compute(inputs, former)
    // Released here, without the lock.
    let replaced = seed.content.withLock { exchange(&$0, with: (inputs, value)) }
    withExtendedLifetime(replaced) {}
    return value
  }

  /// The arguments: `parts`, which the function reads itself, and what `value` returns of each derived input by its
  /// index.
  func arguments(
    _ parts: [ValueBox], _ value: (_ inner: DerivedNode, _ index: Int) -> ValueBox
  ) -> [ValueBox] {
    if inputs.isEmpty { return parts }
    var (parts, derived, arguments) = (parts.makeIterator(), inputs.makeIterator(), [ValueBox]())
    for input in formula.inputs {
      switch input {
      case .part: if let part = parts.next() { arguments.append(part) }
      case .derived:
        if let inner = derived.next() { arguments.append(value(inner, arguments.count)) }
      }
    }
    return arguments
  }

  func read(_ state: StateAddress) -> [ValueBox] {
    guard let surroundings else { return formula.readParts(of: state) }
    var values: [ValueBox] = []
    surroundings.value.place.lend(state) { values = formula.readParts(of: $0) }
    return values
  }
}

// MARK: Under the lock

extension DerivedNode {
  /// The value as the commit `revision` left it, where it need not be computed.
  func result(at revision: UInt64, in table: borrowing ObserverTable) -> DerivedResult? {
    guard let result = record.value.result else { return nil }
    let verifiedAt = record.value.memo.verifiedAt
    if verifiedAt != revision {
      updateInterest(in: table)
      let touched = table.newest(record.value.memo.interest, in: footprint)
      // Untouched since then, it is the same in each commit from there to the newest one.
      if touched > min(verifiedAt, revision) { return nil }
      record.value.memo.verifiedAt = max(verifiedAt, table.revision)
    }
    return result
  }

  func lastOwnTouch(in table: borrowing ObserverTable) -> UInt64 {
    // A replacement of the state touches what is read, and this function reads nothing.
    if inputs.count == formula.inputs.count { return 0 }
    updateInterest(in: table)
    let own = record.value.own?.value ?? record.value.memo.interest
    return table.newest(own, in: ownFootprint)
  }

  private func updateInterest(in table: borrowing ObserverTable) {
    if record.value.memo.ownership == table.ownership { return }
    record.value.memo.ownership = table.ownership
    table.renew(&record.value.memo.interest, in: footprint)
    if inputs.isEmpty {
      record.value.own = nil
    } else {
      var own = record.value.own?.value ?? .everything
      table.renew(&own, in: ownFootprint)
      record.value.own = Boxed(own)
    }
  }
}

/// A derived value, as some commit left it.
struct DerivedResult: Sendable {
  var value: ValueBox
  /// A commit since which it is known to be so; two results of one node that name the same commit are equal.
  var changedAt: UInt64
}
