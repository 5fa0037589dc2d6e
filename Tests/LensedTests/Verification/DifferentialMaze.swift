import Lensed
import LensedTestSupport

/// The state of a random program: parts of several kinds, reached by lenses of every kind.
struct Maze: Sendable, Equatable {
  var a = 0
  var list: [Int] = []
  var inner = Inner()
  var text = ""

  struct Inner: Sendable, Equatable {
    var x = 0
    var y = 0
  }

  struct AddA: Action { let amount: Int }
  struct Push: Action { let element: Int }
  struct SetX: Action { let x: Int }
  struct SetY: Action { let y: Int }
  /// Handled by several parts.
  struct Mix: Action { let amount: Int }
  /// Handled, and changes nothing.
  struct Keep: Action {}
  /// Handled by nobody.
  struct Stray: Action {}
  /// Never dispatched.
  struct Never: Action {}

  /// One number that stands for the whole.
  var digest: Int {
    list.reduce(a &* 31 &+ inner.x &* 7 &+ inner.y &* 3 &+ text.utf8.count) { $0 &* 31 &+ $1 }
  }

  /// Derived of parts, and of a value that is derived; it often comes out equal.
  static let weight = Derived(\Maze.list, \Maze.inner) { list, inner in
    list.reduce(inner.x) { $0 &+ $1 }
  }
  static let parity = Derived(weight, \Maze.a) { weight, a in (weight &+ a) & 1 }

  /// One part by a lens of a kind that a number names.
  static func a(_ kind: Int) -> Lens<Maze, Int> {
    switch kind % 3 {
    case 0: Lens(\.a)
    case 1: Lens(name: "a", get: { $0.a }, modify: { maze, edit in edit(&maze.a) })
    default:
      Lens(
        name: "a", get: { $0.a },
        set: { maze, a in
          var maze = maze
          maze.a = a
          return maze
        })
    }
  }

  static func list(_ kind: Int) -> Lens<Maze, [Int]> {
    kind % 2 == 0
      ? Lens(\.list)
      : Lens(name: "list", get: { $0.list }, modify: { maze, edit in edit(&maze.list) })
  }

  static func x(_ kind: Int) -> Lens<Maze, Int> {
    switch kind % 3 {
    case 0: Lens(\.inner.x)
    case 1: Lens(\Maze.inner).appending(path: \.x)
    default:
      Lens(\Maze.inner).appending(
        Lens(name: "x", get: { $0.x }, modify: { inner, edit in edit(&inner.x) }))
    }
  }

  static func y(_ kind: Int) -> Lens<Maze, Int> {
    kind % 2 == 0 ? Lens(\.inner.y) : Lens(\Maze.inner).appending(Lens(\.y))
  }

  /// The mutators, through lenses that a seed chooses.
  static func parts(using random: inout SeededGenerator) -> [StorePart<Maze>] {
    func kind() -> Int { Int.random(in: 0..<6, using: &random) }
    return [
      StorePart(
        Mutator(lens: a(kind())) { (a: inout Int, add: AddA) in a &+= add.amount }
          .on(Mix.self) { a, mix in a &+= mix.amount }
          .on(Keep.self) { _, _ in }),
      StorePart(
        Mutator(lens: list(kind())) { (list: inout [Int], push: Push) in
          if list.count > 8 { list.removeFirst() }
          list.append(push.element)
        }
        .on(Mix.self) { list, mix in if mix.amount % 2 == 0 { list.append(mix.amount) } }),
      StorePart(Mutator(lens: x(kind())) { (x: inout Int, set: SetX) in x = set.x }),
      StorePart(
        Mutator(lens: y(kind())) { (maze: Maze, set: SetY) -> Int in set.y &+ maze.inner.x }
          .on(Mix.self) { y, mix in y = mix.amount }),
    ]
  }

  static func action(using random: inout SeededGenerator) -> any Action {
    // Few different values, so that equal writes are frequent.
    let number = Int.random(in: 0..<4, using: &random)
    return switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: AddA(amount: number)
    case 2: Push(element: number)
    case 3, 4: SetX(x: number)
    case 5: SetY(y: number)
    case 6: Mix(amount: number)
    case 7: Keep()
    default: Stray()
    }
  }

  /// A random stream of numbers: a source, and operators on it.
  static func stream(
    of store: Store<Maze>, depth: Int, using random: inout SeededGenerator
  ) -> StateStream<Int> {
    let kind = Int.random(in: 0..<6, using: &random)
    let repeats: Repeats = Bool.random(using: &random) ? .kept : .removed
    var stream =
      switch Int.random(in: 0..<11, using: &random) {
      case 0: store.states.map(\.digest)
      case 1: store.states(\.a, repeats: repeats)
      case 2: store.states(a(kind), repeats: repeats)
      case 3: store.states(\.list.count, repeats: repeats)
      case 4: store.states(list(kind), repeats: repeats).map { $0.reduce(0, &+) }
      case 5: store.states(x(kind), repeats: repeats)
      case 6: store.states(\.inner, repeats: repeats).map { $0.x &* 10 &+ $0.y }
      case 7: store.scope(\.inner).states(\.y, repeats: repeats)
      case 8: store.states(weight)
      case 9: store.states(parity)
      default: store.states(\.digest, repeats: repeats)
      }
    for _ in 0..<depth {
      let number = Int.random(in: 1..<5, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: stream = stream.map { $0 &* 3 &+ number }
      case 1, 2: stream = stream.filter { $0 % (number + 1) != 0 }
      case 3: stream = stream.removeDuplicates()
      case 4: stream = stream.compactMap { $0 % 3 == 1 ? nil : $0 &+ number }
      case 5: stream = stream.removeDuplicates { $0 / number == $1 / number }
      default:
        let other = Self.stream(of: store, depth: depth - 1, using: &random)
        stream = stream.combineLatest(other) { $0 &* 1_000 &+ $1 }
      }
    }
    return stream
  }
}
