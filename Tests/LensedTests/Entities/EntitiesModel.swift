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
    if let flaw = rows.flaw { return flaw }
    let entries = index.entries
    if entries.count != count { return "\(entries.count) ids of \(count) elements" }
    let hashes = Dictionary(entries.map { ($0.label, $0.hash) }) { first, _ in first }
    for (position, element) in enumerated() {
      guard let label = rows.label(at: position) else { return "no label at \(position)" }
      if hashes[label] != Self.hash(element.id) { return "the id \(element.id) is not known" }
    }
    return nil
  }
}

extension RowTree {
  /// The first broken invariant, in words; nil if all hold.
  var flaw: String? {
    guard let root else { return count == 0 && height == 0 ? nil : "a count without rows" }
    var (total, last, flaw) = (0, nil as UInt64?, nil as String?)
    func check(_ node: RowNode, _ height: Int, _ known: RowChild?) {
      if node.size == 0 || node.size > RowNode.capacity { flaw = "a node of \(node.size)" }
      let start = total
      if height == 0 {
        guard let leaf = node as? RowLeaf<Element> else { return flaw = "a leaf of another type" }
        for offset in 0..<leaf.size {
          if let last, last >= leaf.label(offset) { flaw = "labels that do not ascend" }
          last = leaf.label(offset)
        }
        if let known, known.first != leaf.label(0) { flaw = "a wrong first label" }
        total += leaf.size
      } else {
        guard let branch = node as? RowBranch else { return flaw = "a branch of another type" }
        if let known, known.first != branch[0].first { flaw = "a wrong first label of a branch" }
        for index in 0..<branch.size { check(branch[index].node, height - 1, branch[index]) }
      }
      if let known, known.count != total - start { flaw = "a wrong count" }
    }
    check(root, height, nil)
    return flaw ?? (total == count ? nil : "a count of \(count) for \(total) rows")
  }
}
