import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Entities: edits in place, and copies exactly when shared", .timeLimit(.minutes(30)))
struct EntitiesMemoryTests {
  private func rows(_ count: Int) -> Entities<Row> {
    Entities((0..<count).map { Row(id: $0, numbers: Array(0..<64)) }) { _, next in next }
  }

  @Test func `an edit by id or position copies neither the element nor the others`() {
    var rows = rows(100)
    let (leaf, numbers) = (leaf(of: rows, at: 50), rows[50].numbers.address)
    rows[id: 50]?.numbers[0] = -1
    rows.modify(id: 50) { $0.numbers[1] = -1 }
    rows.modify(at: 50) { $0.numbers[2] = -1 }
    rows[id: 50]?.id = 1_000
    rows[id: 1_000]?.numbers[3] = -1
    #expect(rows[id: 1_000]?.numbers.prefix(4) == [-1, -1, -1, -1])
    #expect(rows[50].numbers.address == numbers)
    #expect(self.leaf(of: rows, at: 50) == leaf)
  }

  @Test func `removal, moves and sorting leave no second reference to an element`() {
    var rows = rows(100)
    rows.remove(id: 3)
    rows.remove(at: 0)
    rows.move(from: 0, to: 50)
    rows.swapAt(1, 70)
    rows.removeAll { $0.id.isMultiple(of: 7) }
    rows.sort { $0.id > $1.id }
    rows.move(fromOffsets: [1, 3], toOffset: 40)
    rows.reverse()
    rows[id: 99]?.numbers = Array(0..<64)
    let numbers = rows.map(\.numbers.address)
    for position in rows.indices { rows.modify(at: position) { $0.numbers[0] = -1 } }
    #expect(rows.map(\.numbers.address) == numbers)
  }

  @Test func `the first change of a shared one copies the way to it, and shares the rest`() {
    var rows = rows(2_000)
    let copy = rows
    #expect(sharedLeaves(rows, copy) == 2_000)
    rows[id: 50]?.title = "edited"
    #if !TSAN
      #expect(sharedLeaves(rows, copy) == 2_000 - 32)
    #endif
    let leaf = leaf(of: rows, at: 50)
    rows[id: 51]?.title = "edited"
    #expect(self.leaf(of: rows, at: 50) == leaf, "the second change copies nothing")
    rows.remove(at: 1_000)
    rows.append(Row(id: 5_000))
    rows.move(from: 0, to: 500)
    #expect(sharedLeaves(rows, copy) >= 2_000 - 6 * 32)
    #expect(copy[id: 50]?.title == "" && copy.first?.id == 0 && copy.count == 2_000)
    #expect(rows.flaw == nil && copy.flaw == nil)
  }

  @Test func `a million elements, or twenty thousand where they are slow`() {
    struct Point: Identifiable {
      let id: Int
      var value = 0
    }
    let count = isOptimized ? 1_000_000 : 20_000
    var points = Entities<Point>()
    for id in 0..<count { points.append(Point(id: id)) }
    for id in stride(from: 0, to: count, by: 1_000) { points[id: id]?.value += id }
    #expect(
      points[count - 1_000].value == count - 1_000 && points.index(id: count - 1) == count - 1)
    points.remove(id: count / 2)
    points.move(from: 0, to: points.count - 1)
    #expect(points.count == count - 1 && points.last?.id == 0)
    #expect(points.index(id: count - 1) == count - 3 && points[id: count / 2] == nil)
    #expect(points.rows.flaw == nil)
  }

  /// What tells the leaf of a position from others; of a row with all the same, where each edit copies the way to it.
  private func leaf<Element>(of rows: Entities<Element>, at position: Int) -> UInt {
    #if TSAN
      0
    #else
      rows.rows.place(at: position).leaf.bits
    #endif
  }

  /// The number of rows in leaves that two versions share.
  private func sharedLeaves(_ left: Entities<Row>, _ right: Entities<Row>) -> Int {
    let leaves = Set(right.indices.map { leaf(of: right, at: $0) })
    return left.indices.count { leaves.contains(leaf(of: left, at: $0)) }
  }
}

@Suite("Entities: hostile ids and elements")
struct EntitiesHostileTests {
  @Test func `ids with one hash are still told apart`() {
    struct Same: Hashable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    struct Item: Identifiable { var id: Same }
    var items = Entities<Item>()
    for number in 0..<200 { items.append(Item(id: Same(number: number))) }
    let all = items
    for number in stride(from: 0, to: 200, by: 2) { items.remove(id: Same(number: number)) }
    #expect(all.count == 200 && all.indices.allSatisfy { all.index(id: all[$0].id) == $0 })
    #expect(items.difference(from: all) { _, _ in true }.removed.count == 100)
    items[id: Same(number: 1)]?.id = Same(number: 3)
    #expect(items.count == 99 && items.flaw == nil)
    #expect(Set(items.map(\.id.number)) == Set(stride(from: 3, to: 200, by: 2)))
    #expect(items.index(id: Same(number: 3)) == 0)
  }

