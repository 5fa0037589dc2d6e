internal import Synchronization

// How derived values are brought up to one commit: the red-green algorithm of incremental compilers.
//
// A read looks at the `MemoCache` (`MemoTable.swift`) first, under the lock. A value that nothing has touched since it
// was verified is read in place. Otherwise:
//
// 1. *Plan*, under the lock, from the value that is asked for down to its inputs. A node that nothing has touched since
//    it was verified is *green*: its value stands. Of every other node, the parts of the state that it reads are
//    copied.
// 2. *Compute*, without the lock, inputs first. A node is *red* if a part that it reads was touched, or an input
//    changed since the node was verified. A red node is computed and compared. A result that equals the former one
//    keeps the commit of that, so whatever derives from it stays green. The copies are released.
// 3. *Store*, under the lock. A newer value, which another thread has stored meanwhile, stays.
//
// Threads that ask at the same time each compute. A wait could be a deadlock: the other computation may need a lock, a
// store or the main thread that the waiting thread holds.
//
// Why the stored values of a node belong together: they are of growing commits, and each is compared with the one
// stored before. A node is stored for a commit only if each input is stored for that very commit, or was green. So if
// no input changed after the node was verified, its value is current.
//
// A stream, an observed store or an effect has `DerivedCopies`, of the commit that it is notified of. The first of them
// to evaluate that commit stores the result, and the others find it.

/// One evaluation of a derived value, by one thread.
struct DerivedEvaluation: Sendable {
  private enum Source: Sendable {
    case green(DerivedResult)
    case step(Int)
  }

  /// One node that is not green.
  fileprivate struct Step: Sendable {
    let node: DerivedNode
    let computation: DerivedComputation
    /// What was stored when the evaluation began.
    var former: DerivedResult?
    let verifiedAt: UInt64
    /// Whether a part of the state was touched that it reads, an input has changed, or nothing usable was stored.
    var isRed: Bool
    /// The arguments; where one is the outcome of an earlier step, the node of that stands for it until it is there.
    var inputs: [ValueBox]
    let awaited: [(index: Int, step: Int)]
    var outcome: DerivedResult?
    var isComputed = false
    var isStored = false
  }

  private let revision: UInt64
  private var steps: [Step] = []
  private var root: Source?

  /// Plans to evaluate a node as the commit `revision` left it, under the lock; `read` reads the parts that a node
  /// needs.
  init(
    of node: DerivedNode, at revision: UInt64, _ table: borrowing ObserverTable,
    reading read: (DerivedNode) -> [ValueBox]
  ) {
    self.revision = revision
    root = plan(node, table, read)
  }

  private mutating func plan(
    _ node: DerivedNode, _ table: borrowing ObserverTable, _ read: (DerivedNode) -> [ValueBox]
  ) -> Source {
    if let known = node.step(among: steps) { return .step(known) }
    if let result = node.result(at: revision, in: table) { return .green(result) }
    let verifiedAt = node.record.value.memo.verifiedAt
    let former = verifiedAt > revision ? nil : node.record.value.result
    var isRed = former == nil || node.lastOwnTouch(in: table) > verifiedAt
    var awaited: [(index: Int, step: Int)] = []
    let inputs = node.arguments(read(node)) { inner, index in
      switch plan(inner, table, read) {
      case .green(let result):
        if result.changedAt > verifiedAt { isRed = true }
        return result.value
      case .step(let step):
        awaited.append((index, step))
        return inner
      }
    }
    let computation = DerivedComputation(of: revision, step: steps.count)
    node.add(computation)
    steps.append(
      Step(
        node: node, computation: computation, former: former, verifiedAt: verifiedAt, isRed: isRed,
        inputs: inputs, awaited: awaited))
    return .step(steps.count - 1)
  }

