import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Watches of values in a feature are the same wherever it is lifted", .timeLimit(.minutes(30)))
struct LiftedWatchTests {
  private struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var isChosen = false
  }

  private struct Box: Sendable, Equatable, Identifiable {
    let id: Int
    var entities: Entities<Item> = [Item(id: 0, isChosen: true), Item(id: 1), Item(id: 2)]
    var identified = [Item(id: 0, isChosen: true), Item(id: 1), Item(id: 2)]
    var keyed = [0: Item(id: 0, isChosen: true), 1: Item(id: 1), 2: Item(id: 2)]
    var offset = [Item(id: 0, isChosen: true), Item(id: 1), Item(id: 2)]
  }

  private struct Shelf: Sendable, Equatable, Identifiable {
    let id: Int
    var boxes: Entities<Box> = [Box(id: 0), Box(id: 1)]
  }

  private struct Room: Sendable {
    var entities: Entities<Box> = [Box(id: 0), Box(id: 1)]
    var identified = [Box(id: 0), Box(id: 1)]
    var keyed = [0: Box(id: 0), 1: Box(id: 1)]
    var offset = [Box(id: 0), Box(id: 1)]
    var shelves: [Int: Shelf] = [0: Shelf(id: 0), 1: Shelf(id: 1)]
    var box = Box(id: 0)
  }

  /// Chooses one item, and no other: the mutators of the collections handle it.
  private struct Choose: Action {}
  /// The mutator of the item handles it.
  private struct Flip: Action {}
  /// The mutators of the collections and those of the items handle it.
  private struct ChooseAndFlip: Action {}

  private let log = Recorder<String>()

  private func item(_ name: String) -> Feature<Item> {
    Feature {
      Constant(\.id)
      Mutator(\.isChosen) { (isChosen: inout Bool, _: Flip) in isChosen.toggle() }
        .on(ChooseAndFlip.self) { isChosen, _ in isChosen.toggle() }
      Effect(whenChanged: \.isChosen, .serial) { isChosen, context in
        log.append("\(name) \(context.state.id) \(isChosen)")
      }
    }
  }

  private static func choosing<Items: MutableCollection & Sendable>(
    _ keyPath: any WritableKeyPath<Box, Items> & Sendable
  ) -> Mutator<Box, Items> where Items.Element == Item {
    Mutator(keyPath) { (items: inout Items, action: ElementAction<Int, Choose>) in
      for index in items.indices { items[index].isChosen = items[index].id == action.id }
    }
    .on(ElementAction<Int, ChooseAndFlip>.self) { items, action in
      for index in items.indices { items[index].isChosen = items[index].id == action.id }
    }
  }

  private var box: Feature<Box> {
    Feature {
      Constant(\.id)
      Self.choosing(\.identified)
      Self.choosing(\.offset)
      Mutator(\.entities) { (items: inout Entities<Item>, action: ElementAction<Int, Choose>) in
        for id in items.ids { items[id: id]?.isChosen = id == action.id }
      }
      .on(ElementAction<Int, ChooseAndFlip>.self) { items, action in
        for id in items.ids { items[id: id]?.isChosen = id == action.id }
      }
      Mutator(\.keyed) { (items: inout [Int: Item], action: ElementAction<Int, Choose>) in
        for id in items.keys { items[id]?.isChosen = id == action.id }
      }
      .on(ElementAction<Int, ChooseAndFlip>.self) { items, action in
        for id in items.keys { items[id]?.isChosen = id == action.id }
      }
      item("entities").identified().lifted(\.entities)
      item("identified").identified().lifted(\.identified)
      item("keyed").keyed().lifted(\.keyed)
      item("offset").offset().lifted(\.offset)
    }
  }

  private static func addressed(_ action: some Action, _ id: Int) -> any Action { action.row(id) }

  /// What the watches of a box report for each of some actions, with the box at some ids.
  private func calls(
    at ids: [Int], _ feature: (Feature<Box>) -> Feature<Room>
  ) async throws -> [[String]] {
    let store = try Store(initialState: Room(), coverage: .partial) { feature(box) }
    let actions: [any Action] = [
      Choose().row(1), Flip().row(2), Choose().row(1), ChooseAndFlip().row(0), Flip().row(1),
    ]
    var calls: [[String]] = []
    for action in actions {
      let former = log.values.count
      var outer = action
      for id in ids.reversed() { outer = Self.addressed(outer, id) }
      try await store.dispatch(outer).finish()
      calls.append(log.values[former...].sorted())
    }
    return calls
  }

  @Test func `alone, in a part, in each kind of collection, and in collections of collections`()
    async throws
  {
    let alone = try await calls(at: []) { $0.lifted(\.box) }
    // Of each collection, the one that was chosen and the one that is.
    #expect(alone[0].count == 8)
    #expect(try await calls(at: [1]) { $0.identified().lifted(\.entities) } == alone)
    #expect(try await calls(at: [1]) { $0.identified().lifted(\.identified) } == alone)
    #expect(try await calls(at: [1]) { $0.keyed().lifted(\.keyed) } == alone)
    #expect(try await calls(at: [1]) { $0.offset().lifted(\.offset) } == alone)
    let twice = try await calls(at: [1, 1]) { box in
      let shelf: Feature<Shelf> = box.identified().lifted(\.boxes)
      return shelf.keyed().lifted(\.shelves)
    }
    #expect(twice == alone)
  }
}
