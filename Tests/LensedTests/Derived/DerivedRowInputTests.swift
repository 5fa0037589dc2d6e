import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value of several rows", .timeLimit(.minutes(30)))
struct DerivedRowInputTests {
  struct Item: Sendable, Identifiable {
    let id: Int
    var count = 0
  }
  struct Shelf: Sendable {
    var first: Entities<Item> = [Item(id: 1), Item(id: 2), Item(id: 3)]
    var second: Entities<Item> = [Item(id: 1), Item(id: 2), Item(id: 3)]
  }
  enum Second {}
  struct Add: Action { let amount: Int }

  static func makeStore() throws -> Store<Shelf> {
    let add: Reducer<Entities<Item>> = Reducer { (item: inout Item, add: Add) in
      item.count += add.amount
    }.identified()
    return try Store(initialState: Shelf()) {
      Mutator(\Shelf.first, add)
      Mutator(\Shelf.second, add.tagged(Second.self))
    }
  }

  /// One row, by a number below six.
  static func path(_ number: Int) -> RowPath<Shelf, Entities<Item>> {
    RowPath(number < 3 ? \.first : \.second, id: number % 3 + 1)
  }

  static func count(_ number: Int, in shelf: Shelf) -> Int {
    let items = number < 3 ? shelf.first : shelf.second
    return items[id: number % 3 + 1]?.count ?? 0
  }

  static func add(_ amount: Int, to number: Int) -> any Action {
    let action = ElementAction(id: number % 3 + 1, action: Add(amount: amount))
    return number < 3 ? action : Tagged<Second, ElementAction<Int, Add>>(action)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `it is computed anew whichever of them is touched`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (store, heard) = (try Self.makeStore(), Recorder<Int>())
    let rows = (0..<4).map { _ in Int.random(in: 0..<6, using: &random) }
    let flat = Derived(
      Self.path(rows[0]), Self.path(rows[1]), Self.path(rows[2]), Self.path(rows[3])
    ) { ($0?.count ?? 0) + 2 * ($1?.count ?? 0) + 3 * ($2?.count ?? 0) + 4 * ($3?.count ?? 0) }
    let each = rows.map { Derived(Self.path($0)) { $0?.count ?? 0 } }
    let nested = Derived(Derived(each[0], each[1]) { $0 + 2 * $1 }, each[2], each[3]) {
      $0 + 3 * $1 + 4 * $2
    }
    let subscription = store.states(nested).subscribe { heard.append($0) }
    for step in 1...20 {
      store.dispatch(Self.add(step, to: Int.random(in: 0..<6, using: &random)))
      let expected = rows.enumerated().reduce(0) {
        $0 + ($1.offset + 1) * Self.count($1.element, in: store.state)
      }
      #expect(store[flat] == expected, "seed \(seed), step \(step)")
      #expect(store[nested] == expected, "seed \(seed), step \(step)")
      #expect(heard.last == expected, "seed \(seed), step \(step)")
    }
    subscription.cancel()
  }
}
