extension StateObserving {
  /// A derived value of the newest commit; computed, if an input was touched since it was read last.
  ///
  /// ```swift
  /// store[Todos.visible]
  /// ```
  ///
  /// In a scope that functions of yours lead to, rather than key paths, nothing is kept: it is computed each time.
  ///
  /// - Complexity: O(1) if no input was touched, whatever the size of the inputs.
  @inlinable
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    if let start = view.part.offset, derived.offset >= 0,
      let value = view.core.readMemo(
        Value.self, of: derived.object, at: start + derived.offset)
    {
      return value
    }
    return Boxed<Value>.known(view.read(derived)).value
  }

  /// The values that a derived value takes from now on, the current one first.
  ///
  /// It emits when an input was touched and the value differs. It is computed for the commits that a subscription
  /// is called for, and for those that a task reads; each time once for all its observers.
  ///
  /// With `repeats: .kept` it emits whenever an input was touched.
  @_disfavoredOverload
  public func states<Value: Equatable>(
    _ derived: some DerivedLike<State, Value>, repeats: Repeats = .removed
  ) -> StateStream<Value> {
    view.stream(of: derived.asDerived, repeats)
  }

  /// The values that a derived value takes from now on, the current one first.
  ///
  /// It emits whenever the value was computed anew, where values of its type cannot be compared; where they turn out to
  /// be `Equatable`, it leaves repeats out. To leave others out, use `removeDuplicates(by:)`.
  @_disfavoredOverload
  public func states<Value>(_ derived: some DerivedLike<State, Value>) -> StateStream<Value> {
    view.stream(of: derived.asDerived, .removed)
  }

  /// Not available: the values cannot be compared.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "repeats of this derived value are unknown: its type does not conform to 'Equatable'"
  )
  public func states<Value>(
    _ derived: some DerivedLike<State, Value>, repeats: Repeats
  ) -> StateStream<Value> {
    fatalError("Lensed: values that cannot be compared were compared; this is a fault of Lensed.")
  }
}

extension StoreView {
  /// The box of a derived value of the newest commit, which may have to be found, verified, or computed.
  @usableFromInline
  @inline(never)
  func read<Value>(_ derived: Derived<State, Value>) -> ValueBox {
    if let start = part.offset, derived.offset >= 0,
      let value = core.readKnown(derived.object, at: start + derived.offset, in: memory)
    {
      return value
    }
    return readFirst(derived)
  }

  // Never inlined, so that a read of a value that is known copies no names of parts.
  @inline(never)
  private func readFirst<Value>(_ derived: Derived<State, Value>) -> ValueBox {
    core.read(ScopedDerived(derived.reference, in: part, of: core), in: memory)
  }

  /// The stream of a derived value; results that the formula cannot compare differ whenever one is computed.
  fileprivate func stream<Value>(
    of derived: Derived<State, Value>, _ repeats: Repeats
  ) -> StateStream<Value> {
    let core = core
    let scoped = ScopedDerived(derived.reference, in: part, of: core)
    return StateStream(behind: 0) { pipeline in
      let node = core.node(of: scoped.reference)
      let inputs = CapturedInputs(of: node, scoped)
      pipeline.add(inputs.capture, of: core)
      let last = UnsafeCell<DerivedResult?>(nil)
      let isFirst = UnsafeCell(true)
      // Its identity is held as long as the observation lasts, so that the store keeps the node.
      return { [scoped] revision in
        guard let (copies, commit) = inputs.takeCopies(at: revision) else { return nil }
        // What stands for a child that is not there is emitted first, or not at all.
        if copies.isSubstitute && !isFirst.value { return nil }
        isFirst.value = false
        if copies.isIncomplete { return nil }
        let next = copies.result(of: node, at: commit, in: core)
        defer { withExtendedLifetime(scoped) {} }
        if repeats == .removed {
          if let former = last.value, node.formula.areSame(former, next) {
            last.value?.changedAt = next.changedAt
            return nil
          }
          last.value = next
        }
        return Boxed<Value>.known(next.value).value
      }
    }
  }
}

extension DerivedFormula {
  /// Whether two results of one node are no change.
  func areSame(_ former: DerivedResult, _ next: DerivedResult) -> Bool {
    former.changedAt == next.changedAt || areEqual?(former.value, next.value) ?? false
  }
}
