import LensedTestSupport
import Testing

@testable import Lensed

/// One version of some entities, and the array that it has to equal.
private struct Version {
  var entities = Entities<Row>()
  var rows: [Row] = []

  /// A version of rows with ids from 0 on.
  init(count: Int) {
    rows = (0..<count).map { Row(id: $0) }
    for row in rows { entities.append(row) }
  }

  /// What one random operation does to both.
  mutating func change(using generator: inout SeededGenerator) -> String {
    let count = rows.count
    let position = Int.random(in: 0...count, using: &generator)
    let place = count == 0 ? 0 : Int.random(in: 0..<count, using: &generator)
    let other = count == 0 ? 0 : Int.random(in: 0..<count, using: &generator)
    // The ids of rows that were never there are negative.
    let row = Row(id: -Int.random(in: 1..<1_000_000_000, using: &generator), title: "new")
    switch Int.random(in: 0..<16, using: &generator) {
    case 0, 1:
      entities.insert(row, at: position)
      rows.insert(row, at: position)
      return "insert at \(position)"
    case 2:
      for number in 0..<50 {
        entities.insert(Row(id: row.id - 1 - number), at: position)
        rows.insert(Row(id: row.id - 1 - number), at: position)
      }
      return "insert 50 at \(position)"
    case 3:
      entities.append(row)
      rows.append(row)
      return "append"
    case 4 where count > 0:
      entities.insert(row, before: rows[place].id)
      rows.insert(row, at: place)
      return "insert before \(place)"
    case 5 where count > 0:
      #expect(entities.remove(id: rows[place].id) == rows[place])
      rows.remove(at: place)
      return "remove \(place)"
    case 6 where count > 40:
      let start = Int.random(in: 0...(count - 40), using: &generator)
      entities.remove(atOffsets: start..<start + 40)
      rows.removeSubrange(start..<start + 40)
      return "remove 40 from \(start)"
    case 7, 8:
      guard count > 0 else { return "nothing" }
      entities.move(from: place, to: other)
      rows.insert(rows.remove(at: place), at: other)
      return "move \(place) to \(other)"
    case 9 where count > 0:
      let places = Set([place, other, (place + other) / 2])
      entities.move(fromOffsets: places, toOffset: position)
      rows = moved(rows, places, position)
      return "move \(places) to \(position)"
    case 10 where count > 0:
      entities.swapAt(place, other)
      rows.swapAt(place, other)
      return "swap \(place) and \(other)"
    case 11 where count > 0:
      entities[id: rows[place].id] = nil
      rows.remove(at: place)
      return "set \(place) to nil"
    case 12 where count > 0:
      entities[id: rows[place].id]?.id = rows[other].id
      let id = rows[other].id
      rows[place].id = id
      if place != other { rows.remove(at: other) }
      return "give \(place) the id of \(other)"
    case 13:
      entities.removeAll { $0.id % 5 == place % 5 && $0.id % 3 == 0 }
      rows.removeAll { $0.id % 5 == place % 5 && $0.id % 3 == 0 }
      return "remove some"
    case 14 where place % 4 == 0:
      entities.partition { $0.id % 2 == 0 }
      rows = rows.filter { $0.id % 2 != 0 } + rows.filter { $0.id % 2 == 0 }
      return "partition"
    case 14 where place % 4 == 1:
      entities.reverse()
      rows.reverse()
      return "reverse"
    case 14 where place % 4 == 2:
      entities.sort { $0.id < $1.id }
      rows.sort { $0.id < $1.id }
      return "sort"
    default:
      guard count > 0 else { return "nothing" }
      entities[id: rows[place].id]?.title += "x"
      rows[place].title += "x"
      return "edit \(place)"
    }
  }

  private func moved(_ rows: [Row], _ places: Set<Int>, _ destination: Int) -> [Row] {
    let others = { (range: Range<Int>) in range.filter { !places.contains($0) }.map { rows[$0] } }
    return others(0..<destination) + places.sorted().map { rows[$0] }
      + others(destination..<rows.count)
  }
}

/// How often rows and ids were compared and hashed, by one thread.
private final class Asked {
  var comparisons = 0
  var hashes = 0
}

private struct AskedRow: Identifiable, Equatable {
  let id: Int
  var isDone = false
  let asked: Asked

  init(id: Int, asked: Asked) { (self.id, self.asked) = (id, asked) }

  static func == (left: AskedRow, right: AskedRow) -> Bool {
    left.asked.comparisons += 1
    return left.id == right.id && left.isDone == right.isDone
  }
}

private struct AskedID: Hashable {
  let number: Int
  let asked: Asked

  static func == (left: AskedID, right: AskedID) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) {
    asked.hashes += 1
    hasher.combine(number)
  }
}