  @Test func `ids that equal nothing are never found, and can be removed by position`() {
    struct Item: Identifiable, Equatable { var id: Double }
    var items = Entities<Item>()
    for _ in 0..<4 { #expect(items.append(Item(id: .nan)).inserted) }
    items.append(Item(id: 1))
    #expect(items[id: .nan] == nil && items.remove(id: .nan) == nil)
    items.modify(at: 0) { $0.id = .nan }
    items.move(from: 4, to: 0)
    items.remove(at: 2)
    items.removeAll { $0.id == 2 }
    items.sort { $0.id < $1.id }
    #expect(items.count == 4 && items[id: 1] != nil && items.index(id: 1) == 0)
    #expect(items == items, "a copy shares its elements, as that of an array does")
    var others = Entities<Item>()
    for item in items { others.append(item) }
    #expect(items != others, "like an array of them")
    items.removeAll { $0.id.isNaN }
    #expect(items == [Item(id: 1)] && items.index(id: 1) == 0)
  }

  @Test func `ten thousand ids with one hash are many, and no more than that`() {
    struct Same: Hashable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    struct Item: Identifiable { var id: Same }
    let count = isOptimized ? 10_000 : 500
    var items = Entities<Item>()
    for number in 0..<count { items.append(Item(id: Same(number: number))) }
    #expect(items.count == count && !items.contains(id: Same(number: -1)))
    #expect(items.index(id: Same(number: count - 1)) == count - 1)
    for number in 0..<10 { items.remove(id: Same(number: number)) }
    #expect(items.count == count - 10 && items.rows.flaw == nil)
  }

  @Test(arguments: 0..<UInt64(20 * VerificationLength.factor))
  func `ids whose hashes differ from those of their equals harm themselves alone`(_ seed: UInt64) {
    /// Equal by its value, hashed by its spelling too.
    struct Loose: Hashable {
      let value: Int
      let spelling: Int
      static func == (left: Loose, right: Loose) -> Bool { left.value == right.value }
    }
    struct Item: Identifiable {
      var id: Loose
      var text = ""
    }
    var generator = SeededGenerator(seed: seed)
    let some = { (generator: inout SeededGenerator) in
      Loose(
        value: Int.random(in: 0..<30, using: &generator),
        spelling: Int.random(in: 0..<3, using: &generator))
    }
    var items = Entities<Item>()
    var good: [Int] = []
    for step in 0..<200 {
      let (id, other) = (some(&generator), some(&generator))
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1: items.insert(Item(id: id), at: items.count / 2)
      case 2: items.remove(id: id)
      case 3: items[id: id]?.id = other
      case 4: items[id: id] = step.isMultiple(of: 2) ? nil : Item(id: id)
      case 5: if !items.isEmpty { items.move(from: 0, to: items.count - 1) }
      default:
        if !items.isEmpty { items.modify(at: step % items.count) { $0.id = other } }
        // Ids that are hashed as they are compared stay findable beside the others.
        if items.append(Item(id: Loose(value: 1_000 + step, spelling: 0))).inserted {
          good.append(1_000 + step)
        }
      }
      #expect(items.rows.flaw == nil, "seed \(seed), step \(step)")
    }
    for value in good where items.contains(where: { $0.id.value == value && $0.id.spelling == 0 }) {
      let id = Loose(value: value, spelling: 0)
      #expect(items[id: id]?.id == id, "seed \(seed)")
    }
  }

  @Test func `ids that change behind the back of a collection are lost, and nothing else`() {
    final class Name: Hashable {
      var text: String
      init(_ text: String) { self.text = text }
      static func == (left: Name, right: Name) -> Bool { left.text == right.text }
      func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
    struct Item: Identifiable { let id: Name }
    let items = (0..<100).map { Item(id: Name("\($0)")) }
    var entities = Entities(items) { _, next in next }
    let former = entities
    items[7].id.text = "changed"
    #expect(entities[id: Name("7")] == nil && entities[id: Name("8")]?.id.text == "8")
    entities.remove(at: 7)
    entities.append(Item(id: Name("7")))
    entities.insert(Item(id: Name("new")), at: 7)
    #expect(entities[id: Name("7")]?.id.text == "7" && entities.count == 101)
    entities.removeAll { $0.id.text.count == 1 }
    #expect(entities.rows.flaw == nil && former.count == 100 && former.rows.flaw == nil)
  }

  @Test func `an order that contradicts itself moves elements and loses none`() {
    var items: Entities<Row> = [Row(id: 1), Row(id: 2), Row(id: 3), Row(id: 4)]
    items.sort { _, _ in true }
    #expect(Set(items.ids) == [1, 2, 3, 4] && items.flaw == nil)
    var sorted = items.sorted { _, _ in true }
    sorted.insert(Row(id: 5))
    sorted[id: 2]?.title = "edited"
    #expect(Set(sorted.entities.ids) == [1, 2, 3, 4, 5] && sorted.entities.flaw == nil)
  }
}
