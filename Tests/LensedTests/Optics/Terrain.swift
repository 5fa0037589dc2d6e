import Lensed
import LensedTestSupport

/// A wrapper, so that a property can be a wrapped one.
@propertyWrapper
struct Fenced<Value: Equatable & Sendable>: Equatable, Sendable {
  var wrappedValue: Value
}

/// The middle of the states that the lens tests look into: one property of each kind.
struct Valley: Equatable, Sendable {
  var depth: UInt8 = 0
  var stored: [Int] = []
  var backing: [Int] = []
  var observed: [Int] = [] {
    didSet { if oldValue != observed { _ = oldValue.count } }
  }
  @Fenced var wrapped: [Int] = []
  var cells: [[Int]] = [[], [], []]

  var computed: [Int] {
    get { backing.reversed() }
    set { backing = newValue.reversed() }
  }

  static func random(using generator: inout SeededGenerator) -> Valley {
    var valley = Valley()
    valley.depth = UInt8.random(in: .min ... .max, using: &generator)
    valley.stored = .random(using: &generator)
    valley.backing = .random(using: &generator)
    valley.observed = .random(using: &generator)
    valley.wrapped = .random(using: &generator)
    valley.cells = (0..<3).map { _ in .random(using: &generator) }
    return valley
  }
}

/// The root of those states: a valley behind each kind of property.
struct Terrain: Equatable, Sendable {
  var height = 0
  var stored = Valley()
  var name = ""
  var backing = Valley()
  var observed = Valley() {
    didSet { if oldValue != observed { _ = oldValue.depth } }
  }
  @Fenced var wrapped = Valley()
  var cells = [Valley(), Valley()]

  var computed: Valley {
    get { backing }
    set { backing = newValue }
  }

  static func random(using generator: inout SeededGenerator) -> Terrain {
    var terrain = Terrain()
    terrain.height = Int.random(in: -9...9, using: &generator)
    terrain.stored = .random(using: &generator)
    terrain.name = "\(UInt8.random(in: .min ... .max, using: &generator))"
    terrain.backing = .random(using: &generator)
    terrain.observed = .random(using: &generator)
    terrain.wrapped = .random(using: &generator)
    terrain.cells = [.random(using: &generator), .random(using: &generator)]
    return terrain
  }
}

extension [Int] {
  static func random(using generator: inout SeededGenerator) -> [Int] {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      Int.random(in: 0...99, using: &generator)
    }
  }
}

/// A lens with the way it was built, for the arguments and the messages of tests.
struct BuiltLens<Root, Value>: Sendable, CustomStringConvertible {
  let way: String
  let lens: Lens<Root, Value>

  var description: String { way }

  init(_ way: String, _ lens: Lens<Root, Value>) {
    (self.way, self.lens) = (way, lens)
  }

  func appending<Leaf>(_ next: BuiltLens<Value, Leaf>) -> BuiltLens<Root, Leaf> {
    BuiltLens<Root, Leaf>("\(way) + \(next.way)", lens.appending(next.lens))
  }
}

extension Valley {
  /// Each way to build a lens, from a valley to an array.
  static let lenses: [BuiltLens<Valley, [Int]>] = [
    BuiltLens("stored", Lens(\.stored)),
    BuiltLens("computed", Lens(\.computed)),
    BuiltLens("observed", Lens(\.observed)),
    BuiltLens("named observed", Lens(name: "observed", \.observed)),
    BuiltLens("wrapped", Lens(\.wrapped)),
    BuiltLens("named wrapped", Lens(name: "wrapped", \.wrapped)),
    BuiltLens("subscript", Lens(\.cells[1])),
    BuiltLens(
      "get and set",
      Lens(
        get: { $0.stored },
        set: { valley, part in
          var copy = valley
          copy.stored = part
          return copy
        })),
    BuiltLens(
      "named get and set",
      Lens(
        name: "backing", get: { $0.backing },
        set: { valley, part in
          var copy = valley
          copy.backing = part
          return copy
        })),
    BuiltLens(
      "get and modify",
      Lens(name: "cells", get: { $0.cells[2] }, modify: { valley, edit in edit(&valley.cells[2]) })),
  ]
}

extension Terrain {
  /// Each way to build a lens, from a terrain to a valley.
  static let lenses: [BuiltLens<Terrain, Valley>] = [
    BuiltLens("stored", Lens(\.stored)),
    BuiltLens("computed", Lens(\.computed)),
    BuiltLens("observed", Lens(name: "observed", \.observed)),
    BuiltLens("wrapped", Lens(name: "wrapped", \.wrapped)),
    BuiltLens("subscript", Lens(\.cells[0])),
    BuiltLens(
      "get and set",
      Lens(
        get: { $0.backing },
        set: { terrain, part in
          var copy = terrain
          copy.backing = part
          return copy
        })),
    BuiltLens(
      "get and modify",
      Lens(
        name: "stored", get: { $0.stored }, modify: { terrain, edit in edit(&terrain.stored) })),
  ]

  /// Every pair of ways, one appended to the other.
  static let appendedLenses: [BuiltLens<Terrain, [Int]>] = lenses.flatMap { outer in
    Valley.lenses.map { outer.appending($0) }
  }
}