  mutating func computeAndStore(in core: StoreCore) -> DerivedResult {
    for index in steps.indices { compute(index) }
    var isFirst = true
    while !steps.isEmpty {
      let (rivals, useless) = core.withLock("stored a derived value") { _ in
        store(isFirst: isFirst)
      }
      for formula in useless { core.warnings?.report(formula.uselessness) }
      if rivals.isEmpty { break }
      for (index, rival) in rivals { compare(index, with: rival) }
      isFirst = false
    }
    if let warnings = core.warnings {
      for step in steps where step.isComputed { step.node.formula.crowding.map(warnings.report) }
    }
    switch root {
    case .green(let result): return result
    case .step(let index): if let outcome = steps[index].outcome { return outcome }
    case nil: break
    }
    fatalError(
      "Lensed: a derived value was asked for before it was computed; this is a fault of Lensed.")
  }

  private mutating func compute(_ index: Int) {
    // Taken out, so that the copies of parts are released with the computation.
    var inputs = exchange(&steps[index].inputs, with: [])
    for (place, step) in steps[index].awaited {
      guard let outcome = steps[step].outcome else { continue }
      inputs[place] = outcome.value
      if outcome.changedAt > steps[index].verifiedAt { steps[index].isRed = true }
    }
    if !steps[index].isRed {
      steps[index].outcome = steps[index].former
      return
    }
    let node = steps[index].node
    let value = steps[index].computation.run { node.compute(inputs) }
    steps[index].isComputed = true
    steps[index].outcome = DerivedResult(value: value, changedAt: revision)
    if let former = steps[index].former { compare(index, with: former) }
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

  /// Stores the outcomes, under the lock; the steps hold what is replaced, so nothing is released here.
  ///
  /// Returns the steps to compare with what another thread has stored, and formulas that came out equal many times in a
  /// row.
  private mutating func store(
    isFirst: Bool
  ) -> (rivals: [(Int, DerivedResult)], useless: [DerivedFormula]) {
    var rivals: [(Int, DerivedResult)] = []
    var useless: [DerivedFormula] = []
    for index in steps.indices {
      let node = steps[index].node
      if isFirst { node.remove(steps[index].computation) }
      guard !steps[index].isStored, let outcome = steps[index].outcome,
        steps[index].awaited.allSatisfy({ steps[$0.step].isStored })
      else { continue }
      switch node.store(
        outcome, over: steps[index].former, at: revision, isComputed: steps[index].isComputed)
      {
      case .stored(let isUseless):
        steps[index].isStored = true
        if isUseless { useless.append(node.formula) }
      case .outdated: break
      case .rival(let rival): rivals.append((index, rival))
      }
    }
    return (rivals, useless)
  }
}

// MARK: Under the lock

extension DerivedNode {
  /// How many computations in a row have to come out equal before the store warns.
  private static var uselessCount: UInt32 { 8 }

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
  fileprivate func add(_ computation: DerivedComputation) {
    if record.value.computations.first(where: { $0.isRunning(at: computation) }) != nil {
      fatalError(
        """
        Lensed: \(formula.name) asks a store for itself while it is being computed, which never ends. \
        Give it what it needs as an input.
        """)
    }
    record.value.computations.append(computation)
  }

  fileprivate func step(among steps: [DerivedEvaluation.Step]) -> Int? {
    record.value.computations.first {
      $0.step < steps.count && steps[$0.step].computation === $0
    }?.step
  }

  /// Notes that the calling thread has computed the value of a commit.
  fileprivate func remove(_ computation: DerivedComputation) {
    let all = record.value.computations
    record.value.computations =
      all.only === computation ? .none : InlineList(all.all.filter { $0 !== computation })
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

// MARK: One computation

/// What one thread computes of one node for one commit, as that node knows it.
final class DerivedComputation: Sendable {
  let step: Int
  private let revision: UInt64
  private let thread = ThreadIdentity.current
  /// Whether the function is running, which only that thread reads or writes.
  private let isRunning = Atomic(false)

  init(of revision: UInt64, step: Int) { (self.revision, self.step) = (revision, step) }

  func run(_ compute: () -> ValueBox) -> ValueBox {
    isRunning.store(true, ordering: .relaxed)
    defer { isRunning.store(false, ordering: .relaxed) }
    return compute()
  }

  /// Whether the calling thread is in the function, for the commit of another computation.
  func isRunning(at other: DerivedComputation) -> Bool {
    thread == ThreadIdentity.current && revision == other.revision
      && isRunning.load(ordering: .relaxed)
  }
}
