// How derived values are brought up to one commit. This is the red-green algorithm of incremental compilers.
//
// A read looks at the `MemoCache` first, under the lock. Where the node in it is of the present commit, or nothing has
// touched it since, the value is read in place. Otherwise:
//
// 1. *Plan*, under the lock. From the value that is asked for down to its inputs: a node that nothing has touched
//    since it was verified is *green*, and its value stands. Of every other node, the parts of the state that it
//    reads are copied. All of it is of one commit.
// 2. *Compute*, without the lock, inputs first. A node is *red* if a part that it reads itself was touched, or an
//    input changed since the node was verified. A red node is computed and compared. A result that equals the
//    former one keeps the commit of that: then whatever derives from it stays green. The copies are released.
// 3. *Store*, under the lock. A newer value, which another thread has stored meanwhile, stays.
//
// Threads that ask at the same time compute for themselves and do not wait: a wait for another's computation
// can be one for oneself, if that computation asks for a lock of the user's, a store, or the main thread. A thread
// that asks later finds what was stored.
//
// Why each value that is stored belongs to those before it: the values of a node that are stored are of growing
// commits, and each is compared with the one stored before. A node is stored for a commit only if each of its
// inputs is stored for that very commit, or was green. So if no input changed after the node was verified, the node's
// value is current.
//
// A stream, an observed store or an effect is given `DerivedCopies`, of the commit that it is notified of. The evaluation of
// that commit is the same: the first of them stores the result, and the others find it.

/// One evaluation of a derived value, by one thread.
struct DerivedEvaluation: Sendable {
  /// What a step is given.
  private enum Operand: Sendable {
    case part(ValueBox)
    case green(DerivedResult)
    /// The outcome of an earlier step.
    case step(Int)
  }

  /// One node that is not green.
  private struct Step: Sendable {
    let node: DerivedNode
    let computation: DerivedComputation
    /// What was stored when the evaluation began.
    var former: DerivedResult?
    let verifiedAt: UInt64
    /// Whether a part of the state was touched that it reads, or nothing usable was stored.
    let isTouched: Bool
    var operands: [Operand]
    /// The derived ones of its inputs that are steps.
    let inputs: [Int]
    var outcome: DerivedResult?
    var isComputed = false
    var isStored = false
  }

  private let revision: UInt64
  /// Nil while all is green.
  private var computation: DerivedComputation?
  private var steps: [Step] = []
  private var root: Operand?

  /// Plans the evaluation of a node as the commit `revision` left it; under the lock.
  ///
  /// `read` reads the parts of the state, as that commit left it, that a node reads itself.
  init(
    of node: DerivedNode, at revision: UInt64, _ table: borrowing ObserverTable,
    reading read: (DerivedNode) -> [ValueBox]
  ) {
    self.revision = revision
    root = plan(node, table, read)
  }

  private mutating func plan(
    _ node: DerivedNode, _ table: borrowing ObserverTable, _ read: (DerivedNode) -> [ValueBox]
  ) -> Operand {
    if let computation, let known = node.step(in: computation) { return .step(known) }
    if let result = node.result(at: revision, in: table) { return .green(result) }
    let record = node.record.value
    let verifiedAt = record.memo.verifiedAt
    let former = verifiedAt > revision ? nil : record.result
    let isTouched = former == nil || node.lastOwnTouch(in: table) > verifiedAt
    let computation = computation ?? DerivedComputation(of: revision)
    if self.computation == nil { steps.reserveCapacity(4) }
    self.computation = computation
    var (parts, derived) = (read(node).makeIterator(), node.inputs.makeIterator())
    let operands = node.formula.inputs.compactMap { input -> Operand? in
      switch input {
      case .part: parts.next().map { .part($0) }
      case .derived: derived.next().map { plan($0, table, read) }
      }
    }
    let inputs = operands.compactMap { if case .step(let index) = $0 { index } else { nil } }
    node.add(computation, as: steps.count)
    steps.append(
      Step(
        node: node, computation: computation, former: former, verifiedAt: verifiedAt,
        isTouched: isTouched,
        operands: operands, inputs: inputs))
    return .step(steps.count - 1)
  }

  /// Computes what has to be computed, stores it, and returns the value.
  consuming func computeAndStore(in core: StoreCore) -> DerivedResult {
    if steps.isEmpty { return result(root) }
    for index in steps.indices { compute(index) }
    var isFirst = true
    while true {
      let (areStored, rivals, useless) = core.withLock("stored a derived value") {
        [self, isFirst] _ in store(isFirst: isFirst)
      }
      for index in steps.indices { steps[index].isStored = areStored[index] }
      for formula in useless { core.warnings?.report(formula.uselessness) }
      if rivals.isEmpty { break }
      for (index, rival) in rivals { compare(index, with: rival) }
      isFirst = false
    }
    if let warnings = core.warnings {
      for step in steps where step.isComputed { step.node.formula.crowding.map(warnings.report) }
    }
    return result(root)
  }

