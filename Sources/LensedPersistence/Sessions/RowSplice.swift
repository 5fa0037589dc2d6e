internal import Lensed

/// A collection of rows, whose difference from an older version is written in place of the whole.
///
/// What is written are *splices*: at a position, so many rows go and others come. They are applied one after another.
protocol SessionRows {
  /// The ids of the rows as text, and their number.
  var sessionIDs: [String] { get }

  /// The splices from an older version of the same type; nil where the whole is to be written.
  func splices(from older: any SessionRows) -> [RowSplice]?
}

/// At a position, so many rows go and others come.
struct RowSplice {
  var position: Int
  var removed: Int
  var inserted: [(id: String, row: any Encodable)]
}

extension Entities: SessionRows where Element: Encodable & Equatable {
  var sessionIDs: [String] { map(\.sessionID) }

  func splices(from older: any SessionRows) -> [RowSplice]? {
    guard let older = older as? Self else { return nil }
    let difference = self.difference(from: older)
    if difference.isReordered { return nil }
    let removed = difference.removed.reversed().compactMap(older.index(id:)).map {
      RowSplice(position: $0, removed: 1, inserted: [])
    }
    let others = [(difference.inserted, 0), (difference.edited, 1)].flatMap { ids, removed in
      ids.compactMap(index(id:)).map { position in
        RowSplice(position: position, removed: removed, inserted: [self[position].splice])
      }
    }
    // An id that is not equal to itself, or has another hash, is not found.
    let isFound =
      removed.count == difference.removed.count
      && others.count == difference.inserted.count + difference.edited.count
    return isFound ? removed + others : nil
  }
}

extension Array: SessionRows where Element: Encodable & Equatable & Identifiable {
  var sessionIDs: [String] { map(\.sessionID) }

  func splices(from older: any SessionRows) -> [RowSplice]? {
    guard let older = older as? Self else { return nil }
    let (own, former) = differing(from: older)
    if own.isEmpty && former.isEmpty { return [] }
    return [
      RowSplice(
        position: own.lowerBound, removed: former.count, inserted: self[own].map(\.splice))
    ]
  }
}

extension Array where Element: Equatable {
  /// What is not equal in two arrays from the beginning, nor from the end.
  func differing(from older: [Element]) -> (own: Range<Int>, older: Range<Int>) {
    var start = 0
    while start < count, start < older.count, self[start] == older[start] { start += 1 }
    var (end, olderEnd) = (count, older.count)
    while end > start, olderEnd > start, self[end - 1] == older[olderEnd - 1] {
      (end, olderEnd) = (end - 1, olderEnd - 1)
    }
    return (start..<end, start..<olderEnd)
  }
}

extension Identifiable {
  /// The id as text; the name of its type where it or the row is `NotLogged`, so that all of these are alike.
  fileprivate var sessionID: String {
    Self.self is any NotLogged.Type ? "\(ID.self)" : Redaction.sessionText(id)
  }
}

extension Identifiable where Self: Encodable {
  fileprivate var splice: (id: String, row: any Encodable) { (sessionID, self) }
}
