import Lensed
import Testing

private protocol Shape: Sendable {}
private struct Circle: Shape { var size = 1 }
private struct Square: Shape { var size = 1 }

private struct Plain: Sendable, Equatable { var number: Int }
private struct Opaque: Sendable { var number: Int }
private struct Described: Sendable, CustomStringConvertible {
  var number: Int
  var description: String { "a row" }
}

private enum Cover<Value: Sendable>: Sendable { case none, some(Value) }
private struct Layer: Sendable { var inner: any Sendable }
private struct Pair<Value: Sendable>: Sendable { var pair: (Int, Value) }

/// One value in each kind of container, made anew.
private func containers<Value: Sendable>(
  of value: Value, among other: Value, capacity: Int = 20
) -> [(name: String, whole: any Sendable)] {
  func table(_ count: Int) -> [Int: Value] {
    var table: [Int: Value] = [:]
    // Another capacity, and so another order.
    table.reserveCapacity(capacity)
    for key in 0..<count { table[key] = key == 1 ? value : other }
    return table
  }
  func list(_ count: Int) -> [Value] { (0..<count).map { $0 == count - 2 ? value : other } }
  return [
    ("itself", value), ("tuple", Pair(pair: (1, value))), ("optional", Optional(value)),
    ("optional in an optional", Optional(Optional(value))), ("payload", Cover.some(value)),
    ("short array", list(2)), ("long array", list(20)), ("array of arrays", [list(2), list(2)]),
    ("short dictionary", table(3)), ("long dictionary", table(20)),
    ("array that grew", list(3)),
  ]
}

@Suite("A difference is found", .timeLimit(.minutes(30)))
struct DifferenceInShapesTests {
  private func differ(_ old: any Sendable, _ new: any Sendable, below depth: Int) -> Bool {
    func layered(_ value: any Sendable) -> any Sendable {
      (0..<depth).reduce(value) { inner, _ in Layer(inner: inner) }
    }
    return !StateDifference.entries(from: layered(old), to: layered(new), limit: 20).isEmpty
  }

  private func expectFound<Value: Sendable>(_ old: Value, _ new: Value, below depth: Int) {
    let before = containers(of: old, among: old)
    let after = containers(of: new, among: old)
    for (index, (name, whole)) in before.enumerated() {
      #expect(differ(whole, after[index].whole, below: depth), "\(Value.self) in \(name)")
      let again = containers(of: old, among: old, capacity: 1_000)[index].whole
      #expect(!differ(whole, again, below: depth), "\(Value.self) in \(name), made anew")
    }
  }

  @Test(arguments: 0...12)
  func `in every container, at every depth, and nothing where all is alike`(
    depth: Int
  ) {
    expectFound(Plain(number: 1), Plain(number: 2), below: depth)
    expectFound(Opaque(number: 1), Opaque(number: 2), below: depth)
    expectFound(Described(number: 1), Described(number: 2), below: depth)
    expectFound(Circle() as any Shape, Square() as any Shape, below: depth)
    expectFound(1 as any Sendable, Int8(1) as any Sendable, below: depth)
    expectFound("a" as any Sendable, Substring("a") as any Sendable, below: depth)
  }

  @Test func `in an element of a list that grew, also where elements print alike`() {
    let old = Array(repeating: Described(number: 1), count: 20)
    let new = [Described(number: 2)] + old.dropFirst() + [Described(number: 4)]
    let changed = [Described(number: 3)] + old.dropFirst() + [Described(number: 4)]
    let entries = StateDifference.entries(from: new, to: changed, limit: 20)
    #expect(entries.map(\.place) == ["[0].number"])
    let grown = StateDifference.entries(from: old, to: changed, limit: 20) { _ in true }
    #expect(grown.map(\.place) == ["", "[0].number", "[20]"])
  }

  @Test func `and shown with its type, where only that differs`() {
    let (old, new): (any Sendable, any Sendable) = (1, Int8(1))
    let lines = StateDifference.entries(from: Layer(inner: old), to: Layer(inner: new), limit: 20)
      .map(\.line)
    #expect(lines == ["inner: 1 as Int → 1 as Int8"])
  }

  @Test func `and named as a key path names it`() {
    struct Fields: Sendable {
      var pair = (1, 2)
      var named = (x: 1, y: 2)
      var `raw name` = 1
      var `default` = 1
    }
    let new = Fields(pair: (1, 3), named: (x: 1, y: 3), `raw name`: 2, default: 2)
    let entries = StateDifference.entries(from: Fields(), to: new, limit: 20)
    let paths: [any AnyKeyPath & Sendable] = [
      \Fields.pair.1, \Fields.named.y, \Fields.`raw name`, \Fields.default,
    ]
    #expect(entries.map(\.path) == paths.map { propertyNames(of: $0) })
    #expect(entries.map(\.place) == ["pair.1", "named.y", "`raw name`", "default"])
  }
}
