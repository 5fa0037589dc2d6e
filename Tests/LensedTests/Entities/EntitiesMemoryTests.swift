import Testing

@testable import Lensed

@Suite("Entities: edits in place, and copies exactly when shared", .timeLimit(.minutes(30)))
struct EntitiesMemoryTests {
  private func rows(_ count: Int) -> Entities<Row> {
    Entities((0..<count).map { Row(id: $0, numbers: Array(0..<64)) }) { _, next in next }
  }

  @Test func `an edit by id or position copies neither the element nor the others`() {
    var rows = rows(100)
    let (elements, numbers) = (address(rows.elements), rows[50].numbers.address)
    rows[id: 50]?.numbers[0] = -1
    rows.modify(id: 50) { $0.numbers[1] = -1 }
    rows.modify(at: 50) { $0.numbers[2] = -1 }
    rows[id: 50]?.id = 1_000
    rows[id: 1_000]?.numbers[3] = -1
    #expect(rows[id: 1_000]?.numbers.prefix(4) == [-1, -1, -1, -1])
    #expect(rows[50].numbers.address == numbers)
    #expect(address(rows.elements) == elements)
  }

  @Test func `removal, moves and sorting leave the elements where they are`() {
    var rows = rows(100)
    let elements = address(rows.elements)
    rows.remove(id: 3)
    rows.remove(at: 0)
    rows.move(from: 0, to: 50)
    rows.removeAll { $0.id.isMultiple(of: 7) }
    rows.sort { $0.id > $1.id }
    rows[id: 99]?.numbers = Array(0..<64)
    let numbers = rows.map(\.numbers.address)
    for position in rows.indices { rows.modify(at: position) { $0.numbers[0] = -1 } }
    #expect(rows.map(\.numbers.address) == numbers, "no second reference is left")
    #expect(address(rows.elements) == elements)
  }

  @Test func `a shared one is copied by the first change, and only what changes`() {
    var rows = rows(100)
    let copy = rows
    #expect(address(copy.elements) == address(rows.elements))
    rows.swapAt(0, 1)
    #expect(address(copy.elements) == address(rows.elements), "a move copies positions")
    #expect(address(copy.order) != address(rows.order))
    rows[id: 50]?.title = "edited"
    let elements = address(rows.elements)
    #expect(address(copy.elements) != elements)
    rows[id: 51]?.title = "edited"
    #expect(address(rows.elements) == elements, "the second change copies nothing")
    #expect(copy[id: 50]?.title == "" && copy.first?.id == 0 && rows.first?.id == 1)
  }

  @Test func `a million elements`() {
    struct Point: Identifiable {
      let id: Int
      var value = 0
    }
    var points = Entities<Point>()
    points.reserveCapacity(1_000_000)
    for id in 0..<1_000_000 { points.append(Point(id: id)) }
    let elements = address(points.elements)
    for id in stride(from: 0, to: 1_000_000, by: 1_000) { points[id: id]?.value += id }
    #expect(points[999_000].value == 999_000 && points.index(id: 999_999) == 999_999)
    points.remove(id: 500_000)
    points.move(from: 0, to: points.count - 1)
    #expect(points.count == 999_999 && points.last?.id == 0)
    #expect(points.index(id: 999_999) == 999_997 && points[id: 500_000] == nil)
    #expect(address(points.elements) == elements)
    #expect(points.flaw == nil)
  }

  private func address<Element>(_ array: ContiguousArray<Element>) -> UInt {
    unsafe array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
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
    for number in stride(from: 0, to: 200, by: 2) { items.remove(id: Same(number: number)) }
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
