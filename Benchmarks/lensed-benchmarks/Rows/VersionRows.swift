import Lensed

/// Rows of which some code holds former versions: undo, recorders, derived values.
enum VersionRows {
  static var pairs: [Pair] {
    [
      Pair(
        "version-held",
        "a row of 1,000,000 edited while a version is held / while none is",
        target: Target(atMost: 20, aim: 10)
      ) {
        (try dispatching(1_000_000, isHeld: true), try dispatching(1_000_000, isHeld: false))
      },
      Pair(
        "difference-1000000",
        "the difference of two versions, one row edited, of 1,000,000 / of 1,000",
        target: Target(atMost: 2, aim: 1.5)
      ) {
        (differing(1_000_000), differing(1_000))
      },
      Pair(
        "entities-read-1000000", "1,000,000 Entities read in order / an array",
        target: Target(atMost: 2, aim: 1.5), share: 0.2
      ) {
        (reading(1_000_000), readingArray(1_000_000))
      },
      Pair(
        "entities-made-1000000", "1,000,000 Entities made of an array / an array and a dictionary",
        target: Target(atMost: 2, aim: 1.5), share: 0.2
      ) {
        (making(1_000_000), makingByHand(1_000_000))
      },
      Pair(
        "entities-append", "100,000 Entities appended / to an array and a dictionary",
        target: Target(atMost: 3, aim: 2), share: 0.2
      ) {
        (appending(100_000), appendingByHand(100_000))
      },
      Pair(
        "entities-move",
        "a row removed and appended, and one moved, by id among 1,000,000 / among 100",
        target: Target(atMost: 6, aim: 4)
      ) {
        (moving(1_000_000), moving(100))
      },
      Pair(
        "derived-rows-100000",
        "one row edited, and a filter, groups and a count that follow 100,000 rows / 100 rows",
        target: Target(atMost: 3, aim: 2)
      ) {
        (try following(100_000), try following(100))
      },
    ]
  }

  static var memory: [MemoryRow] { [undo, row] }

  private static func rows(_ count: Int) -> Entities<RowsApp.Row> {
    guard let rows = try? Entities((0..<count).map { RowsApp.Row(id: $0) }) else {
      fatalError("Two rows have one id.")
    }
    return rows
  }

  static func editing(_ count: Int, isHeld: Bool) -> Side {
    var rows = rows(count)
    var held = Entities<RowsApp.Row>()
    let id = opaque(count / 2)
    let name = "\(count) rows, " + (isHeld ? "each version held" : "no version held")
    return .synchronous(name) { turns in
      for _ in 0..<turns {
        if isHeld { held = rows }
        rows.modify(id: id) { $0.amount &+= 1 }
      }
      swallow(held.count)
    }
  }

