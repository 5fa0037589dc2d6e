import LensedTestSupport
import Testing

@testable import Lensed

@Suite("A family that is asked in turn for more keys than it holds is reported")
struct CrowdedFamilyTests {
  private struct Scene {
    let warnings = Recorder<StoreWarning>()
    let store: Store<Desk>
    let family = DerivedFamily<Desk, Int, Int>(limit: 10) { key in
      Derived(\Desk.count) { (count: Int) in count + key }
    }

    init() throws {
      store = try Store(
        initialState: Desk(), onWarning: { [warnings] in warnings.append($0) }
      ) {
        Desk.countMutator
        Desk.titleMutator
        Desk.notesMutator
      }
    }

    func ask(_ keys: some Sequence<Int>, rounds: Int = 4) {
      for _ in 0..<rounds { for key in keys { _ = store[family[key]] } }
    }
  }

  @Test func `100 keys in turn for a limit of 10, once`() throws {
    let scene = try Scene()
    scene.ask(0..<100)
    #expect(scene.warnings.values.map(\.kind) == [.crowdedFamily])
    #expect(
      scene.warnings.last?.description.hasPrefix(
        "Lensed: a DerivedFamily that holds 10 keys was asked in turn for more, so the derived `Int` made at "
      )
        == true)
  }

  @Test func `also where each key is asked for several times at once`() throws {
    let scene = try Scene()
    scene.ask((0..<100).flatMap { [$0, $0] })
    #expect(scene.warnings.values.map(\.kind) == [.crowdedFamily])
  }

  @Test
  func
    `not as many as it holds, not each key once, not keys that stay beside others that come back`()
    throws
  {
    let scene = try Scene()
    scene.ask(0..<10)
    scene.ask(100..<1_000, rounds: 1)
    // Of each two asks, one is for a key that the family holds.
    scene.ask((0..<100).flatMap { [$0, $0 % 5] })
    #expect(scene.warnings.values.isEmpty)
  }
}

@Suite("A family of derived values holds those that were asked for last")
struct FamilyModelTests {
  @Test(arguments: 1...4, 0..<UInt64(4))
  func `as a list does, in which the last one asked for is moved to the front`(
    limit: Int, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let made = Recorder<Int>()
    let family = DerivedFamily<Desk, Int, Int>(limit: limit) { key in
      made.append(key)
      return Derived(\Desk.count) { $0 + key }
    }
    var (list, expected): ([Int], [Int]) = ([], [])
    for _ in 0..<200 {
      let key = Int.random(in: 0..<limit + 2, using: &random)
      _ = family[key]
      if let place = list.firstIndex(of: key) {
        list.remove(at: place)
      } else {
        expected.append(key)
      }
      list.insert(key, at: 0)
      if list.count > limit { list.removeLast() }
      #expect(family.count == list.count)
      #expect(made.values == expected)
    }
  }

  @Test func `and gives one value to all who ask for a key at once`() async {
    let family = DerivedFamily<Desk, Int, Int>(limit: 100) { key in
      Derived(\Desk.count) { $0 + key }
    }
    let identities = await withTaskGroup(of: [MemoKey].self) { group in
      for _ in 0..<4 { group.addTask { (0..<100).map { family[$0].reference.key } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for other in identities.dropFirst() { #expect(other == identities[0]) }
  }
}
