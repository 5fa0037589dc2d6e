import Lensed
import Testing

@Suite("Lens: edited in place")
struct LensPlaceTests {
  private static let many = Array(0..<1000)

  private static let inPlace: [BuiltLens<Terrain, [Int]>] = [
    BuiltLens("one key path", Lens(\.stored.stored)),
    BuiltLens("stored + stored", Lens(\Terrain.stored).appending(Lens(\.stored))),
    BuiltLens("stored + path", Lens(\Terrain.stored).appending(path: \.stored)),
    BuiltLens(
      "identity + stored", Lens<Terrain, Terrain>.identity.appending(path: \.stored.stored)),
    BuiltLens("stored + modify", Lens(\Terrain.stored).appending(Self.byHand)),
    BuiltLens("modify + stored", Self.toValley.appending(path: \.stored)),
    BuiltLens("modify + modify", Self.toValley.appending(Self.byHand)),
    BuiltLens("named stored", Lens(name: "stored.stored", \.stored.stored)),
  ]

  private static let byHand = Lens<Valley, [Int]>(
    name: "stored", get: { $0.stored }, modify: { valley, edit in edit(&valley.stored) })
  private static let toValley = Lens<Terrain, Valley>(
    name: "stored", get: { $0.stored }, modify: { terrain, edit in edit(&terrain.stored) })

  @Test(arguments: Self.inPlace)
  private func `stored key paths and modify: lenses do not copy`(
    _ built: BuiltLens<Terrain, [Int]>
  ) {
    var terrain = Terrain()
    terrain.stored.stored = Self.many.map { $0 }
    let before = terrain.stored.stored.address
    for round in 1...3 {
      built.lens.modify(&terrain) { $0[7] += round }
    }
    #expect(terrain.stored.stored.address == before, "\(built)")
    #expect(terrain.stored.stored[7] == 13, "\(built)")
  }

  @Test func `a modify: lens reaches an element of a collection in place`() {
    let lens = Lens<Valley, [Int]>(
      name: "cells", get: { $0.cells[1] }, modify: { valley, edit in edit(&valley.cells[1]) })
    var valley = Valley()
    valley.cells[1] = Self.many.map { $0 }
    let before = valley.cells[1].address
    lens.modify(&valley) { $0[0] = -1 }
    #expect(valley.cells[1].address == before)
    #expect(valley.cells[1][0] == -1)
  }

  @Test(arguments: Self.inPlace)
  private func `set leaves the root that it was given alone`(_ built: BuiltLens<Terrain, [Int]>) {
    var terrain = Terrain()
    terrain.stored.stored = Self.many.map { $0 }
    let before = terrain.stored.stored.address
    let next = built.lens.set(terrain, [1])
    #expect(terrain.stored.stored.address == before)
    #expect(terrain.stored.stored == Self.many)
    #expect(built.lens.get(next) == [1])
  }

  @Test func `a part that somebody else holds is copied, and theirs stays as it was`() {
    var terrain = Terrain()
    terrain.stored.stored = Self.many.map { $0 }
    let snapshot = terrain
    Lens(\Terrain.stored.stored).modify(&terrain) { $0[0] = -1 }
    #expect(snapshot.stored.stored == Self.many)
    #expect(terrain.stored.stored[0] == -1)
    #expect(terrain.stored.stored.address != snapshot.stored.stored.address)
  }

  @Test func `get shares the storage of a collection`() {
    var terrain = Terrain()
    terrain.stored.stored = Self.many.map { $0 }
    for built in Self.inPlace {
      let part = built.lens.get(terrain)
      #expect(part.address == terrain.stored.stored.address, "\(built)")
    }
  }
}
