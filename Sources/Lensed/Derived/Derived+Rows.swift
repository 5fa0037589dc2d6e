// Derived values that follow rows.
//
// 1. The node of such a formula keeps a *seed*: the inputs of a computation, and its result. The two are true by
//    themselves, whichever commit they are of, so threads may exchange them freely.
// 2. The next computation brings that result up to date with the rows that the two versions do not share
//    (`RowChanges`). If the input beside the rows differs, or much has changed, it computes anew.
// 3. Where the result is the rows of another value, it shares with the former result. So a chain passes differences on.

extension Derived {
  /// The rows that satisfy a condition, in their order.
  ///
  /// ```swift
  /// static let open = Derived.filter(\App.cards) { card in !card.isDone }
  /// ```
  ///
  /// A commit that edits one row costs O(log *n*), not O(*n*). The rows may be another derived value. The store keeps
  /// the version that the value is of, so the next commit copies the way to what it edits.
  ///
  /// The condition depends on the row alone.
  @inlinable
  public static func filter<Rows: VersionedRows & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ isIncluded: @escaping @Sendable (Rows.Element) -> Bool
  ) -> Derived
  where
    Value == Entities<Rows.Element>, Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable
  {
    filtering(rows, nil as DerivedSource<State, Bool>?, fileID, line) { row, _ in isIncluded(row) }
  }

  /// The rows that satisfy a condition, which depends on another part of the state too.
  ///
  /// ```swift
  /// static let found = Derived.filter(\App.cards, with: \App.query) { card, query in card.title.contains(query) }
  /// ```
  ///
  /// When the part differs, all rows are looked at.
  @inlinable
  public static func filter<Rows: VersionedRows & Sendable, Input: Equatable & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    with input: some DerivedInput<State, Input> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ isIncluded: @escaping @Sendable (Rows.Element, Input) -> Bool
  ) -> Derived
  where
    Value == Entities<Rows.Element>, Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable
  {
    filtering(rows, input.derivedSource, fileID, line) { row, input in
      // There is one, as it was given.
      input.map { isIncluded(row, $0) } ?? false
    }
  }

  @inlinable
  static func filtering<Rows: VersionedRows & Sendable, Input: Equatable & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable, _ input: DerivedSource<State, Input>?,
    _ fileID: StaticString, _ line: UInt,
    _ isIncluded: @escaping @Sendable (Rows.Element, Input?) -> Bool
  ) -> Derived
  where
    Value == Entities<Rows.Element>, Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable
  {
    following(
      rows, input, fileID, line,
      compute: { rows, input in rows.filter { isIncluded($0, input) } },
      update: { value, changes, _, input in
        // The rows of the result have the labels of their originals, and so their places.
        for row in changes.removed { value.remove(label: row.label) }
        for (row, _) in changes.edited {
          if !isIncluded(row.element, input) {
            value.remove(label: row.label)
          } else if !value.replace(row.label, with: row.element) {
            value.insert(row.element, label: row.label)
          }
        }
        for row in changes.added where isIncluded(row.element, input) {
          value.insert(row.element, label: row.label)
        }
      })
  }

  /// The rows in ascending order; equal ones keep their order.
  ///
  /// ```swift
  /// static let newest = Derived.sorted(\App.cards) { $0.date > $1.date }
  /// ```
  ///
  /// A commit that edits one row costs O(log *n*) comparisons.
  @inlinable
  public static func sorted<Rows: VersionedRows & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    by areInIncreasingOrder: @escaping SortedEntities<Rows.Element>.Order
  ) -> Derived
  where
    Value == SortedEntities<Rows.Element>, Rows.Element: Equatable & Sendable,
    Rows.Element.ID: Sendable
  {
    following(
      rows, nil as DerivedSource<State, Bool>?, fileID, line,
      compute: { rows, _ in
        rows.sorted(by: areInIncreasingOrder)
      },
      update: { value, changes, rows, _ in
        value.follow(changes, of: rows)
      })
  }

  /// The rows in ascending order of a property; equal ones keep their order.
  ///
  /// ```swift
  /// static let byTitle = Derived.sorted(\App.cards, by: \.title)
  /// ```
  @inlinable
  public static func sorted<Rows: VersionedRows & Sendable, Key: Comparable & SendableMetatype>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    by key: any KeyPath<Rows.Element, Key> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived
  where
    Value == SortedEntities<Rows.Element>, Rows.Element: Equatable & Sendable,
    Rows.Element.ID: Sendable
  {
    sorted(rows, fileID: fileID, line: line) { $0[keyPath: key] < $1[keyPath: key] }
  }

  /// The rows in groups by a key; the groups are in the order of their first rows.
  ///
  /// ```swift
  /// static let columns = Derived.grouped(\App.cards) { $0.column }
  /// store[columns][id: .doing]?.rows.count
  /// ```
  ///
  /// A commit that edits one row costs O(log *n*), and leaves all other groups as they are.
  @inlinable
  public static func grouped<Rows: VersionedRows & Sendable, Key: Hashable & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    by key: @escaping @Sendable (Rows.Element) -> Key
  ) -> Derived
  where
    Value == Entities<EntityGroup<Key, Rows.Element>>, Rows.Element: Equatable & Sendable,
    Rows.Element.ID: Sendable
  {
    following(
      rows, nil as DerivedSource<State, Bool>?, fileID, line,
      compute: { rows, _ in
        rows.grouped(by: key)
      },
      update: { value, changes, _, _ in
        var changes = changes
        changes.edited = value.replace(changes.edited, by: key)
        changes.forEachFormer { value.remove($0, by: key) }
        changes.forEachPresent { value.add($0, by: key) }
      })
  }

  /// The rows in groups by a property; the groups are in the order of their first rows.
  @inlinable
  public static func grouped<Rows: VersionedRows & Sendable, Key: Hashable & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable,
    by key: any KeyPath<Rows.Element, Key> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Derived
  where
    Value == Entities<EntityGroup<Key, Rows.Element>>, Rows.Element: Equatable & Sendable,
    Rows.Element.ID: Sendable
  {
    grouped(rows, fileID: fileID, line: line) { $0[keyPath: key] }
  }

  /// The number of rows that satisfy a condition.
  ///
  /// ```swift
  /// static let openCount = Derived.count(of: \App.cards) { card in !card.isDone }
  /// ```
  ///
  /// The condition depends on the row alone.
  @inlinable
  public static func count<Rows: VersionedRows & Sendable>(
    of rows: some DerivedInput<State, Rows> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ isCounted: @escaping @Sendable (Rows.Element) -> Bool
  ) -> Derived
  where Value == Int, Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable {
    reduced(
      rows, 0, fileID: fileID, line: line, adding: { if isCounted($1) { $0 += 1 } },
      removing: { if isCounted($1) { $0 -= 1 } })
  }

  /// What all rows come to, by a function that adds a row and one that takes it away again.
  ///
  /// ```swift
  /// static let total = Derived.reduced(\App.cards, 0, adding: { $0 += $1.points }, removing: { $0 -= $1.points })
  /// ```
  ///
  /// It is what adding each row to the initial value comes to, if `removing` undoes `adding` exactly and the order of
  /// the calls means nothing. Sums of floating point numbers are rounded, so they drift from that.
  @inlinable
  public static func reduced<Rows: VersionedRows & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable, _ initial: Value,
    fileID: StaticString = #fileID, line: UInt = #line,
    adding add: @escaping @Sendable (inout Value, Rows.Element) -> Void,
    removing remove: @escaping @Sendable (inout Value, Rows.Element) -> Void
  ) -> Derived
  where Value: Equatable, Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable {
    following(
      rows, nil as DerivedSource<State, Bool>?, fileID, line,
      compute: { rows, _ in
        rows.reduce(into: initial, add)
      },
      update: { value, changes, _, _ in
        changes.forEachFormer { remove(&value, $0.element) }
        changes.forEachPresent { add(&value, $0.element) }
      })
  }

  /// A value that follows rows: made where the types are known, so that the work for each row is compiled for them.
  ///
  /// `compute` computes the value of all rows, `update` brings a value up to date with a change of its rows; both are
  /// given the input beside the rows, if there is one.
  @inlinable
  static func following<Rows: VersionedRows & Sendable, Input: Equatable & Sendable>(
    _ rows: some DerivedInput<State, Rows> & Sendable, _ input: DerivedSource<State, Input>?,
    _ fileID: StaticString, _ line: UInt,
    compute: @escaping @Sendable (_ rows: Entities<Rows.Element>, _ input: Input?) -> Value,
    update:
      @escaping @Sendable (
        _ value: inout Value, _ changes: RowChanges<Rows.Element>, _ rows: Entities<Rows.Element>,
        _ input: Input?
      ) -> Void
  ) -> Derived where Rows.Element: Equatable & Sendable, Rows.Element.ID: Sendable {
    following(rows.derivedSource, input, fileID, line) { inputs, former in
      let rows = Boxed<Rows>.known(inputs[0]).value.entities
      let input = inputs.count == 1 ? nil : Boxed<Input>.known(inputs[1]).value
      if let former,
        input.map({ isSameValue(Boxed<Input>.known(former.inputs[1]).value, $0) }) ?? true,
        case let formerRows = Boxed<Rows>.known(former.inputs[0]).value.entities,
        case let changes = RowChanges(from: formerRows, to: rows, by: { isSameRow($1, $0) }),
        changes.count <= rows.count / 4 + 32
      {
        var value = Boxed<Value>.known(former.value).value
        update(&value, changes, rows, input)
        return Boxed(value)
      }
      return Boxed(compute(rows, input))
    }
  }

  @usableFromInline
  static func following<Rows: Sendable, Input: Sendable>(
    _ rows: DerivedSource<State, Rows>, _ input: DerivedSource<State, Input>?,
    _ fileID: StaticString, _ line: UInt,
    _ next:
      @escaping @Sendable (
        _ inputs: [ValueBox], _ former: (inputs: [ValueBox], value: ValueBox)?
      ) -> ValueBox
  ) -> Derived {
    Derived(
      DerivedFormula(
        [rows.input] + (input.map { [$0.input] } ?? []), of: Value.self,
        at: .derived(fileID, line), followsRows: true, compute: next))
  }
}

extension SortedEntities {
  /// Brings rows that were sorted up to date with a newer version of their originals.
  @inlinable
  mutating func follow(_ changes: RowChanges<Element>, of rows: Entities<Element>) {
    // An id that does not equal itself, as NaN, is never found: then all rows are sorted anew.
    var areAllFound = true
    changes.forEachFormer { if self.rows.remove(id: $0.element.id) == nil { areAllFound = false } }
    changes.forEachPresent { row in
      // Behind those that are smaller, and those equal to it that come before it.
      let place = partitioningIndex { other in
        if areInIncreasingOrder(row.element, other) { return true }
        if areInIncreasingOrder(other, row.element) { return false }
        guard let label = rows.label(of: other.id) else {
          areAllFound = false
          return false
        }
        return label > row.label
      }
      self.rows.insert(row.element, at: place)
    }
    if !areAllFound { self = rows.sorted(by: areInIncreasingOrder) }
  }
}
