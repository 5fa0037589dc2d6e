import Lensed
import LensedTestSupport
import Testing

@Suite("A service comes once to elements with one identity", .timeLimit(.minutes(30)))
struct DoubledServiceTests {
  struct Item: Sendable, Equatable, Identifiable { let id: Int }
  struct Box: Sendable, Equatable, Identifiable {
    let id: Int
    var items: [Item] = []
  }
  struct App: Sendable, Equatable {
    var items: [Item] = []
    var boxes: [Box] = []

    /// The identities along the way to each child; of boxes with one identity, the first one counts.
    var ids: Set<[Int]> {
      var ids = Set(items.map { [$0.id] })
      for box in boxes where boxes.first(where: { $0.id == box.id }) == box {
        ids.formUnion(box.items.map { [box.id, $0.id] })
      }
      return ids
    }

    static func random(_ random: inout SeededGenerator) -> App {
      func items() -> [Item] {
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          Item(id: .random(in: 0..<3, using: &random))
        }
      }
      let boxes = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        Box(id: .random(in: 0..<2, using: &random), items: items())
      }
      return App(items: items(), boxes: boxes)
    }
  }
  private struct Put: Action { let app: App }
  private struct Touch: Action {}

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it leaves those that it came to, whatever the lists are`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (come, left) = (Counter(), Counter())
    let service = Feature<Item>(
      "s", onInstall: { _ in come.increment() }, onRemove: { left.increment() }
    ) {
      Effect(on: Touch.self) { _, _ in }
    }
    let box: Feature<Box> = service.identified().lifted(\.items)
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.self) { (app: inout App, put: Put) in app = put.app }
      service.identified().lifted(\.items)
      box.identified().lifted(\.boxes)
    }
    var (present, expected): (Set<[Int]>, [Int]) = ([], [0, 0])
    for step in 0...30 {
      let app = step == 30 ? App() : App.random(&random)
      expected[0] += app.ids.subtracting(present).count
      expected[1] += present.subtracting(app.ids).count
      present = app.ids
      store.dispatch(Put(app: app))
      #expect([come.value, left.value] == expected, "step \(step)")
    }
  }
}
