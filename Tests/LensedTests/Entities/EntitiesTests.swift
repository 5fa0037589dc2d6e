import Foundation
import Testing

@testable import Lensed

@Suite("Entities: an array by position, a dictionary by id")
struct EntitiesTests {
  private let rows: Entities<Row> = [Row(id: 7, title: "a"), Row(id: 9, title: "b")]

  @Test func `an empty one has nothing`() {
    var none = Entities<Row>()
    #expect(none.isEmpty && none.first == nil && none.ids == [])
    #expect(none[id: 1] == nil && none.index(id: 1) == nil && !none.contains(id: 1))
    #expect(none.remove(id: 1) == nil && none.update(Row(id: 1)) == nil)
    #expect(none.modify(id: 1) { $0.id } == nil)
    let isMoved = none.move(id: 1, to: 0)
    #expect(!isMoved)
    none.removeAll()
    none.sort { $0.id < $1.id }
    #expect(none == [])
  }

  @Test func `inserting a known id is refused by the return value`() {
    var copy = rows
    #expect(copy.append(Row(id: 7, title: "z")) == (false, 0))
    #expect(copy.insert(Row(id: 9, title: "z"), at: 0) == (false, 1))
    #expect(copy == rows)
    #expect(copy.append(Row(id: 8)) == (true, 2))
    #expect(copy.insert(Row(id: 6), at: 0) == (true, 0))
    #expect(copy.ids == [6, 7, 9, 8])
  }

  @Test func `update and upsert replace, and the last one wins`() {
    var copy = rows
    #expect(copy.update(Row(id: 7, title: "c"))?.title == "a")
    #expect(copy.update(Row(id: 8)) == nil)
    copy.upsert(contentsOf: [Row(id: 8, title: "d"), Row(id: 8, title: "e")])
    #expect(copy.map(\.title) == ["c", "b", "e"])
  }

  @Test func `an edit can change the id, and then replaces the element with the new one`() {
    var copy = rows
    copy[id: 7]?.id = 3
    #expect(copy.ids == [3, 9] && copy[id: 7] == nil)
    copy[id: 3]?.id = 9
    #expect(copy.map(\.title) == ["a"] && copy.ids == [9])
    copy.modify(at: 0) { $0.id = 1 }
    #expect(copy.ids == [1] && copy.flaw == nil)
    copy[id: 5] = Row(id: 6)
    #expect(copy.ids == [1, 6], "a value is stored by its own id")
  }

