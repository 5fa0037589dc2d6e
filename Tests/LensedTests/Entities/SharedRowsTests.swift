import LensedTestSupport
import Testing

@testable import Lensed

/// A version of some entities, and the array that it has to equal.
private struct Held: Sendable {
  var entities: Entities<Row>
  var rows: [Row]

  init(count: Int) {
    rows = (0..<count).map { Row(id: $0) }
    entities = Entities(rows) { _, next in next }
  }

  mutating func change(using generator: inout SeededGenerator) {
    let place = Int.random(in: 0..<rows.count, using: &generator)
    let other = Int.random(in: 0..<rows.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      let row = Row(id: -Int.random(in: 1..<1_000_000_000, using: &generator))
      entities.insert(row, at: place)
      rows.insert(row, at: place)
    case 1:
      entities.remove(id: rows[place].id)
      rows.remove(at: place)
    case 2:
      entities.move(id: rows[place].id, to: other)
      rows.insert(rows.remove(at: place), at: other)
    default:
      entities[id: rows[place].id]?.title += "x"
      rows[place].title += "x"
    }
  }
}

@Suite("Entities: versions that threads share", .timeLimit(.minutes(30)))
struct SharedRowsTests {
  @Test(arguments: 0..<UInt64(VerificationLength.factor))
  func `threads edit, exchange and release versions of the same rows`(_ seed: UInt64) {
    let pool = Locked([Held(count: 1_100)])
    // The thread sanitizer sees no release, and takes what a thread has read for still read when another frees it. So
    // under it all versions are kept until nobody reads any more.
    let kept = Locked<[Held]>([])
    let threads = (0..<4).map { number in
      Threads.start(stackSize: SmallStack.size) {
        var generator = SeededGenerator(seed: seed &* 4 &+ UInt64(number))
        for step in 0..<60 {
          guard var mine = pool.withLock({ $0.randomElement(using: &generator) }) else { return }
          for _ in 0..<6 { mine.change(using: &generator) }
          if !mine.entities.elementsEqual(mine.rows) || mine.entities.rows.flaw != nil {
            Issue.record("seed \(seed), thread \(number), step \(step)")
          }
          let place = Int.random(in: 0..<5, using: &generator)
          let released = pool.withLock { pool -> Held? in
            if pool.count < 5 { pool.append(mine) }
            let released = pool[place % pool.count]
            pool[place % pool.count] = mine
            return released
          }
          #if TSAN
            kept.withLock { $0 += [mine] + (released.map { [$0] } ?? []) }
          #else
            _ = released
          #endif
        }
      }
    }
    for thread in threads { thread.wait() }
    let last = pool.withLock { $0 }
    for version in last {
      #expect(version.entities.elementsEqual(version.rows) && version.entities.flaw == nil)
    }
    pool.withLock { $0 = [] }
    release(last + kept.withLock { $0 })
  }

  /// Releases versions by several threads at once.
  private func release(_ versions: consuming [Held]) {
    let parcels = versions.map { Parcel($0) }
    versions = []
    let threads = (0..<3).map { _ in
      Threads.start(stackSize: SmallStack.size) { for parcel in parcels { _ = parcel.take() } }
    }
    for thread in threads { thread.wait() }
  }

  @Test func `many rows, and a long history of them, fit on a small stack`() {
    SmallStack.run {
      let count = isOptimized ? 1_000_000 : 5_000
      var rows = Entities<Row>()
      rows.append(contentsOf: (0..<count).map { Row(id: $0) })
      let former = rows
      var history: [Entities<Row>] = []
      for number in 0..<(isOptimized ? 100_000 : 5_000) {
        history.append(rows)
        rows[id: number * 7_919 % count]?.title = "edited"
      }
      rows.move(from: 0, to: count / 2)
      rows.remove(at: 5)
      #expect(rows.difference(from: former).removed == [6] && rows != former)
      history = []
      rows.reverse()
      rows.sort { $0.id < $1.id }
      rows.removeAll { $0.id % 2 == 0 }
      #expect(rows.count == count / 2 && rows.rows.flaw == nil && former.count == count)
    }
  }
}

@Suite("Entities: rows of any size and alignment")
struct RowLayoutTests {
  private struct Tiny: Identifiable, Equatable { var id: UInt8 }

  private struct Odd: Identifiable, Equatable {
    var id: UInt8
    var rest = SIMD2<UInt8>()
    var last: UInt8 = 7
  }

  private struct Wide: Identifiable, Equatable {
    var id: UInt8
    var lanes: SIMD16<Double>
  }

  private struct Empty: Identifiable, Hashable {
    var id: Empty { self }
  }

  @Test func `rows of one byte, of odd sizes, and of 128 bytes at even addresses`() {
    check { Tiny(id: $0) }
    check { Odd(id: $0) }
    check { Wide(id: $0, lanes: SIMD16(repeating: Double($0))) }
    check { Row(id: Int($0), title: "\($0)", numbers: [Int($0)]) }
  }

  /// Rows that come and go at each end and in the middle, of a unique and of a shared one.
  private func check<Element: Identifiable & Equatable>(_ element: (UInt8) -> Element) {
    for count in [0, 1, 3, 4, 5, 31, 32, 33, 100] as [UInt8] {
      for place in Set([0, Int(count) / 2, Int(count)]) {
        var (rows, model) = (Entities<Element>(), [Element]())
        for number in 0..<count {
          rows.append(element(number))
          model.append(element(number))
        }
        let former = rows
        for number in 200..<250 as Range<UInt8> {
          rows.insert(element(number), at: place)
          model.insert(element(number), at: place)
        }
        #expect(
          rows.elementsEqual(model) && rows.flaw == nil, "\(Element.self), \(count), \(place)")
        while model.count > place {
          rows.remove(at: place)
          model.remove(at: place)
        }
        #expect(
          rows.elementsEqual(model) && rows.flaw == nil, "\(Element.self), \(count), \(place)")
        #expect(former.elementsEqual((0..<count).map(element)) && former.flaw == nil)
      }
    }
  }

  @Test func `a row without contents is one row`() {
    var rows: Entities<Empty> = [Empty()]
    #expect(!rows.append(Empty()).inserted && rows.index(id: Empty()) == 0)
    rows.remove(id: Empty())
    #expect(rows.isEmpty)
  }

  @Test func `rows that were appended need no memory for their places`() {
    func labels(_ rows: Entities<Row>, _ position: Int) -> Bool {
      rows.rows.place(at: position).leaf.lend { unsafe $0.uncheckedHeader.labels != nil }
    }
    var rows = Entities<Row>()
    for id in 0..<200 { rows.append(Row(id: id)) }
    rows.remove(at: 0)
    rows.remove(id: 199)
    #expect(!rows.indices.contains { labels(rows, $0) })
    rows.remove(at: 40)
    rows.insert(Row(id: -1), at: 100)
    #expect(labels(rows, 40) && labels(rows, 100) && !labels(rows, 0) && rows.flaw == nil)
  }
}
