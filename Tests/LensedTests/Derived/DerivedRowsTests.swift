import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

private struct Board: Sendable {
  struct Card: Sendable, Equatable, Identifiable {
    var id: Int
    var title = 0
    var column = 0
  }

  /// Edits the cards by a function.
  struct Edit: Action {
    let body: @Sendable (inout Entities<Card>) -> Void
  }

  struct Ask: Action { let query: Int }

  var cards: Entities<Card> = []
  var query = 0

  static func store(_ count: Int) throws -> Store<Board> {
    let cards = try Entities((0..<count).map { Card(id: $0, title: $0 * 7 % 10, column: $0 % 3) })
    return try Store(initialState: Board(cards: cards)) {
      Mutator(\.cards) { (cards: inout Entities<Card>, edit: Edit) in edit.body(&cards) }
      Mutator(\.query) { (query: inout Int, ask: Ask) in query = ask.query }
    }
  }

  /// A random edit of the cards.
  static func edit(using generator: inout SeededGenerator) -> Edit {
    let (first, second) = (
      Int.random(in: 0..<1_000, using: &generator), Int.random(in: 0..<1_000, using: &generator)
    )
    let id = Int.random(in: 1_000..<1_000_000, using: &generator)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1: return Edit { $0.modify(at: first % $0.count) { $0.title = second % 10 } }
    case 2, 3: return Edit { $0.modify(at: first % $0.count) { $0.column = second % 4 } }
    case 4: return Edit { $0.modify(at: first % $0.count) { $0.id = id } }
    case 5: return Edit { if $0.count > 3 { $0.remove(at: first % $0.count) } }
    case 6:
      return Edit { $0.insert(Card(id: id, title: second % 10), at: first % ($0.count + 1)) }
    case 7: return Edit { $0.move(from: first % $0.count, to: second % $0.count) }
    case 8: return Edit { $0.swapAt(first % $0.count, second % $0.count) }
    case 9:
      return Edit { cards in
        for number in 0..<40 {
          cards.insert(Card(id: id + number, column: number % 5), at: first % (cards.count + 1))
        }
      }
    case 10: return Edit { cards in cards.removeAll { $0.id % 7 == first % 7 && $0.id != 0 } }
    default:
      return first % 4 == 0
        ? Edit { $0.sort { $0.title < $1.title } } : Edit { $0.append(Card(id: id, title: 5)) }
    }
  }
}

/// Values that follow the rows of a board, and what they have to equal.
private enum Followed {
  static let even = Derived.filter(\Board.cards) { $0.title % 2 == 0 }
  static let found = Derived.filter(\Board.cards, with: \Board.query) { card, query in
    card.title >= query
  }
  static let byTitle = Derived.sorted(\Board.cards, by: \.title)
  static let foundByColumn = Derived.sorted(found) { $0.column < $1.column }
  static let columns = Derived.grouped(\Board.cards, by: \.column)
  static let foundColumns = Derived.grouped(foundByColumn) { $0.title % 4 }
  static let evenSorted = Derived.filter(byTitle) { $0.id % 2 == 0 }
  static let count = Derived.count(of: \Board.cards) { $0.column == 1 }
  static let foundCount = Derived.count(of: foundByColumn) { $0.column == 1 }
  static let total = Derived.reduced(
    found, 0, adding: { $0 += $1.title }, removing: { $0 -= $1.title })
  static let largest = Derived(foundColumns) { groups in groups.map(\.rows.count).max() ?? 0 }
}

/// Cells that might not equal themselves, and whose ids and columns might not.
private struct Sheet: Sendable {
  struct Cell: Sendable, Equatable, Identifiable, CustomStringConvertible {
    var id: Double
    var column = 0.0
    var title = 0

    var description: String { "\(id)/\(column)/\(title)" }
  }

  /// Edits the cells by a function.
  struct Edit: Action {
    let body: @Sendable (inout Entities<Cell>) -> Void
  }

  struct Bound: Action { let bound: Double }

  var cells: Entities<Cell> = [Cell(id: .nan)]
  var bound = 1.0

  static let filtered = Derived.filter(\Sheet.cells, with: \Sheet.bound) { cell, bound in
    !(cell.column < bound)
  }
  static let byTitle = Derived.sorted(\Sheet.cells, by: \.title)
  static let columns = Derived.grouped(\Sheet.cells, by: \.column)
  static let groups = Derived.grouped(filtered) { $0.id }
  static let count = Derived.count(of: byTitle) { $0.title == 1 }

  static func makeStore() throws -> Store<Sheet> {
    try Store(initialState: Sheet()) {
      Mutator(\.cells) { (cells: inout Entities<Cell>, edit: Edit) in edit.body(&cells) }
      Mutator(\.bound) { (bound: inout Double, action: Bound) in bound = action.bound }
    }
  }

