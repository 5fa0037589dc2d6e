extension StoreCore {
  /// The value of the newest commit, of a derived value that a scope sees.
  func read(_ scoped: ScopedDerived, in memory: StateStorage) -> ValueBox {
    if scoped.mayBeGone { return readCopies(of: scoped, in: memory) }
    let derived = scoped.reference
    let (evaluation, _) = withLock("read a derived value") {
      protected -> (DerivedEvaluation, [ValueBox]) in
      var abandoned: [ValueBox] = []
      var made: [MemoKey: DerivedNode] = [:]
      let node = node(of: derived, &protected, &made, &abandoned)
      if let offset = derived.place.offset, derived.givers.isEmpty, !protected.table.isClosed {
        protected.memos.cache.insert(
          node.memoPlace, of: Unretained(derived.formula).bits, at: offset)
      }
      let evaluation = DerivedEvaluation(
        of: node, at: protected.table.revision, protected.table
      ) { $0.read(memory.place) }
      return (evaluation, abandoned)
    }
    return evaluation.computeAndStore(in: self).value
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

  /// Finds the node of a derived value, or makes it with those of its inputs; under the lock.
  ///
  /// It is not kept if the store has gone, or if functions of the user lead to the place of its state. `made` are
  /// those that the same caller has made.
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