  /// An edit of a row by a store, of which some code holds the state.
  private static func dispatching(_ count: Int, isHeld: Bool) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let action = RowsApp.Add.sample
    var held = Entities<RowsApp.Row>()
    let name = "Store with \(count) rows, " + (isHeld ? "each version held" : "no version held")
    return .synchronous(name) { turns in
      for _ in 0..<turns {
        if isHeld { held = store.rows }
        store.dispatch(action)
      }
      swallow(held.count)
    }
  }

  /// The same of an array that some code holds.
  static func editingArray(_ count: Int) -> Side {
    var rows = opaque((0..<count).map { RowsApp.Row(id: $0) })
    var held: [RowsApp.Row] = []
    return .synchronous("an array of \(count), held") { turns in
      for _ in 0..<turns {
        held = rows
        rows[count / 2].amount &+= 1
      }
      swallow(held.count)
    }
  }

  private static func differing(_ count: Int) -> Side {
    let former = rows(count)
    var next = former
    next.modify(id: count / 2) { $0.amount &+= 1 }
    return .synchronous("two versions of \(count)") { [next] turns in
      for _ in 0..<turns { swallow(next.difference(from: former).edited.count) }
    }
  }

  /// A row of 64 bytes.
  private struct Wide: Identifiable {
    let id: Int
    var first = 1
    var others = (2, 3, 4, 5, 6)
    var last = 7

    static func all(_ count: Int) -> [Wide] { opaque((0..<count).map { Wide(id: $0) }) }
  }

  private static func reading(_ count: Int) -> Side {
    guard let rows = try? Entities(Wide.all(count)) else { fatalError("Two rows have one id.") }
    return .synchronous("Entities of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var sum = 0
        for row in rows { sum = (sum ^ row.first) &+ row.last }
        swallow(sum)
      }
    }
  }

  private static func readingArray(_ count: Int) -> Side {
    let rows = Wide.all(count)
    return .synchronous("an array of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var sum = 0
        for row in rows { sum = (sum ^ row.first) &+ row.last }
        swallow(sum)
      }
    }
  }

  private static func making(_ count: Int) -> Side {
    let all = Wide.all(count)
    return .synchronous("Entities of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns { swallow((try? Entities(all))?.count ?? 0) }
    }
  }

  private static func makingByHand(_ count: Int) -> Side {
    let all = Wide.all(count)
    return .synchronous("an array and a dictionary of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var (rows, places) = ([Wide](), [Int: Int](minimumCapacity: count))
        rows.reserveCapacity(count)
        for row in all where places.updateValue(rows.count, forKey: row.id) == nil {
          rows.append(row)
        }
        swallow(rows.count)
      }
    }
  }

  private static func appending(_ count: Int) -> Side {
    .synchronous("Entities of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var rows = Entities<RowsApp.Row>()
        for id in 0..<count { rows.append(RowsApp.Row(id: id)) }
        swallow(rows.count)
      }
    }
  }

  private static func appendingByHand(_ count: Int) -> Side {
    .synchronous("an array and a dictionary of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var (rows, places) = ([RowsApp.Row](), [Int: Int]())
        for id in 0..<count where places.updateValue(rows.count, forKey: id) == nil {
          rows.append(RowsApp.Row(id: id))
        }
        swallow(rows.count)
      }
    }
  }

  private static func moving(_ count: Int) -> Side {
    var rows = rows(count)
    var id = 0
    return .synchronous("Entities of \(count)") { turns in
      for _ in 0..<turns {
        id = (id &+ 7_919) % count
        if let row = rows.remove(id: id) { rows.append(row) }
        rows.move(id: (id &+ 1) % count, to: count / 2)
      }
    }
  }

  private static let large = Derived.filter(\RowsApp.rows, with: \RowsApp.factor) { row, factor in
    row.amount &* factor > 100
  }
  private static let groups = Derived.grouped(\RowsApp.rows) { $0.id % 4 }
  private static let odd = Derived.count(of: \RowsApp.rows) { $0.amount % 2 == 1 }

  static func following(_ count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let action = RowsApp.Add.sample
    return .synchronous("followed, \(count) rows") { turns in
      for _ in 0..<turns {
        store.dispatch(action)
        swallow(store[large].count &+ store[groups].count &+ store[odd])
      }
    }
  }

  /// The same by plain functions of all rows.
  static func filteringPlainly(_ count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let action = RowsApp.Add.sample
    return .synchronous("plain functions of \(count) rows") { turns in
      for _ in 0..<turns {
        store.dispatch(action)
        let (rows, factor) = (store.rows, store.factor)
        let groups = Dictionary(grouping: rows) { $0.id % 4 }
        swallow(
          rows.count { $0.amount &* factor > 100 } &+ groups.count
            &+ rows.count { $0.amount % 2 == 1 })
      }
    }
  }

  private static var undo: MemoryRow {
    MemoryRow(
      "memory-undo", "100 steps of undo over 50,000 rows, one row each", count: 1,
      atMost: 2 << 20, aim: 1 << 20,
      without: { _ in [try RowsApp.store(rows: 50_000)] },
      make: { _ in
        let history = History<RowsApp>(limit: 100)
        let store = try RowsApp.store(rows: 50_000, middleware: [history])
        for id in 0..<100 {
          store.dispatch(ElementAction(id: id &* 499, action: RowsApp.Add(amount: 1)))
        }
        return [store, history]
      })
  }

  /// An array of such rows and a dictionary of their places take about 85 bytes.
  private static var row: MemoryRow {
    MemoryRow(
      "memory-entities", "a row of 64 bytes among 100,000 Entities", count: 100_000,
      atMost: 128, aim: 96,
      without: { count in [Box(Wide.all(count))] },
      make: { count in
        let all = Wide.all(count)
        return [Box(all), Box(try? Entities(all))]
      })
  }

  private final class Box<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
