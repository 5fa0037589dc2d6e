extension ObservedStore {
  /// Reads a derived value; its readers are notified when it differs.
  ///
  /// ```swift
  /// List(observed[Todos.visible]) { todo in Text(todo.title) }
  /// ```
  ///
  /// It is computed on the main actor, when it is read for the first time, and when a commit has touched an input
  /// and a reader was there. What another thread has computed of the same commit is taken over.
  ///
  /// If it was lifted by functions rather than key paths, its readers are notified of every handled commit.
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    var reference = derived.reference
    if !reference.formula.asks.isEmpty {
      reference.givers = reference.findGivers(in: view.part, of: tracker.core)
    }
    let key = reference.key
    guard key.place.canBeFound else {
      return derived.value(in: read(\.self) { _ in true })
    }
    let value = values.value(memo: key) ?? add(reference, key)
    tracker.access(value)
    let shown = PartPath.lent(value.place.edit(ObservedDerived.self) { $0.shown })
    return Boxed<Value>.known(shown.value).value
  }

  private func add(_ derived: DerivedReference, _ key: MemoKey) -> TrackedValue {
    let core = tracker.core
    let scoped = ScopedDerived(derived, in: view.part, of: core)
    let node = core.node(of: scoped.reference)
    let memory = UnsafeCell(ObservedDerived(node, scoped))
    let value = TrackedValue(
      .memo(key), number: tracker.makeNumber(), of: node.footprint, on: tracker.touched,
      in: view.part.child, memory: memory, memory.place,
      load: { values, state, revision in
        values.edit(ObservedDerived.self) { $0.load(from: state, at: revision) }
      },
      compare: { ObservedDerived.differs($0, in: core) },
      show: { ObservedDerived.show($0, isUnread: $1, in: core) })
    tracker.add(value, to: values)
    return value
  }
}

/// What an observed store shows of a derived value, in place of `TrackedValue.Values`.
struct ObservedDerived {
  /// The value that readers see; nil if the next reader has to load it.
  private(set) var shown: DerivedResult?
  /// What the next value is computed of.
  private var loaded: (copies: DerivedCopies, revision: UInt64)?
  /// The next value.
  private var computed: DerivedResult?
  /// Copies that were replaced under the lock, to be released after it.
  private var outdated: [DerivedCopies] = []
  private let node: DerivedNode
  /// Held, too, so that the store keeps the node.
  private let derived: ScopedDerived

  init(_ node: DerivedNode, _ derived: ScopedDerived) {
    self.node = node
    self.derived = derived
  }

  /// Copies the inputs; under the lock.
  mutating func load(from state: StateAddress, at revision: UInt64) {
    if let loaded { outdated.append(loaded.copies) }
    loaded = (derived.copies(of: node, from: state), revision)
  }

  /// Whether the next value differs from the shown one.
  static func differs(_ values: StateAddress, in core: StoreCore) -> Bool {
    compute(values, in: core)
    let (node, shown, computed) = values.edit(Self.self) { ($0.node, $0.shown, $0.computed) }
    guard let computed else { return false }
    return shown.map { !node.formula.areSame($0, computed) } ?? true
  }

  /// Shows the next value, or discards the shown one.
  static func show(_ values: StateAddress, isUnread: Bool, in core: StoreCore) {
    if !isUnread { compute(values, in: core) }
    // Released outside of the access, because a user's `deinit` may call back into the observed store.
    let released = values.edit(Self.self) { values in
      let old = (values.shown, values.loaded.take(), exchange(&values.outdated, with: []))
      if isUnread {
        values.shown = nil
        values.computed = nil
      } else if let next = values.computed.take() {
        values.shown = next
      }
      return old
    }
    withExtendedLifetime(released) {}
  }

  private static func compute(_ values: StateAddress, in core: StoreCore) {
    let (node, loaded) = values.edit(Self.self) { ($0.node, $0.loaded.take()) }
    guard let (copies, revision) = loaded, !copies.isIncomplete else { return }
    let next = copies.result(of: node, at: revision, in: core)
    values.edit(Self.self) { $0.computed = next }
  }
}