  @Test func `an edit that throws keeps the element`() {
    struct Refused: Error {}
    var copy = rows
    #expect(throws: Refused.self) {
      try copy.modify(id: 7) { row in
        row.id = 8
        throw Refused()
      }
    }
    #expect(copy.ids == [8, 9] && copy.flaw == nil)
    #expect(throws: Refused.self) { try copy.removeAll { _ in throw Refused() } }
    #expect(copy.ids == [8, 9])
  }

  @Test func `duplicates in an array are an error that names the id`() throws {
    let twice = [Row(id: 7), Row(id: 8), Row(id: 7, title: "z")]
    let error = #expect(throws: DuplicateIDError.self) { try Entities(twice) }
    #expect(error == DuplicateIDError(id: "7", element: "Row", position: 2))
    #expect(error?.description.contains("position 2 has the id 7") == true)
    #expect(Entities(twice) { _, next in next }.map(\.title) == ["z", ""])
    #expect(Entities(twice) { former, _ in former }.map(\.title) == ["", ""])
  }

  @Test func `it is coded as an array, and a duplicate is corrupted data`() throws {
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode([Row].self, from: data) == Array(rows))
    #expect(try JSONDecoder().decode(Entities<Row>.self, from: data) == rows)
    let twice = try JSONEncoder().encode([Row(id: 1), Row(id: 1)])
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Entities<Row>.self, from: twice)
    }
    guard case .dataCorrupted(let context) = error else { return #expect(Bool(false)) }
    #expect(context.underlyingError is DuplicateIDError)
  }

  @Test func `it reads, prints and is reflected as an array`() {
    #expect(rows.map(\.id) == [7, 9] && rows.last?.id == 9 && rows.reversed().first?.id == 9)
    #expect(rows[0..<1].map(\.id) == [7])
    #expect("\(rows)" == "\(Array(rows))")
    #expect(Mirror(reflecting: rows).displayStyle == .collection)
    #expect(Mirror(reflecting: rows).children.count == 2)
  }

  @Test func `the words of list views move and remove as those of arrays do`() {
    var copy = Entities((0..<8).map { Row(id: $0) }) { _, next in next }
    copy.move(fromOffsets: [1, 6, 2], toOffset: 4)
    #expect(copy.ids == [0, 3, 1, 2, 6, 4, 5, 7])
    copy.move(fromOffsets: [7], toOffset: 0)
    copy.move(fromOffsets: [], toOffset: 8)
    #expect(copy.ids == [7, 0, 3, 1, 2, 6, 4, 5])
    copy.move(fromOffsets: [0, 1], toOffset: 8)
    #expect(copy.ids == [3, 1, 2, 6, 4, 5, 7, 0])
    copy.remove(atOffsets: [0, 7, 0])
    #expect(copy.ids == [1, 2, 6, 4, 5, 7])
    #expect(copy.append(contentsOf: [Row(id: 9), Row(id: 1), Row(id: 9)]) == 1)
    let inserted = copy.insert(Row(id: 3), before: 4)
    #expect(inserted?.inserted == true && inserted?.index == 3)
    let refused = copy.insert(Row(id: 3), before: 9)
    #expect(refused?.inserted == false && refused?.index == 3)
    #expect(copy.insert(Row(id: 20), before: 21) == nil)
    copy.reverse()
    #expect(copy.ids == [9, 7, 5, 4, 3, 6, 2, 1])
    #expect(copy.partition { $0.id % 2 == 1 } == 3)
    #expect(copy.ids == [4, 6, 2, 9, 7, 5, 3, 1])
    let odd: Entities<Row> = copy.filter { $0.id % 2 == 1 }
    #expect(odd.ids == [9, 7, 5, 3, 1] && odd.flaw == nil)
    let most = copy.filter { $0.id != 9 }
    #expect(most.ids == [4, 6, 2, 7, 5, 3, 1] && most.flaw == nil && copy.count == 8)
    #expect(copy.map(\.id) == copy.ids && Array(copy) == copy.map { $0 })
  }

  @Test func `groups are in the order of their first elements`() {
    let groups = Entities((1..<8).map { Row(id: $0) }) { _, next in next }.grouped { $0.id % 3 }
    #expect(groups.ids == [1, 2, 0] && groups[id: 0]?.rows.ids == [3, 6])
    #expect(groups.flaw == nil && groups.allSatisfy { $0.rows.flaw == nil })
  }

  @Test func `a mutation during an iteration does not change the iteration`() {
    var copy = rows
    var seen: [Int] = []
    for row in copy {
      copy.removeAll()
      copy.append(Row(id: seen.count))
      seen.append(row.id)
    }
    #expect(seen == [7, 9] && copy.ids == [1])
  }

  #if os(Linux) || os(macOS)
    @Test func `a literal with duplicates traps with a sentence`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { _ = [Row(id: 7), Row(id: 7)] as Entities<Row> }
      #expect(result.message.contains("the element at position 1 has the id 7"))
    }

    private enum Edit: String, CaseIterable, Codable {
      case insert, remove, moveFrom, moveTo, swap, modify
    }

    @Test(arguments: Edit.allCases)
    private func `a position that is not there is named, with those that are`(edit: Edit)
      async throws
    {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [edit] in
        var rows: Entities<Row> = [Row(id: 7), Row(id: 8)]
        switch edit {
        case .insert: rows.insert(Row(id: 9), at: 4)
        case .remove: rows.remove(at: 4)
        case .moveFrom: rows.move(from: 4, to: 0)
        case .moveTo: rows.move(from: 0, to: 4)
        case .swap: rows.swapAt(0, 4)
        case .modify: rows.modify(at: 4) { _ in }
        }
      }
      let positions = edit == .insert ? "0..<3" : "0..<2"
      #expect(
        result.message.contains(
          "4 is no position in an `Entities<Row>` of 2: it has to be in \(positions)"))
    }
  #endif
}

@Suite("Entities: differences by id")
struct EntitiesDifferenceTests {
  private let old: Entities<Row> = [Row(id: 1), Row(id: 2), Row(id: 3)]

  @Test func `inserted, removed and edited ids are found`() {
    var new = old
    #expect(new.difference(from: old).isEmpty)
    new[id: 2]?.title = "edited"
    new.remove(id: 1)
    new.insert(Row(id: 4), at: 0)
    let difference = new.difference(from: old)
    #expect(difference.inserted == [4] && difference.removed == [1] && difference.edited == [2])
    #expect(!difference.isReordered && !difference.isEmpty)
    let back = old.difference(from: new)
    #expect(back.inserted == [1] && back.removed == [4] && back.edited == [2])
  }

  @Test func `another order is found`() {
    var new = old
    new.move(from: 0, to: 2)
    let difference = new.difference(from: old)
    #expect(difference.isReordered && difference.edited == [] && difference.inserted == [])
    #expect(Entities<Row>().difference(from: old).removed == [1, 2, 3])
    #expect(new.difference(from: old) { _, _ in false }.edited == [2, 3, 1])
  }
}
