/// The difference between two versions of `Entities`, by id.
///
/// ```swift
/// let difference = new.difference(from: old)
/// for id in difference.edited { reload(id) }
/// ```
///
/// Where each id stands, `index(id:)` of the newer version says, or of the older one for `removed`.
public struct EntitiesDifference<ID: Hashable> {
  /// The ids only the newer version has, in its order.
  public var inserted: [ID] = []
  /// The ids only the older version has, in its order.
  public var removed: [ID] = []
  /// The ids of both versions that stand elsewhere among those of both, in the new order; the others keep theirs.
  public var moved: [ID] = []
  /// The ids of both versions whose elements differ, in the order of the newer one.
  public var edited: [ID] = []

  /// Creates an empty difference.
  public init() {}

  /// Whether the elements of both versions have another order among each other.
  public var isReordered: Bool { !moved.isEmpty }

  /// Whether the two versions are equal.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && moved.isEmpty && edited.isEmpty
  }
}

extension EntitiesDifference: Equatable, Hashable {}
extension EntitiesDifference: Sendable where ID: Sendable {}

extension Entities {
  /// The difference from an older version, with a comparison of elements.
  ///
  /// What the two versions share is passed over.
  ///
  /// - Complexity: O(*d* log *n*) in what differs; O(*n* log *n*) for two that share nothing.
  @inlinable
  public func difference(
    from older: Entities, by areEquivalent: (_ newer: Element, _ older: Element) -> Bool
  ) -> EntitiesDifference<Element.ID> {
    var finder = DifferenceFinder(self, older)
    var edited: [(position: Int, id: Element.ID)] = []
    var removed: [Element.ID] = []
    rows.forEachDifference(
      from: older.rows, areAlike: { $0.id == $1.id && areEquivalent($0, $1) }
    ) { difference in
      switch difference {
      case .kept(let row, let former, _, let position):
        if row.id == former.id { return edited.append((position, row.id)) }
        removed.append(former.id)
        if let moved = finder.add(row, at: position), !areEquivalent(row, moved) {
          edited.append((position, row.id))
        }
      case .removed(let former, _, _): removed.append(former.id)
      case .added(let row, _, let position):
        if let former = finder.add(row, at: position), !areEquivalent(row, former) {
          edited.append((position, row.id))
        }
      }
    }
    var difference = finder.finish()
    difference.removed = removed.filter { !contains(id: $0) }
    difference.edited = edited.map(\.id)
    return difference
  }
}

extension Entities where Element: Equatable {
  /// The difference from an older version.
  ///
  /// - Complexity: O(*d* log *n*) in what differs; O(*n* log *n*) for two that share nothing.
  @inlinable
  public func difference(from older: Entities) -> EntitiesDifference<Element.ID> {
    difference(from: older, by: { isSameRow($1, $0) })
  }
}

// MARK: What has moved

/// Finds which rows of a newer version are new, and which have moved.
@usableFromInline
struct DifferenceFinder<Element: Identifiable> {
  /// A row that the two versions do not share.
  private struct Row {
    let id: Element.ID
    let position: Int
    /// Nil for a row that only the newer version has.
    let formerPosition: Int?
  }

  private let newer: Entities<Element>
  private let older: Entities<Element>
  private var rows: [Row] = []

  @usableFromInline
  init(_ newer: Entities<Element>, _ older: Entities<Element>) {
    (self.newer, self.older) = (newer, older)
  }

  /// Adds a row that is not where it was, in ascending order, and returns what the older version has of it.
  @usableFromInline
  mutating func add(_ row: Element, at position: Int) -> Element? {
    let former = older.place(of: row.id)
    let formerPosition = former.flatMap { older.rows.position(of: $0.label) }
    rows.append(Row(id: row.id, position: position, formerPosition: formerPosition))
    return former?.element
  }

  @usableFromInline
  func finish() -> EntitiesDifference<Element.ID> {
    var difference = EntitiesDifference<Element.ID>()
    var start = 0
    while start < rows.count {
      // Rows that follow each other, between two that are where they were.
      var end = start + 1
      while end < rows.count && rows[end].position == rows[end - 1].position + 1 { end += 1 }
      addMoved(rows[start..<end], to: &difference)
      start = end
    }
    difference.inserted = rows.compactMap { $0.formerPosition == nil ? $0.id : nil }
    return difference
  }

  private func addMoved(
    _ run: ArraySlice<Row>, to difference: inout EntitiesDifference<Element.ID>
  ) {
    let common = run.filter { $0.formerPosition != nil }
    guard let first = run.first, let last = run.last, !common.isEmpty else { return }
    let low = formerPosition(ofRowAt: first.position - 1) ?? -1
    let high = formerPosition(ofRowAt: last.position + 1) ?? older.count
    let isKept = longestAscent(
      of: common.map { $0.formerPosition ?? -1 }, within: low + 1..<Swift.max(low + 1, high))
    for (row, isKept) in zip(common, isKept) where !isKept { difference.moved.append(row.id) }
  }

  private func formerPosition(ofRowAt position: Int) -> Int? {
    newer.rows.label(at: position).flatMap { older.rows.position(of: $0) }
  }
}

/// Which of some numbers belong to a longest ascending subsequence of those within a range; in O(*n* log *n*).
func longestAscent(of numbers: [Int], within range: Range<Int>) -> [Bool] {
  var isChosen = [Bool](repeating: false, count: numbers.count)
  // By length, the index of the smallest number with which an ascent of that length ends.
  var ends: [Int] = []
  var former = [Int?](repeating: nil, count: numbers.count)
  for (index, number) in numbers.enumerated() where range.contains(number) {
    let length = ends.indices.partitioningIndex { numbers[ends[$0]] >= number }
    if length > 0 { former[index] = ends[length - 1] }
    if length == ends.count { ends.append(index) } else { ends[length] = index }
  }
  var next = ends.last
  while let index = next {
    isChosen[index] = true
    next = former[index]
  }
  return isChosen
}
