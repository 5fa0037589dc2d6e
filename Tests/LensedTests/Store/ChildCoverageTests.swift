import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A child without an owner for each property is found, whichever of the children it is",
  .timeLimit(.minutes(30)))
struct ChildCoverageTests {
  private struct Leaf: Sendable, Equatable {
    var title = ""
    var orphan = 0
  }

  /// One case of an enum, where an optional would do.
  private enum Page<Child: Sendable & Equatable>: Sendable, Equatable {
    case blank
    case shown(Child)

    static var prism: Prism<Page, Child> {
      Prism(Page.shown) { if case .shown(let child) = $0 { child } else { nil } }
    }
  }

  private struct Middle<Part: Sendable & Equatable>: Sendable, Equatable {
    var part: Part
    var number = 0
  }

  private struct App<Part: Sendable & Equatable>: Sendable {
    var part: Part
  }

  private enum LeafAction: Action { case rename(String) }
  private struct Touch: Action {}
  private struct Fill: Action {}

  private static let leaf = Feature<Leaf> {
    Mutator(\.title) { (title: inout String, action: LeafAction) in
      if case .rename(let new) = action { title = new }
    }
  }

  /// A way to hold children, and how to make it of some of them; nil where it does not hold so many.
  private struct Way<Child: Sendable & Equatable, Whole: Sendable & Equatable>: Sendable {
    let name: String
    let capacity: Int
    let lift: @Sendable (Feature<Child>) -> Feature<Whole>
    let make: @Sendable ([Child]) -> Whole
  }

  private static func optional<Child>(of child: Child.Type) -> Way<Child, Child?> {
    Way(name: "optional", capacity: 1, lift: { $0.optional() }, make: { $0.first })
  }

  private static func matching<Child>(of child: Child.Type) -> Way<Child, Page<Child>> {
    let prism = Page<Child>.prism
    return Way(
      name: "case", capacity: 1, lift: { $0.matching(prism) },
      make: { $0.first.map { .shown($0) } ?? .blank })
  }

  private static func offset<Child>(of child: Child.Type) -> Way<Child, [Child]> {
    Way(name: "array", capacity: 3, lift: { $0.offset() }, make: { $0 })
  }

  private static func keyed<Child>(of child: Child.Type) -> Way<Child, [Int: Child]> {
    Way(
      name: "dictionary", capacity: 3, lift: { $0.keyed() },
      make: { Dictionary(uniqueKeysWithValues: zip(0..., $0)) })
  }

  /// Tries every place in which the only leaf can be.
  private func check<Inner, Outer>(
    _ inner: Way<Leaf, Inner>, _ outer: Way<Middle<Inner>, Outer>
  ) {
    let middle = Feature<Middle<Inner>> {
      inner.lift(Self.leaf).lifted(\.part)
      Constant(\.number)
    }
    let app = outer.lift(middle).lifted(\App<Outer>.part)
    for place in 0..<outer.capacity {
      let middles = (0..<outer.capacity).map { index in
        Middle(part: inner.make(index == place ? [Leaf()] : []))
      }
      let state = App(part: outer.make(middles))
      let error = #expect(throws: RegistrationError.self) {
        _ = try Store(initialState: state) { app }
      }
      let faults = error?.faults.map { "\($0)" } ?? []
      let names = "\(inner.name) in \(outer.name), at \(place)"
      #expect(faults.count == 1, "\(names)")
      #expect(faults.first?.contains("orphan` has no reducer") == true, "\(names): \(faults)")
    }
  }

  private func checkAll<Inner>(_ inner: Way<Leaf, Inner>) {
    check(inner, Self.optional(of: Middle<Inner>.self))
    check(inner, Self.matching(of: Middle<Inner>.self))
    check(inner, Self.offset(of: Middle<Inner>.self))
    check(inner, Self.keyed(of: Middle<Inner>.self))
  }

  @Test func `in the initial state, of optionals, cases and collections in each other`() {
    checkAll(Self.optional(of: Leaf.self))
    checkAll(Self.matching(of: Leaf.self))
    checkAll(Self.offset(of: Leaf.self))
    checkAll(Self.keyed(of: Leaf.self))
  }

  private typealias Rows = App<[Middle<Leaf?>]>

  /// A store of three rows without a leaf, in which `Fill` gives one to a row.
  private static func makeStore() throws -> Store<Rows> {
    let row = Feature<Middle<Leaf?>> {
      leaf.optional().lifted(\.part)
      Mutator(\.part) { (part: inout Leaf?, _: Fill) in part = part == nil ? Leaf() : nil }
      Mutator(\.number) { (number: inout Int, _: Touch) in number += 1 }
    }
    return try Store(initialState: App(part: [Middle(part: nil), Middle(part: nil)])) {
      row.offset().lifted(\.part)
    }
  }

  private static func rename(_ row: Int) -> ElementAction<Int, LeafAction> {
    ElementAction(id: row, action: .rename("x"))
  }

  @Test func `when the first one is reduced, though other children were reduced before`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore()
      store.dispatch(ElementAction(id: 0, action: Touch()))
      store.dispatch(ElementAction(id: 1, action: Fill()))
      store.dispatch(Self.rename(1))
    }
    #expect(result.message.contains("`part[1].part.orphan` has no reducer"))
  }

  @Test func `when the first one stays, though one came and went before in one commit`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore()
      let fill = ElementAction(id: 1, action: Fill())
      store.dispatch([fill, Self.rename(1), fill] as [any Action])
      store.dispatch(fill)
      store.dispatch(Self.rename(1))
    }
    #expect(result.message.contains("`part[1].part.orphan` has no reducer"))
  }

  @Test func `a store whose children never come goes on`() throws {
    let store = try Self.makeStore()
    for row in [0, 1, 0, 1] { store.dispatch(ElementAction(id: row, action: Touch())) }
    #expect(store.part.map(\.number) == [2, 2])
  }
}
