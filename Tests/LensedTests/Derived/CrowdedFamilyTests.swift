import Lensed
import LensedTestSupport
import Testing

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
