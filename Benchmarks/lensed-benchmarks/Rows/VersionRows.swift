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
        "version-hand",
        "a row of 1,000,000 edited by a store, each version held / in a persistent vector by hand, behind a mutex",
        target: Target(atMost: 3, aim: 1.5)
      ) {
        (try dispatching(1_000_000, isHeld: true), dispatchingByHand(1_000_000))
      },
      Pair(
        "entities-walk",
        "rows of 1,000,000 edited by id in turn / in an array and a dictionary",
        target: Target(atMost: 8, aim: 4)
      ) {
        (walking(1_000_000), walkingByHand(1_000_000))
      },
      Pair(
        "entities-subscript", "entities[id:]?.amount += 1 / entities.modify(id:)",
        target: Target(atMost: 2.5, aim: 1.3), allocations: .atMost(1)
      ) {
        (editingBySubscript(1_000), modifying(1_000))
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
        target: Target(atMost: 2.25, aim: 1.2), share: 0.2
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
        "entities-move", "a row moved by id among 1,000,000 / among 100",
        target: Target(atMost: 8, aim: 4)
      ) {
        (moving(1_000_000), moving(100))
      },
      Pair(
        "entities-remove", "a row removed by id and appended among 1,000,000 / among 100",
        target: Target(atMost: 8, aim: 4)
      ) {
        (removing(1_000_000), removing(100))
      },
      Pair(
        "derived-rows-100000",
        "one row edited, and a filter, groups and a count that follow 100,000 rows / 100 rows",
        target: Target(atMost: 3, aim: 2)
      ) {
        (try following(100_000), try following(100))
      },
      Pair(
        "derived-chain-100000",
        "one row edited, and a sum of the sorted rows of a filter that follow 100,000 rows / 100 rows",
        target: Target(atMost: 3, aim: 2)
      ) {
        (try chaining(100_000), try chaining(100))
      },
      past("history", "a History of 100 steps") { [History<RowsApp>(limit: 100)] },
      past("previous", "middleware that needs the previous state") { [Comparing()] },
      past("session", "a SessionRecorder") { [SessionRecorder<RowsApp>()] },
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

  private static func dispatchingByHand(_ count: Int) -> Side {
    let store = opaque(HandRowStore(count))
    let action = RowsApp.Add.sample
    var held = HandRows(32)
    return .synchronous("a persistent vector of \(count), each version held") { turns in
      for _ in 0..<turns {
        held = store.version
        store.dispatch(action.action, id: action.id)
      }
      withExtendedLifetime(held) {}
    }
  }

  private static func walking(_ count: Int) -> Side {
    var rows = rows(count)
    var id = 0
    return .synchronous("Entities of \(count)") { turns in
      for _ in 0..<turns {
        id = (id &+ 7_919) % count
        rows.modify(id: id) { $0.amount &+= 1 }
      }
    }
  }

  private static func walkingByHand(_ count: Int) -> Side {
    var rows = opaque((0..<count).map { RowsApp.Row(id: $0) })
    let places = opaque(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) }))
    var id = 0
    return .synchronous("an array and a dictionary of \(count)") { turns in
      for _ in 0..<turns {
        id = (id &+ 7_919) % count
        if let place = places[id] { rows[place].amount &+= 1 }
      }
    }
  }

  private static func editingBySubscript(_ count: Int) -> Side {
    var rows = rows(count)
    let id = opaque(count / 2)
    return .synchronous("by the subscript") { turns in
      for _ in 0..<turns { rows[id: id]?.amount &+= 1 }
    }
  }

  private static func modifying(_ count: Int) -> Side {
    var rows = rows(count)
    let id = opaque(count / 2)
    return .synchronous("by modify") { turns in
      for _ in 0..<turns { rows.modify(id: id) { $0.amount &+= 1 } }
    }
  }

  /// An edit of one row of many, and of few, beside what holds versions of the state.
  private static func past(
    _ id: String, _ name: String, _ middleware: @escaping () -> [any Middleware<RowsApp>]
  ) -> Pair {
    Pair(
      "version-\(id)", "a row of 50,000 edited beside \(name) / a row of 100",
      target: Target(atMost: 4, aim: 2)
    ) {
      (
        try editing(50_000, beside: middleware(), name),
        try editing(100, beside: middleware(), name)
      )
    }
  }

  private static func editing(
    _ count: Int, beside middleware: [any Middleware<RowsApp>], _ name: String
  ) throws -> Side {
    let store = try RowsApp.store(rows: count, middleware: middleware)
    let add = RowsApp.Add.sample.action
    var id = 0
    return .synchronous("\(count) rows, \(name)") { turns in
      for _ in 0..<turns {
        id = (id &+ 7_919) % count
        store.dispatch(ElementAction(id: id, action: add))
      }
    }
  }

  /// Middleware that is told of the state before, too.
  private struct Comparing: Middleware {
    var needsPrevious: Bool { true }
    func didReduce(_ change: Change<RowsApp>) { swallow(change.previous?.rows.count ?? 0) }
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
        rows.move(id: id, to: count / 2)
      }
    }
  }

  private static func removing(_ count: Int) -> Side {
    var rows = rows(count)
    var id = 0
    return .synchronous("Entities of \(count)") { turns in
      for _ in 0..<turns {
        id = (id &+ 7_919) % count
        if let row = rows.remove(id: id) { rows.append(row) }
      }
    }
  }

  /// Half of the rows.
  private static let large = Derived.filter(\RowsApp.rows, with: \RowsApp.factor) { row, factor in
    row.id % factor == 0
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

  private static let sorted = Derived.sorted(large) { $0.id > $1.id }
  private static let sum = Derived.reduced(
    sorted, 0, adding: { $0 &+= $1.amount }, removing: { $0 &-= $1.amount })

  private static func chaining(_ count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let action = RowsApp.Add.sample
    return .synchronous("a chain, \(count) rows") { turns in
      for _ in 0..<turns {
        store.dispatch(action)
        swallow(store[sum])
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
          rows.count { $0.id % factor == 0 } &+ groups.count
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
