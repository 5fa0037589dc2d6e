import LensedTestSupport
import Testing

@testable import Lensed

@Suite("SortedEntities: always in order", .timeLimit(.minutes(30)))
struct SortedEntitiesTests {
  private let rows: Entities<Row> = [Row(id: 1, title: "m"), Row(id: 2, title: "c")]

  @Test func `it sorts, and inserts at the place of the element`() {
    var sorted = rows.sorted { $0.title < $1.title }
    #expect(sorted.map(\.id) == [2, 1])
    #expect(sorted.insert(Row(id: 3, title: "d")) == (true, 1))
    #expect(sorted.insert(Row(id: 3, title: "z")) == (false, 1))
    #expect(sorted.insert(Row(id: 4, title: "d")) == (true, 2), "after its equals")
    #expect(sorted.partitioningIndex { $0.title >= "e" } == 3)
    #expect(sorted.partitioningIndex { _ in false } == sorted.endIndex)
    #expect(sorted[id: 3]?.title == "d" && sorted.index(id: 4) == 2 && sorted.contains(id: 1))
  }

  @Test func `an edited element moves to its place`() {
    var sorted = rows.sorted { $0.title < $1.title }
    sorted[id: 2]?.title = "z"
    #expect(sorted.map(\.id) == [1, 2])
    sorted.modify(id: 2) { $0.title = "a" }
    #expect(sorted.map(\.id) == [2, 1])
    #expect(sorted.upsert(Row(id: 2, title: "x"))?.title == "a")
    #expect(sorted.upsert(Row(id: 3, title: "n")) == nil)
    #expect(sorted.map(\.id) == [1, 3, 2])
    sorted[id: 1] = nil
    sorted[id: 9] = Row(id: 9, title: "o")
    #expect(sorted.map(\.id) == [3, 9, 2])
    #expect(sorted.remove(id: 9)?.id == 9 && sorted.remove(at: 0).id == 3)
  }

  @Test func `a plain array is sorted where the type says so`() {
    let array: [Row] = rows.sorted { $0.title < $1.title }
    #expect(array.map(\.id) == [2, 1])
  }

  @Test(arguments: 0..<UInt64(40 * VerificationLength.factor))
  func `random programs keep the rows of a dictionary in order`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var sorted = Entities<Row>().sorted { $0.title < $1.title }
    var model: [Int: Row] = [:]
    for step in 0..<120 {
      let (id, other) = (
        Int.random(in: 0..<20, using: &generator), Int.random(in: 0..<20, using: &generator)
      )
      let row = Row(id: id, title: "\(UInt8.random(in: 0..<9, using: &generator))")
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        #expect(sorted.insert(row).inserted == (model[id] == nil))
        model[id] = model[id] ?? row
      case 1: #expect(sorted.upsert(row) == model.updateValue(row, forKey: id))
      case 2: #expect(sorted.remove(id: id) == model.removeValue(forKey: id))
      case 3:
        sorted[id: id]?.title = row.title
        model[id]?.title = row.title
      case 4:
        sorted[id: id]?.id = other
        if let former = model.removeValue(forKey: id) {
          model[other] = Row(id: other, title: former.title)
        }
      default:
        sorted.modify(id: id) { ($0.id, $0.title) = (other, row.title) }
        if model.removeValue(forKey: id) != nil { model[other] = Row(id: other, title: row.title) }
      }
      let place: Comment = "seed \(seed), step \(step)"
      #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.title <= $1.title }, place)
      #expect(sorted.entities.flaw == nil, place)
      #expect(sorted.count == model.count, place)
      #expect(sorted.allSatisfy { model[$0.id] == $0 }, place)
    }
  }
}
