@testable import Lensed

/// A row whose contents lie on the heap, so that a copy shows.
struct Row: Identifiable, Hashable, Codable, Sendable {
  var id: Int
  var title = ""
  var numbers: [Int] = []
}

/// What `Entities` mean, in a plain array.
struct EntitiesModel {
  var rows: [Row] = []

  func index(_ id: Int) -> Int? { rows.firstIndex { $0.id == id } }

  mutating func insert(_ row: Row, at position: Int) -> Bool {
    if index(row.id) != nil { return false }
    rows.insert(row, at: position)
    return true
  }

  mutating func update(_ row: Row) -> Row? {
    guard let index = index(row.id) else { return nil }
    defer { rows[index] = row }
    return rows[index]
  }

  mutating func remove(_ id: Int) -> Row? { index(id).map { rows.remove(at: $0) } }

  mutating func move(from source: Int, to destination: Int) {
    rows.insert(rows.remove(at: source), at: destination)
  }

  /// Edits a row; the last one wins if it takes the id of another.
  mutating func edit(_ id: Int, _ body: (inout Row) -> Void) {
    guard let index = index(id) else { return }
    body(&rows[index])
    let new = rows[index].id
    if let other = rows.indices.first(where: { $0 != index && rows[$0].id == new }) {
      rows.remove(at: other)
    }
  }
}

extension Entities {
  /// The first broken invariant, in words; nil if all hold.
  var flaw: String? {
    if order.count != elements.count || positions.count != elements.count { return "the counts" }
    for (position, slot) in order.enumerated() where positions[slot] != position {
      return "order and positions at \(position)"
    }
    if slots.count != elements.count { return "the number of ids" }
    for (slot, element) in elements.enumerated() where slots[element.id] != slot {
      return "the slot of \(element.id)"
    }
    return nil
  }
}