  /// A random edit of the cells; one number in three is none.
  static func edit(using generator: inout SeededGenerator) -> any Action {
    func number(_ range: Range<Int>) -> Double {
      Int.random(in: 0..<3, using: &generator) == 0
        ? .nan : Double(Int.random(in: range, using: &generator))
    }
    let (first, second) = (
      Int.random(in: 0..<1_000, using: &generator), Int.random(in: 0..<1_000, using: &generator)
    )
    let (id, column) = (number(0..<1_000), number(0..<3))
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return Edit { $0.modify(at: first % $0.count) { $0.id = id } }
    case 1: return Edit { $0.modify(at: first % $0.count) { $0.column = column } }
    case 2: return Edit { $0.modify(at: first % $0.count) { $0.title = second % 3 } }
    case 3: return Edit { if $0.count > 20 { $0.remove(at: first % $0.count) } }
    case 4: return Edit { $0.move(from: first % $0.count, to: second % $0.count) }
    case 5: return Bound(bound: column)
    default:
      let cell = Cell(id: id, column: column, title: second % 3)
      return Edit { $0.insert(cell, at: first % ($0.count + 1)) }
    }
  }
}

@Suite("Derived values that follow rows equal the plain function", .timeLimit(.minutes(30)))
struct DerivedRowsTests {
  private typealias Card = Board.Card

  private func plainGroups(_ cards: [Card], by key: (Card) -> Int) -> [[Card]] {
    var keys: [Int] = []
    for card in cards where !keys.contains(key(card)) { keys.append(key(card)) }
    return keys.map { value in cards.filter { key($0) == value } }
  }

  private func check(_ store: Store<Board>, _ which: Int, _ place: Comment) {
    let state = store.state
    let cards = Array(state.cards)
    let found = cards.filter { $0.title >= state.query }
    let foundByColumn = found.sorted { $0.column < $1.column }
    switch which {
    case 0:
      #expect(Array(store[Followed.even]) == cards.filter { $0.title % 2 == 0 }, place)
      for card in store[Followed.even] { #expect(store[Followed.even][id: card.id] == card, place) }
    case 1: #expect(Array(store[Followed.found]) == found, place)
    case 2: #expect(Array(store[Followed.byTitle]) == cards.sorted { $0.title < $1.title }, place)
    case 3: #expect(Array(store[Followed.foundByColumn]) == foundByColumn, place)
    case 4:
      let groups = store[Followed.columns]
      #expect(groups.map { Array($0.rows) } == plainGroups(cards, by: \.column), place)
      for group in groups { #expect(group.rows.allSatisfy { $0.column == group.id }, place) }
    case 5:
      let groups = store[Followed.foundColumns].map { Array($0.rows) }
      #expect(groups == plainGroups(foundByColumn) { $0.title % 4 }, place)
    case 6:
      let sorted = cards.sorted { $0.title < $1.title }
      #expect(Array(store[Followed.evenSorted]) == sorted.filter { $0.id % 2 == 0 }, place)
    case 7: #expect(store[Followed.count] == cards.count { $0.column == 1 }, place)
    case 8: #expect(store[Followed.foundCount] == found.count { $0.column == 1 }, place)
    case 9: #expect(store[Followed.total] == found.reduce(0) { $0 + $1.title }, place)
    default:
      let groups = plainGroups(foundByColumn) { $0.title % 4 }
      #expect(store[Followed.largest] == groups.map(\.count).max() ?? 0, place)
    }
  }

  @Test(arguments: [0, 5, 33, 300], 0..<UInt64(2 * VerificationLength.factor))
  func `random edits and inputs, read at random moments`(_ count: Int, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(count))
    let store = try Board.store(count + 1)
    for step in 0..<60 {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        store.dispatch(Board.Ask(query: Int.random(in: 0..<10, using: &generator)))
      } else if Int.random(in: 0..<40, using: &generator) == 0 {
        store.replaceState(try Board.store(20).state)
      } else {
        store.dispatch(Board.edit(using: &generator))
      }
      for which in 0..<11 where Bool.random(using: &generator) {
        check(store, which, "\(count) cards, seed \(seed), step \(step), value \(which)")
      }
    }
    for which in 0..<11 { check(store, which, "\(count) cards, seed \(seed), at the end") }
  }

  @Test func `an edit of one row asks about that row alone, and an input about all`() throws {
    let calls = Mutex(0)
    let calledOf = { calls.withLock { calls in exchange(&calls) } }
    @Sendable func note() { calls.withLock { $0 += 1 } }
    func exchange(_ calls: inout Int) -> Int {
      defer { calls = 0 }
      return calls
    }
    let found = Derived.filter(\Board.cards, with: \Board.query) { card, query in
      note()
      return card.title >= query
    }
    let count = Derived.count(of: found) { card in
      note()
      return card.column == 1
    }
    let store = try Board.store(2_000)
    _ = store[count]
    #expect(calledOf() == 4_000)
    store.dispatch(Board.Edit { $0[id: 700]?.column = 1 })
    _ = store[count]
    #expect(calledOf() <= 3, "the row, as it is for the filter, and was and is for the count")
    store.dispatch(Board.Edit { $0.move(from: 0, to: 1_500) })
    _ = store[count]
    #expect(calledOf() <= 3)
    store.dispatch(Board.Ask(query: 5))
    _ = store[found]
    #expect(calledOf() == 2_000)
  }

