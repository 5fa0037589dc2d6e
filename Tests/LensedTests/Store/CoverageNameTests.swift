import Lensed
import LensedTestSupport
import Testing

@Suite("Coverage: every name that Swift allows")
struct CoverageNameTests {
  private func missing<State: Sendable>(
    in state: State, @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) -> [String] {
    do {
      _ = try Store(initialState: state, parts: parts)
      return []
    } catch {
      return error.faults.map { fault in
        if case .noReducer(let property) = fault { property } else { "\(fault)" }
      }
    }
  }

  private struct Neighbours: Sendable {
    var x = 0
    var _x = 0
    var __x = 0
  }

  @Test func `a name with an underscore does not pass for its neighbour`() {
    #expect(missing(in: Neighbours()) { Constant(\.x) } == ["_x", "__x"])
    #expect(missing(in: Neighbours()) { Constant(\._x) } == ["x", "__x"])
    #expect(missing(in: Neighbours()) { Constant(\.__x) } == ["x", "_x"])
    #expect(
      missing(in: Neighbours()) {
        Constant(\.x)
        Constant(\._x)
        Constant(\.__x)
      } == [])
  }

  @propertyWrapper private struct Plain: Sendable { var wrappedValue = 0 }

  private struct Wrapped: Sendable {
    @Plain var x
    lazy var late = 5
    var _late = 0
  }

  @Test func `a wrapped property still goes by its name, and a lazy one has no neighbour`() {
    #expect(
      missing(in: Wrapped()) {
        Constant(Lens(name: "x", \.x))
      } == ["late", "_late"])
    #expect(
      missing(in: Wrapped()) {
        Constant(Lens(name: "x", \.x))
        Constant(Lens<Wrapped, Int>(name: "late", get: { _ in 0 }, set: { root, _ in root }))
      } == ["_late"])
  }

  private struct Raw: Sendable {
    struct Inner: Sendable { var b = 0 }
    var `a b` = 0
    var `a.b` = 0
    var a = Inner()
    var `1st?` = 0
    var `class` = 0
    var überschrift = 0
  }

  @Test func `a raw identifier is a name as any other`() {
    #expect(
      missing(in: Raw()) {
        Constant(\.`a b`)
        Constant(\.`a.b`)
        Constant(\.a.b)
        Constant(\.`1st?`)
        Constant(\.`class`)
        Constant(\.überschrift)
      } == [])
    #expect(
      missing(in: Raw()) { Constant(\.a.b) }
        == ["`a b`", "`a.b`", "`1st?`", "class", "überschrift"])
    #expect(
      missing(in: Raw()) {
        Constant(Lens(name: "a b", \.`a b`))
        Constant(Lens(name: "`a.b`", \.`a.b`))
        Constant(\.a)
        Constant(\.`1st?`)
        Constant(\.`class`)
        Constant(\.überschrift)
      } == [])
  }

  private struct Pairs: Sendable {
    var plain = (1, 2)
    var named = (left: 1, right: (2, 3))
  }

  @Test func `a tuple is covered by its elements`() {
    #expect(
      missing(in: Pairs()) {
        Constant(\.plain.0)
        Constant(\.plain.1)
        Constant(\.named.left)
        Constant(\.named.right.0)
        Constant(\.named.right.1)
      } == [])
    #expect(
      missing(in: Pairs()) {
        Constant(\.plain.0)
        Constant(\.named.right.1)
      } == ["plain.1", "named.left", "named.right.0"])
    #expect(
      missing(in: Pairs()) {
        Constant(\.plain)
        Constant(\.named.0)
        Constant(Lens(name: "named.right", \.named.right))
      } == [])
  }

  @Test func `a tuple can be the state`() throws {
    let store = try Store(initialState: (1, "a")) {
      Mutator(\(Int, String).0) { (number: inout Int, _: ClearAction) in number = 0 }
      Constant(\(Int, String).1)
    }
    store.dispatch(ClearAction())
    #expect(store.state == (0, "a"))
    #expect(missing(in: (1, "a")) { Constant(\(Int, String).0) } == ["1"])
  }

  private struct Selves: Sendable {
    var `self` = 1
    var other = 2
  }

  @Test func `a property that is called self is a property, and not all of the state`() {
    #expect(missing(in: Selves()) { Constant(\.`self`) } == ["other"])
    #expect(missing(in: Selves()) { Constant(\.other) } == ["self"])
    #expect(missing(in: Selves()) { Constant(Lens<Selves, Selves>.identity) } == [])
  }

  private struct Marker: Sendable {}

  private struct Marked: Sendable {
    var marker = Marker()
    var first = 1
    var second = Wrapped()
  }

  @Test func `two owners of a property do not pass because they call it by different names`() {
    let named = Lens<Marked, Int>(
      name: "first", get: { $0.first },
      set: { root, first in
        var root = root
        root.first = first
        return root
      })
    let wrapped = [
      Lens<Marked, Int>(name: "second.x", \.second.x),
      Lens<Marked, Int>(name: "second._x", \.second.x),
    ]
    func faults(@StoreBuilder<Marked> _ parts: () -> [StorePart<Marked>]) -> [String] {
      missing(in: Marked(), parts).filter { $0.contains("claimed once more") }
    }
    let first = faults {
      Constant(\.first)
      Constant(named)
    }
    #expect(first.count == 1 && first.allSatisfy { $0.hasPrefix("`first` is") })
    let second = faults {
      Constant(wrapped[0])
      Constant(wrapped[1])
    }
    #expect(second.count == 1 && second.allSatisfy { $0.hasPrefix("`second._x` is") })
    #expect(
      faults {
        Constant(named)
        Constant(wrapped[0])
        Constant(\.second._late)
      } == [])
  }

  private struct Haunted: Sendable {
    var marker = Marker()
    var first = 1
    var second = 2
  }

  @Test func `a property without a size is no name of the one behind it`() {
    let marker = Lens<Haunted, Marker>(
      name: "marker", get: { $0.marker }, set: { root, _ in root })
    let named = Lens<Haunted, Int>(name: "first", \.first)
    let unseen = Lens<Haunted, Int>(
      name: "first", get: { $0.first },
      set: { root, first in
        var root = root
        root.first = first
        return root
      })
    for first in [named, unseen] {
      #expect(
        missing(in: Haunted()) {
          Mutator(lens: marker) { (_: inout Marker, _: ClearAction) in }
          Mutator(lens: first) { (first: inout Int, _: ClearAction) in first = 0 }
          Constant(\.second)
        } == [])
    }
    #expect(
      missing(in: Haunted()) {
        Constant(marker)
        Constant(\.second)
      } == ["first"])
    #expect(
      missing(in: Haunted()) {
        Constant(\.first)
        Constant(\.second)
      } == [])
  }
}