private struct AskedByID: Identifiable {
  let id: AskedID
}

@Suite("Entities: versions that are held and changed in turn", .timeLimit(.minutes(30)))
struct EntitiesVersionTests {
  /// Around each limit of a node, and around one and two levels of branches.
  private static let sizes = [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 1_023, 1_024, 1_025, 1_100]

  @Test(arguments: sizes, 0..<UInt64(VerificationLength.factor))
  func `each version keeps the rows of its own model`(_ size: Int, _ seed: UInt64) {
    var generator = SeededGenerator(seed: seed &* 10_000 &+ UInt64(size))
    var versions = [Version(count: size)]
    for step in 0..<40 {
      let index = Int.random(in: 0..<versions.count, using: &generator)
      let former = versions[index]
      let operation = versions[index].change(using: &generator)
      let place: Comment = "\(size) rows, seed \(seed), step \(step): \(operation)"
      let entities = versions[index].entities
      if !entities.elementsEqual(versions[index].rows) { Issue.record(place) }
      if let flaw = entities.rows.flaw { Issue.record("\(flaw): \(place)") }
      let difference = entities.difference(from: former.entities)
      #expect(difference == plain(versions[index].rows, former.rows, difference.moved), place)
      #expect((entities == former.entities) == (versions[index].rows == former.rows), place)
      if versions.count < 4 || step.isMultiple(of: 5) { versions.append(former) }
      if versions.count > 5 { versions.remove(at: step % 5) }
    }
    for (number, version) in versions.enumerated() {
      let place: Comment = "\(size) rows, seed \(seed), version \(number)"
      #expect(version.entities.flaw == nil, place)
      for row in version.rows where version.entities[id: row.id] != row {
        Issue.record("\(place), row \(row.id)")
      }
      for (position, row) in version.rows.enumerated() where position % 7 == 0 {
        #expect(version.entities.index(id: row.id) == position, place)
        #expect(version.entities[position] == row, place)
      }
      let other = versions[(number + 1) % versions.count]
      let difference = version.entities.difference(from: other.entities)
      #expect(difference == plain(version.rows, other.rows, difference.moved), place)
    }
  }

  /// The difference of two arrays, and whether the rows that have not moved are in one order in both.
  private func plain(_ new: [Row], _ old: [Row], _ moved: [Int]) -> EntitiesDifference<Int> {
    var difference = EntitiesDifference<Int>()
    var (former, ids) = ([Int: Row](), Set<Int>())
    for row in old where former[row.id] == nil { former[row.id] = row }
    for row in new { ids.insert(row.id) }
    let hasMoved = Set(moved)
    // What is in both, in the order of each, and what of it has not moved.
    var (common, fixed) = (([Int](), [Int]()), ([Int](), [Int]()))
    for row in new {
      guard let known = former[row.id] else {
        difference.inserted.append(row.id)
        continue
      }
      if known != row { difference.edited.append(row.id) }
      common.0.append(row.id)
      if !hasMoved.contains(row.id) { fixed.0.append(row.id) }
    }
    for row in old {
      guard ids.contains(row.id) else {
        difference.removed.append(row.id)
        continue
      }
      common.1.append(row.id)
      if !hasMoved.contains(row.id) { fixed.1.append(row.id) }
    }
    difference.moved = moved
    #expect(fixed.0 == fixed.1)
    #expect(difference.isReordered == (common.0 != common.1))
    return difference
  }

  @Test(arguments: [0, 1, 7, 8, 31, 32, 33, 64, 65, 1_024, 1_025])
  func `rows come, go, move and change their ids at each place, of a unique and of a shared one`(
    _ size: Int
  ) {
    let rows = (0..<size).map { Row(id: $0) }
    let whole = Entities(rows) { _, next in next }
    // Of many places, each in the long form, and else the ends, the edges of two nodes and some others.
    var (places, generator) = (Array(0...size), SeededGenerator(seed: UInt64(size)))
    if size > 100 && VerificationLength.factor == 1 {
      let others = places.shuffled(using: &generator).prefix(8)
      places = [0, 31, 32, 33, size - 1, size] + others
    }
    for place in places {
      for isShared in [false, true] {
        var inserted = isShared ? whole : Entities(rows) { _, next in next }
        var expected = rows
        inserted.insert(Row(id: -1), at: place)
        expected.insert(Row(id: -1), at: place)
        #expect(inserted.elementsEqual(expected) && inserted.flaw == nil, "\(place)")
        if place == size { continue }
        var removed = isShared ? whole : Entities(rows) { _, next in next }
        expected = rows
        removed.remove(at: place)
        expected.remove(at: place)
        #expect(removed.elementsEqual(expected) && removed.flaw == nil, "\(place)")
        for destination in [0, size / 2, size - 1] {
          var moved = isShared ? whole : Entities(rows) { _, next in next }
          moved.move(from: place, to: destination)
          expected.insert(rows[place], at: destination)
          #expect(moved.elementsEqual(expected) && moved.flaw == nil, "\(place) \(destination)")
          moved = isShared ? whole : Entities(rows) { _, next in next }
          let isThere = moved.move(id: place, to: destination)
          #expect(isThere && moved.elementsEqual(expected), "\(place) \(destination)")
          #expect(moved.flaw == nil && moved.index(id: place) == destination)
          expected.remove(at: destination)
        }
        var renamed = isShared ? whole : Entities(rows) { _, next in next }
        renamed[id: place]?.id = -1
        expected.insert(Row(id: -1), at: place)
        #expect(renamed.elementsEqual(expected) && renamed.flaw == nil, "\(place)")
        #expect(renamed[id: -1] != nil && renamed[id: place] == nil)
      }
    }
    #expect(whole.elementsEqual(rows))
  }