  @Test func `a chain of a filter, an order, groups and counts passes the one row on`() throws {
    let calls = Mutex(0)
    @Sendable func note() { calls.withLock { $0 += 1 } }
    let found = Derived.filter(\Board.cards) { card in
      note()
      return card.title >= 0
    }
    let order = Derived.sorted(found) { first, second in
      note()
      return first.title < second.title
    }
    let groups = Derived.grouped(order) { card in
      note()
      return card.column
    }
    let count = Derived.count(of: groups) { group in
      note()
      return group.rows.count > 1
    }
    let store = try Board.store(2_000)
    let first = store[count]
    calls.withLock { $0 = 0 }
    store.dispatch(Board.Edit { $0[id: 700]?.title += 1 })
    #expect(store[count] == first)
    // Two searches in the order, of eleven comparisons each, and their neighbours; the row, and its group, as it was and is.
    #expect(calls.withLock { $0 } <= 40)
  }

  @Test func `an equal result is the same version, and no change for what derives from it`() throws
  {
    let runs = Mutex(0)
    let odd = Derived.filter(\Board.cards) { $0.title % 2 == 1 }
    let size = Derived(odd) { rows in
      runs.withLock { $0 += 1 }
      return rows.count
    }
    let warnings = Recorder<StoreWarning>()
    let cards = try Board.store(100).state.cards
    let store = try Store(initialState: Board(cards: cards), onWarning: { warnings.append($0) }) {
      Mutator(\.cards) { (cards: inout Entities<Card>, edit: Board.Edit) in edit.body(&cards) }
      Constant(\.query)
    }
    let heard = Recorder<Int>()
    let subscription = store.states(odd).subscribe { heard.append($0.count) }
    _ = store[size]
    for column in 0..<50 { store.dispatch(Board.Edit { $0[id: 0]?.column = column }) }
    #expect(store[size] == 50 && runs.withLock { $0 } == 1)
    #expect(heard.values == [50] && warnings.values.isEmpty)
    store.dispatch(Board.Edit { $0[id: 0]?.title = 1 })
    #expect(store[size] == 51 && heard.values == [50, 51])
    subscription.cancel()
  }

  @Test(arguments: 0..<UInt64(20 * VerificationLength.factor))
  func `rows, ids, keys and inputs that do not equal themselves`(_ seed: UInt64) throws {
    func groups(_ cells: [Sheet.Cell], by key: (Sheet.Cell) -> Double) -> [String] {
      var groups: [(key: Double, cells: [Sheet.Cell])] = []
      for cell in cells {
        if let index = groups.firstIndex(where: { $0.key == key(cell) }) {
          groups[index].cells.append(cell)
        } else {
          groups.append((key(cell), [cell]))
        }
      }
      return groups.map { "\($0.key): \($0.cells)" }
    }
    var generator = SeededGenerator(seed: seed)
    let store = try Sheet.makeStore()
    for step in 0..<120 {
      store.dispatch(Sheet.edit(using: &generator))
      // Several commits are followed at once, and one that was read with the same input as before.
      if step % 3 == 1 { continue }
      let (cells, bound) = (Array(store.cells), store.bound)
      let filtered = cells.filter { !($0.column < bound) }
      let sorted = cells.sorted { $0.title < $1.title }
      let place: Comment = "seed \(seed), step \(step)"
      #expect("\(store[Sheet.filtered])" == "\(filtered)", place)
      #expect("\(store[Sheet.byTitle])" == "\(sorted)", place)
      #expect(
        store[Sheet.columns].map { "\($0.id): \($0.rows)" } == groups(cells) { $0.column }, place)
      #expect(
        store[Sheet.groups].map { "\($0.id): \($0.rows)" } == groups(filtered) { $0.id }, place)
      #expect(store[Sheet.count] == cells.count { $0.title == 1 }, place)
    }
  }

  @Test func `it is lifted, scoped and computed without a store as others are`() throws {
    struct App: Sendable { var board = Board() }
    let state = try Board.store(30).state
    #expect(Followed.foundCount.value(in: state) == 10)
    let lifted = Followed.columns.lifted(\App.board)
    #expect(lifted.value(in: App(board: state)).map(\.rows.count) == [10, 10, 10])
    #expect(state.cards.grouped { $0.column } == Followed.columns.value(in: state))
  }
}
