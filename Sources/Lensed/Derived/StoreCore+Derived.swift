extension StoreCore {
  /// The value of the newest commit, of a derived value that is seen from the part at `place`.
  func read(_ derived: DerivedReference, in memory: StateStorage) -> ValueBox {
    let (evaluation, _) = withLock("read a derived value") {
      protected -> (DerivedEvaluation, [ValueBox]) in
      var abandoned: [ValueBox] = []
      let node = node(of: derived, &protected, &abandoned)
      if let offset = derived.place.offset, !protected.table.isClosed {
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

  /// The node of a derived value, which keeps it from now on.
  func node(of derived: DerivedReference) -> DerivedNode {
    let (found, _) = withLock("observed a derived value") {
      protected -> (DerivedNode, [ValueBox]) in
      var abandoned: [ValueBox] = []
      return (self.node(of: derived, &protected, &abandoned), abandoned)
    }
    return found
  }

  /// Finds the node of a derived value, or makes it with those of its inputs; under the lock.
  ///
  /// It is not kept if the store has gone, or if the place of its state has no identity.
  private func node(
    of derived: DerivedReference, _ protected: inout Protected, _ abandoned: inout [ValueBox]
  ) -> DerivedNode {
    let formula = derived.formula
    let key = derived.key
    if let key, let known = protected.memos.memo(key) as? DerivedNode { return known }
    let inputs = formula.inputs.compactMap { input -> DerivedNode? in
      guard case .derived(let inner) = input else { return nil }
      return self.node(of: inner.placed(in: derived.place), &protected, &abandoned)
    }
    for input in inputs { input.record.value.isInput = true }
    let node = DerivedNode(formula, in: derived.place, inputs: inputs)
    if let key, !protected.table.isClosed {
      abandoned += protected.memos.insert(node, by: key) { memo in
        (memo as? DerivedNode)?.isAbandoned == true
      }
    }
    return node
  }
}