  private func result(_ operand: Operand?) -> DerivedResult {
    switch operand {
    case .green(let result): return result
    case .step(let index): if let outcome = steps[index].outcome { return outcome }
    case .part, nil: break
    }
    fatalError(
      "Lensed: a derived value was asked for before it was computed; this is a fault of Lensed.")
  }

  private mutating func compute(_ index: Int) {
    // Taken out, so that the copies of parts are released with the computation.
    let operands = exchange(&steps[index].operands, with: [])
    let step = steps[index]
    var isRed = step.isTouched
    let inputs = operands.map { operand in
      if case .part(let value) = operand { return value }
      let result = result(operand)
      if result.changedAt > step.verifiedAt { isRed = true }
      return result.value
    }
    if !isRed, let former = step.former {
      steps[index].outcome = former
      return
    }
    let value = step.computation.run(ObjectIdentifier(step.node)) {
      step.node.compute(inputs)
    }
    steps[index].isComputed = true
    steps[index].outcome = DerivedResult(value: value, changedAt: revision)
    if let former = step.former { compare(index, with: former) }
  }

  /// Gives an outcome that equals what is stored the identity of that.
  private mutating func compare(_ index: Int, with former: DerivedResult) {
    steps[index].former = former
    guard let outcome = steps[index].outcome else { return }
    let areEqual = steps[index].node.formula.areEqual
    steps[index].outcome =
      outcome.value === former.value || areEqual?(former.value, outcome.value) ?? false
      ? former : DerivedResult(value: outcome.value, changedAt: revision)
  }

  /// Stores the outcomes; under the lock.
  ///
  /// What is replaced is still held by the step, so nothing is released here.
  ///
  /// - Returns: Which steps are stored; those that have to be compared with what another thread has stored; and
  ///   the formulas that have come out equal many times in a row.
  private func store(
    isFirst: Bool
  ) -> (areStored: [Bool], rivals: [(Int, DerivedResult)], useless: [DerivedFormula]) {
    var areStored = steps.map { $0.isStored }
    var rivals: [(Int, DerivedResult)] = []
    var useless: [DerivedFormula] = []
    for (index, step) in steps.enumerated() {
      if isFirst { step.node.remove(step.computation) }
      guard !step.isStored, let outcome = step.outcome else { continue }
      guard step.inputs.allSatisfy({ areStored[$0] }) else { continue }
      switch step.node.store(
        outcome, over: step.former, at: revision, isComputed: step.isComputed)
      {
      case .stored(let isUseless):
        areStored[index] = true
        if isUseless { useless.append(step.node.formula) }
      case .outdated: break
      case .rival(let rival): rivals.append((index, rival))
      }
    }
    return (areStored, rivals, useless)
  }
}

// MARK: Under the lock

extension DerivedNode {
  /// How many computations in a row have to come out equal before the store warns.
  private static var uselessCount: UInt32 { 8 }

  /// What came of storing a value.
  fileprivate enum Storing {
    /// It is stored; useless are many computations in a row that came out equal.
    case stored(isUseless: Bool)
    /// A value of a newer commit is stored.
    case outdated
    /// Another thread has stored a value of an earlier commit since this one was compared.
    case rival(DerivedResult)
  }

  /// Notes that the calling thread may compute the value of a commit.
  ///
  /// A function that dispatches may come here again, for a later commit. For the same one it would never end.
  fileprivate func add(_ computation: DerivedComputation, as step: Int) {
    let (own, revision) = (ObjectIdentifier(self), computation.revision)
    if record.value.computations.contains(where: { $0.computation.isRunning(own, at: revision) }) {
      fatalError(
        """
        Lensed: \(formula.name) asks a store for itself while it is being computed, which never ends. \
        Give it what it needs as an input.
        """)
    }
    record.value.computations.append((computation, step))
  }

  /// The step of an evaluation that computes this node, if it was planned.
  fileprivate func step(in computation: DerivedComputation) -> Int? {
    record.value.computations.first { $0.computation === computation }?.step
  }

  /// Notes that the calling thread has computed the value of a commit.
  fileprivate func remove(_ computation: DerivedComputation) {
    record.value.computations.removeAll { $0.computation === computation }
    if record.value.computations.isEmpty { record.value.computations = [] }
  }

  fileprivate func store(
    _ outcome: DerivedResult, over former: DerivedResult?, at revision: UInt64, isComputed: Bool
  ) -> Storing {
    if let stored = record.value.result {
      if record.value.memo.verifiedAt == revision { return .stored(isUseless: false) }
      if record.value.memo.verifiedAt > revision { return .outdated }
      if former?.value !== stored.value { return .rival(stored) }
    }
    record.value.memo.verifiedAt = revision
    let isEqual = outcome.value === former?.value
    record.value.memo.value = outcome.value
    record.value.changedAt = outcome.changedAt
    if !isEqual { record.value.equalCount = 0 }
    if !isEqual || !isComputed { return .stored(isUseless: false) }
    record.value.equalCount += 1
    return .stored(
      isUseless: record.value.equalCount == Self.uselessCount && !record.value.isInput
        && !formula.followsRows)
  }
}
