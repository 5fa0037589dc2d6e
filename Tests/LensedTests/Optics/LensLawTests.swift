import Lensed
import LensedTestSupport
import Testing

@Suite("Lens laws")
struct LensLawTests {
  @Test(arguments: Valley.lenses)
  func `they hold for each way to build a lens`(_ built: BuiltLens<Valley, [Int]>) {
    expectLaws(of: built, root: Valley.random, value: [Int].random)
  }

  @Test(arguments: Terrain.lenses)
  func `they hold for each way to reach a struct`(_ built: BuiltLens<Terrain, Valley>) {
    expectLaws(of: built, root: Terrain.random, value: Valley.random)
  }

  @Test(arguments: Terrain.appendedLenses)
  func `they hold for every lens appended to every other`(_ built: BuiltLens<Terrain, [Int]>) {
    expectLaws(of: built, root: Terrain.random, value: [Int].random)
  }

  @Test(arguments: Terrain.lenses)
  func `they hold for a lens with a key path appended`(_ built: BuiltLens<Terrain, Valley>) {
    let lens = built.lens.appending(path: \.stored)
    expectLaws(
      of: BuiltLens("\(built.way) + path", lens), root: Terrain.random, value: [Int].random)
  }

  @Test func `they hold for one nested key path`() {
    let lens = Lens(\Terrain.stored.wrapped)
    expectLaws(of: BuiltLens("nested", lens), root: Terrain.random, value: [Int].random)
  }

  @Test func `they hold for the identity, alone and appended on either side`() {
    let lenses: [BuiltLens<Valley, Valley>] = [
      BuiltLens("identity", .identity),
      BuiltLens("self", Lens(\.self)),
      BuiltLens("identity + identity", Lens.identity.appending(.identity)),
    ]
    for built in lenses { expectLaws(of: built, root: Valley.random, value: Valley.random) }
    for built in Valley.lenses {
      let before = BuiltLens("identity + \(built)", Lens.identity.appending(built.lens))
      let after = BuiltLens("\(built) + identity", built.lens.appending(.identity))
      expectLaws(of: before, root: Valley.random, value: [Int].random)
      expectLaws(of: after, root: Valley.random, value: [Int].random)
    }
  }

  @Test func `appending is associative`() {
    for seed: UInt64 in 0..<20 {
      var generator = SeededGenerator(seed: seed)
      let (terrain, part) = (Terrain.random(using: &generator), [Int].random(using: &generator))
      for outer in Terrain.lenses {
        for inner in Valley.lenses {
          let (left, right) = (
            Lens<Terrain, Terrain>.identity.appending(outer.lens).appending(inner.lens),
            Lens<Terrain, Terrain>.identity.appending(outer.lens.appending(inner.lens))
          )
          let ways = "\(outer) + \(inner), seed \(seed)"
          #expect(left.get(terrain) == right.get(terrain), "\(ways)")
          #expect(left.set(terrain, part) == right.set(terrain, part), "\(ways)")
        }
      }
    }
  }

  @Test func `a checker that cannot fail is none: unlawful lenses are found out`() {
    let forgetful = Lens<Valley, [Int]>(get: { $0.stored }, set: { valley, _ in valley })
    let greedy = Lens<Valley, [Int]>(
      name: "stored", get: { $0.stored },
      modify: { valley, edit in
        edit(&valley.stored)
        valley.depth &+= 1
      })
    var generator = SeededGenerator(seed: 1)
    let root = Valley.random(using: &generator)
    #expect(broken(forgetful, root, [1], [2]).contains("what was set is what is read"))
    #expect(broken(greedy, root, [1], [2]).contains("setting what was read changes nothing"))
    #expect(broken(greedy, root, [1], [2]).contains("the last of two sets wins"))
  }

  private func expectLaws<Root: Equatable, Value: Equatable>(
    of built: BuiltLens<Root, Value>,
    root: (inout SeededGenerator) -> Root, value: (inout SeededGenerator) -> Value,
    at location: SourceLocation = #_sourceLocation
  ) {
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      let state = root(&generator)
      let (first, second) = (value(&generator), value(&generator))
      let laws = broken(built.lens, state, first, second)
      #expect(laws == [], "\(built), seed \(seed)", sourceLocation: location)
    }
  }

  private func broken<Root: Equatable, Value: Equatable>(
    _ lens: Lens<Root, Value>, _ root: Root, _ first: Value, _ second: Value
  ) -> [String] {
    var broken: [String] = []
    let original = root
    let once = lens.set(root, first)
    if lens.get(once) != first { broken.append("what was set is what is read") }
    if lens.set(root, lens.get(root)) != root {
      broken.append("setting what was read changes nothing")
    }
    if lens.set(once, second) != lens.set(root, second) {
      broken.append("the last of two sets wins")
    }
    var edited = root
    let seen = lens.modify(&edited) { part in
      defer { part = first }
      return part
    }
    if seen != lens.get(root) { broken.append("modify is given what get reads") }
    if edited != once { broken.append("modify writes what set writes") }
    lens.modify(&edited) { _ in }
    if edited != once { broken.append("a modify that does nothing changes nothing") }
    if root != original { broken.append("set and get leave the root alone") }
    return broken
  }
}
