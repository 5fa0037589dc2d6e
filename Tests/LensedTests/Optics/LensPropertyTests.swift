import Lensed
import LensedTestSupport
import Testing

/// An object that a state may refer to.
private final class Landmark: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

/// Properties of unusual types.
private struct Atlas: Sendable {
  var transform: @Sendable (Int) -> Int = { $0 }
  var fallback: (@Sendable (Int) -> Int)?
  weak var landmark: Landmark?
  var kind: any Action.Type = StrayAction.self
  var pair = (left: 1, right: "a")
  var nothing: Void = ()
  var inner: Inner = Inner()

  struct Inner: Sendable {
    var optional: Int? = 3
    var transform: @Sendable (String) -> String = { $0 }
  }
}

@Suite("Lens: properties of unusual kinds")
struct LensPropertyTests {
  @Test func `a function`() {
    var atlas = Atlas()
    let lens = Lens(name: "transform", \Atlas.transform)
    #expect(lens.get(atlas)(4) == 4)
    lens.modify(&atlas) { transform in
      let before = transform
      transform = { before($0) + 1 }
    }
    #expect(atlas.transform(4) == 5)
    #expect(lens.get(atlas)(4) == 5)
    #expect(lens.set(atlas) { $0 * 10 }.transform(4) == 40)
  }

  @Test func `a function inside a struct, and an optional one`() {
    var atlas = Atlas()
    let nested = Lens(\Atlas.inner).appending(Lens(name: "transform", \.transform))
    nested.modify(&atlas) { $0 = { $0 + "!" } }
    #expect(atlas.inner.transform("a") == "a!")
    let optional = Lens(\Atlas.fallback)
    #expect(optional.get(atlas) == nil)
    optional.modify(&atlas) { $0 = { $0 - 1 } }
    #expect(atlas.fallback?(4) == 3)
    #expect(optional.get(atlas)?(4) == 3)
  }

  @Test func `a weak reference`() {
    var atlas = Atlas()
    let keeper = Landmark("here")
    let lens = Lens(name: "landmark", \Atlas.landmark)
    #expect(lens.get(atlas) == nil)
    lens.modify(&atlas) { $0 = keeper }
    #expect(atlas.landmark === keeper)
    #expect(lens.get(atlas) === keeper)
    #expect(lens.set(atlas, nil).landmark == nil)
    let object = { Landmark("brief") }()
    lens.modify(&atlas) { $0 = object }
    #expect(lens.get(atlas)?.name == "brief")
  }

  @Test func `a metatype, a tuple and its element`() {
    var atlas = Atlas()
    Lens(\Atlas.kind).modify(&atlas) { $0 = ClearAction.self }
    #expect(ObjectIdentifier(atlas.kind) == ObjectIdentifier(ClearAction.self))
    #expect(Lens(\Atlas.kind).get(atlas) is ClearAction.Type)
    Lens(\Atlas.pair.right).modify(&atlas) { $0 += "b" }
    Lens(\Atlas.pair).modify(&atlas) { $0.left += 1 }
    #expect(atlas.pair == (2, "ab"))
    #expect(Lens(\Atlas.pair.right).get(atlas) == "ab")
  }

  @Test func `a property of no size`() {
    var atlas = Atlas()
    Lens(\Atlas.nothing).modify(&atlas) { $0 = () }
    #expect(Lens(\Atlas.nothing).get(atlas) == ())
    #expect(atlas.pair == (1, "a"))
  }
}