  @Test func `rows are taken from each end, and from the middle, until none is left`() {
    for end in 0..<3 {
      var (entities, count) = (Entities((0..<1_100).map { Row(id: $0) }) { _, next in next }, 1_100)
      while count > 0 {
        entities.remove(at: end == 0 ? 0 : end == 1 ? count - 1 : count / 2)
        count -= 1
        if count.isMultiple(of: 97), let flaw = entities.flaw {
          Issue.record("\(flaw) of \(count)")
        }
      }
      #expect(entities.isEmpty && entities.flaw == nil && entities.rows.root == nil)
      entities.append(Row(id: 1))
      #expect(entities.ids == [1])
    }
  }

  @Test func `rows that come at one place for ever find room`() {
    for place in [0, 1, 500] {
      var entities = Entities((0..<1_000).map { Row(id: $0) }) { _, next in next }
      let former = entities
      for number in 0..<1_500 { entities.insert(Row(id: -1 - number), at: place) }
      let expected = Array(0..<place) + Array(-1_500 ... -1) + Array(place..<1_000)
      #expect(entities.ids == expected && entities.flaw == nil)
      #expect(entities.difference(from: former).moved.isEmpty)
      #expect(former.ids == Array(0..<1_000) && former.flaw == nil)
    }
  }

  @Test func `what two versions share is not compared`() {
    let rows = Entities((0..<10_000).map { Row(id: $0) }) { _, next in next }
    var edited = rows
    edited[id: 5_000]?.title = "edited"
    edited.remove(id: 20)
    edited.append(Row(id: 10_001))
    var comparisons = 0
    let difference = edited.difference(from: rows) { new, old in
      comparisons += 1
      return new == old
    }
    #expect(difference.edited == [5_000] && difference.removed == [20])
    #expect(difference.inserted == [10_001] && difference.moved == [])
    #expect(comparisons <= 3 * 32)
  }

  @Test func `what two versions share is not asked for ==`() {
    let asked = Asked()
    let rows = Entities((0..<10_000).map { AskedRow(id: $0, asked: asked) }) { _, next in next }
    var edited = rows
    edited[id: 5_000]?.isDone = true
    #expect(edited != rows)
    #expect(asked.comparisons <= 32)
    edited[id: 5_000]?.isDone = false
    asked.comparisons = 0
    #expect(edited == rows)
    #expect(asked.comparisons <= 32)
  }

  /// Each row that is given a new label asks for the hash of its id.
  @Test(arguments: [3, 2_000])
  func `rows that are moved to one place again and again give few others a new label`(
    _ place: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(place))
    let asked = Asked()
    let ids = (0..<4_000).map { AskedID(number: $0, asked: asked) }
    var rows = Entities(ids.map { AskedByID(id: $0) }) { _, next in next }
    var model = Array(0..<4_000)
    asked.hashes = 0
    let moves = 20_000
    for _ in 0..<moves {
      let source = Int.random(in: 10..<4_000, using: &generator)
      rows.move(from: source, to: place)
      model.insert(model.remove(at: source), at: place)
    }
    #expect(asked.hashes < 12 * moves, "\(asked.hashes)")
    #expect(rows.map(\.id.number) == model)
  }

  @Test func `a history of ten thousand versions is released`() {
    var versions: [Entities<Row>] = []
    var entities = Entities((0..<500).map { Row(id: $0) }) { _, next in next }
    for number in 0..<10_000 {
      versions.append(entities)
      entities[id: number % 500]?.title = "\(number)"
    }
    #expect(versions[0][id: 0]?.title == "" && versions[9_999][id: 0]?.title == "9500")
    versions = []
    #expect(entities.flaw == nil)
  }
}
