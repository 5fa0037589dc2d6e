import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Entities: random programs mean the same as in an array", .timeLimit(.minutes(30)))
struct EntitiesModelTests {
  @Test(arguments: 0..<UInt64(60 * VerificationLength.factor))
  func `each step leaves the rows of the array, in its order`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (entities, model) = (Entities<Row>(), EntitiesModel())
    var kept: [(Entities<Row>, [Row])] = []
    for step in 0..<120 {
      let operation = perform(on: &entities, &model, using: &generator)
      let place: Comment = "seed \(seed), step \(step): \(operation)"
      #expect(Array(entities) == model.rows, place)
      #expect(entities.flaw == nil, place)
      #expect(entities.ids == model.rows.map(\.id), place)
      for id in 0..<14 {
        #expect(entities.index(id: id) == model.index(id), place)
        #expect(entities[id: id] == model.index(id).map { model.rows[$0] }, place)
      }
      if step.isMultiple(of: 10) { kept.append((entities, model.rows)) }
    }
    for (copy, rows) in kept { #expect(Array(copy) == rows, "seed \(seed): a copy is a value") }
  }

  /// An id that is hashed by a few of its bits, or by none.
  private struct Alike: Hashable {
    let number: Int
    let likeness: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % likeness) }
  }

  private struct AlikeRow: Identifiable {
    let id: Alike
  }

  @Test(arguments: [1, 3, 1_000], 0..<UInt64(10 * VerificationLength.factor))
  func `of an array, the first element whose id is there already is refused`(
    _ likeness: Int, _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
      AlikeRow(
        id: Alike(number: Int.random(in: 0..<500, using: &generator), likeness: likeness))
    }
    let first = rows.indices.first { place in rows[..<place].contains { $0.id == rows[place].id } }
    do {
      let entities = try Entities(rows)
      #expect(first == nil && entities.map(\.id) == rows.map(\.id) && entities.flaw == nil)
    } catch {
      #expect(error.position == first, "seed \(seed)")
    }
  }

  /// One random operation on both.
  private func perform(
    on entities: inout Entities<Row>, _ model: inout EntitiesModel,
    using generator: inout SeededGenerator
  ) -> String {
    let id = Int.random(in: 0..<14, using: &generator)
    let row = Row(id: id, title: "\(UInt8.random(in: 0..<9, using: &generator))", numbers: [id])
    let count = model.rows.count
    let position = Int.random(in: 0...count, using: &generator)
    let (source, target) = (position % max(count, 1), id % max(count, 1))
    switch Int.random(in: 0..<14, using: &generator) {
    case 0:
      let expected = model.insert(row, at: count)
      #expect(entities.append(row).inserted == expected)
      return "append \(id)"
    case 1, 2:
      let expected = model.insert(row, at: position)
      #expect(entities.insert(row, at: position).inserted == expected)
      #expect(entities.insert(row, at: position).index == model.index(id))
      return "insert \(id) at \(position)"
    case 3:
      let expected = model.update(row)
      #expect(entities.update(row) == expected)
      return "update \(id)"
    case 4:
      let replaced = model.update(row)
      if replaced == nil { _ = model.insert(row, at: count) }
      #expect(entities.upsert(row) == replaced)
      return "upsert \(id)"
    case 5:
      let expected = model.remove(id)
      #expect(entities.remove(id: id) == expected)
      return "remove \(id)"
    case 6 where count > 0:
      let expected = model.rows.remove(at: source)
      #expect(entities.remove(at: source) == expected)
      return "remove at \(source)"
    case 7 where count > 0:
      entities.move(from: source, to: target)
      model.move(from: source, to: target)
      return "move from \(source) to \(target)"
    case 8 where count > 0:
      entities.swapAt(source, target)
      model.rows.swapAt(source, target)
      return "swap \(source) and \(target)"
    case 9:
      entities[id: id]?.numbers.append(position)
      model.edit(id) { $0.numbers.append(position) }
      return "edit \(id)"
    case 10:
      let other = Int.random(in: 0..<14, using: &generator)
      if position.isMultiple(of: 2) {
        entities[id: id]?.id = other
      } else {
        entities.modify(id: id) { $0.id = other }
      }
      model.edit(id) { $0.id = other }
      return "give \(id) the id \(other)"
    case 11:
      entities[id: id] = position.isMultiple(of: 2) ? nil : row
      if position.isMultiple(of: 2) {
        _ = model.remove(id)
      } else if model.update(row) == nil {
        _ = model.insert(row, at: count)
      }
      return "set \(id)"
    case 12:
      entities.removeAll { $0.id % 3 == id % 3 }
      model.rows.removeAll { $0.id % 3 == id % 3 }
      return "remove each with \(id % 3) modulo 3"
    default:
      entities.sort { $0.title < $1.title }
      model.rows = model.rows.enumerated()
        .sorted { ($0.element.title, $0.offset) < ($1.element.title, $1.offset) }.map(\.element)
      return "sort"
    }
  }
}
