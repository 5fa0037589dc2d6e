import Lensed

/// What a reducer does in loops, and a lift, which each dispatch goes through.
enum EntityRows {
  static var pairs: [Pair] {
    [
      Pair(
        "entities",
        "1,000 Entities read in order, and read and edited by id / an array and a dictionary",
        target: Target(atMost: 2, aim: 1.2),
        allocations: .noneOnEitherSide
      ) {
        (entities(1_000), array(1_000))
      },
      Pair(
        "entities-order",
        "Entities of 100 made, compared, and an element removed and put back / an array and a dictionary",
        target: Target(atMost: 3, aim: 1.5)
      ) {
        (makingEntities(100), makingArray(100))
      },
      Pair(
        "optional-prism",
        "a dispatch through an optional and a prism / mutex, switch, reducer",
        target: Target(atMost: 8.5, aim: 5),
        allocations: .noneOnEitherSide
      ) {
        (try lifted(), liftedByHand())
      },
    ]
  }

  static func entities(_ count: Int) -> Side {
    let lines = EntityApp.Line.all(count)
    let ids = lines.map(\.id)
    guard var entities = try? Entities(lines) else { fatalError("Two lines have one id.") }
    return .synchronous("Entities of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var sum = 0
        for line in entities { sum &+= line.amount }
        for id in ids { if let line = entities[id: id] { sum &+= line.amount } }
        for id in ids { entities.modify(id: id) { $0.amount &+= 1 } }
        swallow(sum)
      }
    }
  }

  static func array(_ count: Int) -> Side {
    let lines = EntityApp.Line.all(count)
    let ids = lines.map(\.id)
    var hand = HandLines(lines)
    return .synchronous("array and dictionary of \(count)", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        var sum = 0
        for line in hand.lines { sum &+= line.amount }
        for id in ids { if let line = hand.line(id: id) { sum &+= line.amount } }
        for id in ids { hand.add(1, id: id) }
        swallow(sum)
      }
    }
  }

  static func makingEntities(_ count: Int) -> Side {
    let lines = EntityApp.Line.all(count)
    let last = lines[count - 1].id
    return .synchronous("Entities of \(count)") { turns in
      for _ in 0..<turns {
        guard var made = try? Entities(lines) else { continue }
        let before = made
        guard let line = made.remove(id: last) else { continue }
        made.append(line)
        swallow(made == before ? 1 : 0)
      }
    }
  }

  static func makingArray(_ count: Int) -> Side {
    let lines = EntityApp.Line.all(count)
    let last = lines[count - 1].id
    return .synchronous("array and dictionary of \(count)") { turns in
      for _ in 0..<turns {
        var made = HandLines(lines)
        let before = made
        guard let line = made.remove(id: last) else { continue }
        made.append(line)
        swallow(made == before ? 1 : 0)
      }
    }
  }

  static func lifted() throws -> Side {
    let store = try EntityApp.store()
    let action = EntityApp.Add.sample
    return .synchronous("Store of a page") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func liftedByHand() -> Side {
    let hand = opaque(HandPage())
    let action = EntityApp.Add.sample
    return .synchronous("mutex, switch, reducer") { turns in
      for _ in 0..<turns { hand.dispatch(action) }
    }
  }
}
