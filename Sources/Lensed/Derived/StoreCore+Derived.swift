extension StoreCore {
  /// The value of the newest commit, of a derived value that a scope sees.
  func read(_ scoped: ScopedDerived, in memory: StateStorage) -> ValueBox {
    if scoped.mayBeGone { return readCopies(of: scoped, in: memory) }
    let derived = scoped.reference
    var (evaluation, _) = withLock("read a derived value") {
      protected -> (DerivedEvaluation, [ValueBox]) in
      var abandoned: [ValueBox] = []
      var made: [MemoKey: DerivedNode] = [:]
      let node = node(of: derived, &protected, &made, &abandoned)
      let offset = derived.givers.isEmpty ? derived.place.offset : nil
      return (plan(node, at: offset, in: memory, &protected), abandoned)
    }
    return evaluation.computeAndStore(in: self).value
  }

  /// The same of the part at an offset, by the address of the formula, which the caller holds; nil where it was not
  /// read before, or asks for given values.
  func readKnown(_ formula: UInt, at offset: Int, in memory: StateStorage) -> ValueBox? {
    let object = Unretained<DerivedFormula>(bits: formula)?.lend { ObjectIdentifier($0) }
    guard let key = object.map({ MemoKey(object: $0, place: .offset(offset)) }) else { return nil }
    var evaluation = withLock("read a derived value") { protected -> DerivedEvaluation? in
      guard let node = protected.memos.memo(key) as? DerivedNode, node.formula.asks.isEmpty
      else { return nil }
      return plan(node, at: offset, in: memory, &protected)
    }
    return evaluation?.computeAndStore(in: self).value
  }

  /// Plans to compute a node of the newest commit, and has it found at once from now on if it has an offset; under the
  /// lock.
  private func plan(
    _ node: DerivedNode, at offset: Int?, in memory: StateStorage, _ protected: inout Protected
  ) -> DerivedEvaluation {
    if let offset, !protected.table.isClosed {
      protected.memos.cache.insert(
        node.memoPlace, of: Unretained(node.formula).bits, at: offset)
    }
    return DerivedEvaluation(of: node, at: protected.table.revision, protected.table) {
      $0.read(memory.place)
    }
  }

  /// The same in the scope of a child that might not be there.
  private func readCopies(of scoped: ScopedDerived, in memory: StateStorage) -> ValueBox {
    let node = node(of: scoped.reference)
    let (copies, revision) = withLock("read a derived value") { protected in
      (scoped.copies(of: node, from: memory.place), protected.table.revision)
    }
    if copies.isIncomplete {
      // What gave a value has gone with the child: the value that there was is all that is left.
      if let last = withLock("read a derived value", { _ in node.record.value.result }) {
        return last.value
      }
      scoped.reference.trapGone()
    }
    return copies.result(of: node, at: revision, in: self).value
  }

  /// The node of a derived value, which keeps it from now on.
  func node(of derived: DerivedReference) -> DerivedNode {
    let (found, _) = withLock("observed a derived value") {
      protected -> (DerivedNode, [ValueBox]) in
      var abandoned: [ValueBox] = []
      var made: [MemoKey: DerivedNode] = [:]
      return (self.node(of: derived, &protected, &made, &abandoned), abandoned)
    }
    return found
  }

  /// Finds or makes the node of a derived value, and those of its inputs, under the lock; `made` are the caller's own.
  ///
  /// It is not kept if the store has gone, or if functions of the user lead to the place of its state.
  private func node(
    of derived: DerivedReference, _ protected: inout Protected,
    _ made: inout [MemoKey: DerivedNode], _ abandoned: inout [ValueBox]
  ) -> DerivedNode {
    let formula = derived.formula
    let key = derived.key
    if let known = protected.memos.memo(key) as? DerivedNode ?? made[key] { return known }
    let inputs = derived.inputs.map { self.node(of: $0, &protected, &made, &abandoned) }
    for input in inputs { input.record.value.isInput = true }
    let node = DerivedNode(formula, in: derived.readPlace, inputs: inputs)
    made[key] = node
    if key.place.canBeFound, !protected.table.isClosed {
      abandoned += protected.memos.insert(node, by: key) { memo in
        (memo as? DerivedNode)?.isAbandoned == true
      }
    }
    return node
  }
}
