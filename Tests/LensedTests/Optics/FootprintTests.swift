@testable import Lensed
import Testing

/// A state whose layout the footprints are compared with.
private struct Estate: Sendable {
  var house = House()
  var count: Int32 = 0
  var nothing: Void = ()
  var other: Void = ()
  @Fenced var wrapped = 0
  var observed = 0 {
    didSet { _ = oldValue }
  }

  var computed: Int {
    get { observed }
    set { observed = newValue }
  }

  struct House: Sendable {
    var rooms: [Int] = []
    var door = Door()
  }

  struct Door: Sendable {
    var color = ""
  }
}

@Suite("Footprint: what a lens covers, as far as it can be seen")
struct FootprintTests {
  @Test func `stored key paths show names and bytes`() {
    let rooms = Lens(\Estate.house.rooms).footprint
    let count = Lens(\Estate.count).footprint
    #expect(rooms.path == ["house", "rooms"])
    #expect(rooms.bytes == 0..<8)
    #expect(rooms.name == "house.rooms")
    #expect(count.path == ["count"])
    #expect(count.bytes?.count == 4)
    #expect(count.typeName == "Int32")
  }

  @Test func `appending joins the names and adds the bytes`() {
    let color = Lens(\Estate.house).appending(path: \.door).appending(path: \.color)
    #expect(color.footprint == Lens(\Estate.house.door.color).footprint)
    #expect(color.footprint.name == "house.door.color")
    let identity = Lens<Estate, Estate>.identity.appending(color)
    #expect(identity.footprint == color.footprint)
  }

  @Test func `computed, observed and wrapped properties show neither, until they are named`() {
    for lens in [Lens(\Estate.computed), Lens(\Estate.observed), Lens(\Estate.wrapped)] {
      #expect(lens.footprint.path == nil)
      #expect(lens.footprint.bytes == nil)
      #expect(lens.footprint.isUndecided)
      #expect(lens.footprint.name == "an unnamed lens to Int")
    }
    #expect(Lens(name: "observed", \Estate.observed).footprint.path == ["observed"])
    #expect(Lens(name: "house.door", \Estate.house.door).footprint.path == ["house", "door"])
  }

  @Test func `closures show a name where they have one`() {
    let unnamed = Lens<Estate, Int>(get: { $0.observed }, set: { estate, _ in estate })
    let named = Lens<Estate, Int>(
      name: "observed", get: { $0.observed }, set: { estate, _ in estate })
    let editing = Lens<Estate, Int>(
      name: "observed", get: { $0.observed }, modify: { estate, edit in edit(&estate.observed) })
    #expect(unnamed.footprint.isUndecided)
    #expect(named.footprint.path == ["observed"])
    #expect(editing.footprint.path == ["observed"])
  }

  @Test func `one unnamed step hides the name of the whole`() {
    let hidden = Lens<Estate, Estate.House>(get: { $0.house }, set: { estate, _ in estate })
    #expect(hidden.appending(path: \.rooms).footprint.isUndecided)
    let half = Lens(\Estate.house).appending(
      Lens<Estate.House, [Int]>(get: { $0.rooms }, set: { house, _ in house }))
    #expect(half.footprint.isUndecided)
    let named = Lens(\Estate.house).appending(
      Lens<Estate.House, [Int]>(name: "rooms", get: { $0.rooms }, set: { house, _ in house }))
    #expect(named.footprint.path == ["house", "rooms"])
  }

  @Test func `the identity is the whole`() {
    #expect(Lens<Estate, Estate>.identity.footprint.isWhole)
    #expect(Lens(\Estate.self).footprint.isWhole)
    #expect(Lens<Int, Int>.identity.footprint.name == "\\.self")
  }

  @Test func `a property of no size is empty`() {
    #expect(Lens(\Estate.nothing).footprint.isEmpty)
    #expect(!Lens(\Estate.count).footprint.isEmpty)
    #expect(!Lens(\Estate.computed).footprint.isEmpty)
  }

  @Test(arguments: [
    (Lens(\Estate.count).footprint, Lens(\Estate.count).footprint, Footprint.Overlap.same),
    (Lens(\Estate.house).footprint, Lens(\Estate.count).footprint, .none),
    (Lens(\Estate.house).footprint, Lens(\Estate.house.rooms).footprint, .partial),
    (Lens(\Estate.house.door).footprint, Lens(\Estate.house.door.color).footprint, .partial),
    (Lens(\Estate.house.door).footprint, Lens(\Estate.house.rooms).footprint, .none),
    (Lens(\Estate.self).footprint, Lens(\Estate.count).footprint, .partial),
    (Lens(\Estate.nothing).footprint, Lens(\Estate.other).footprint, .none),
    (Lens(\Estate.nothing).footprint, Lens(\Estate.self).footprint, .none),
    (Lens(name: "count", \Estate.computed).footprint, Lens(\Estate.count).footprint, .same),
    (Lens(name: "house", \Estate.computed).footprint, Lens(\Estate.house.door).footprint, .partial),
    (Lens(name: "observed", \Estate.observed).footprint, Lens(\Estate.count).footprint, .none),
    (Lens(name: "house2", \Estate.computed).footprint, Lens(\Estate.house).footprint, .none),
    (Lens(\Estate.computed).footprint, Lens(\Estate.count).footprint, .unknown),
    (Lens(\Estate.computed).footprint, Lens(\Estate.observed).footprint, .unknown),
    (Lens(name: "house", \Estate.house.rooms).footprint, Lens(\Estate.house).footprint, .partial),
  ])
  func `overlap is proved by bytes, else by names, and works both ways`(
    _ one: Footprint, _ other: Footprint, _ expected: Footprint.Overlap
  ) {
    #expect(one.overlap(with: other) == expected)
    #expect(other.overlap(with: one) == expected)
  }

  @Test func `a path to a part has the footprint of its lens`() {
    let lenses = [Lens(\Estate.house.rooms), Lens(name: "house.rooms", \Estate.house.rooms)]
    for lens in lenses {
      let footprint = PartPath(lens).footprint
      #expect(footprint == lens.footprint)
      #expect(footprint.resolved == lens.footprint)
      #expect(footprint.overlap(with: lens.footprint) == .same)
      #expect(!footprint.isWhole)
    }
    #expect(PartPath(Lens(\Estate.self)).footprint.isWhole)
    #expect(PartPath(\Estate.self).footprint.isWhole)
    let whole = PartPath(Lens<Estate, Estate>.identity)
    #expect(
      whole.appending(PartPath(Lens(\Estate.house))).footprint == Lens(\Estate.house).footprint)
  }

  @Test func `elements stand right behind their collection in a text`() {
    let rows = Way(named: "house.rows")
    #expect(rows.appending(.elements([AnyID(7), AnyID("x")])).text() == "house.rows[7][x]")
    #expect(rows.appending(.element(byOffset: true)).text([AnyID(7)]) == "house.rows[7]")
    #expect(rows.appending(Way(named: "name")).text() == "house.rows.name")
    #expect(Way.unnamed.appending(Way.unnamed).text() == "an unnamed part.…")
  }
}
