import Lensed
import LensedTestSupport
import Testing

/// A random graph of derived values, and what it must compute.
struct DerivedMaze: Sendable {
  struct State: Sendable, Equatable {
    var a = 0
    var b = 0
    var c = 0
    var d = 0

    subscript(index: Int) -> Int {
      get { [a, b, c, d][index] }
      set {
        switch index {
        case 0: a = newValue
        case 1: b = newValue
        case 2: c = newValue
        default: d = newValue
        }
      }
    }
  }

  enum A {}
  enum B {}
  enum C {}
  enum D {}
  struct Add: Action { let amount: Int }

  /// A node: up to three inputs, each a part (below 4) or an earlier node, and a divisor that makes results collide.
  struct Node: Sendable {
    let inputs: [Int]
    let divisor: Int

    func compute(_ values: [Int]) -> Int {
      values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } / divisor
    }
  }

  let nodes: [Node]
  let derived: [Derived<State, Int>]
  let runs: [Counter]

  init(using random: inout SeededGenerator) {
    var (nodes, derived, runs): ([Node], [Derived<State, Int>], [Counter]) = ([], [], [])
    for index in 0..<Int.random(in: 1...12, using: &random) {
      let inputs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: 0..<(4 + index), using: &random)
      }
      let node = Node(inputs: inputs, divisor: [1, 2, 5, 1_000].randomElement(using: &random) ?? 1)
      let counter = Counter()
      nodes.append(node)
      runs.append(counter)
      derived.append(Self.derived(node, counter, derived))
    }
    (self.nodes, self.derived, self.runs) = (nodes, derived, runs)
  }

  static let parts: [Lens<State, Int>] = [Lens(\.a), Lens(\.b), Lens(\.c), Lens(\.d)]

  static func derived(
    _ node: Node, _ counter: Counter, _ known: [Derived<State, Int>]
  ) -> Derived<State, Int> {
    let run: @Sendable ([Int]) -> Int = { values in
      counter.increment()
      return node.compute(values)
    }
    // A part alone is the same as a value derived from it, but for one more step.
    func make(_ input: Int, _ values: [Int]) -> Derived<State, Int> { known[input - 4] }
    switch node.inputs.count {
    case 1:
      return node.inputs[0] < 4
        ? Derived(parts[node.inputs[0]]) { run([$0]) }
        : Derived(known[node.inputs[0] - 4]) { run([$0]) }
    case 2:
      switch (node.inputs[0] < 4, node.inputs[1] < 4) {
      case (true, true):
        return Derived(parts[node.inputs[0]], parts[node.inputs[1]]) { run([$0, $1]) }
      case (true, false):
        return Derived(parts[node.inputs[0]], known[node.inputs[1] - 4]) { run([$0, $1]) }
      case (false, true):
        return Derived(known[node.inputs[0] - 4], parts[node.inputs[1]]) { run([$0, $1]) }
      case (false, false):
        return Derived(known[node.inputs[0] - 4], known[node.inputs[1] - 4]) { run([$0, $1]) }
      }
    default:
      let last = node.inputs[2]
      switch (node.inputs[0] < 4, node.inputs[1] < 4) {
      case (true, true):
        return last < 4
          ? Derived(parts[node.inputs[0]], parts[node.inputs[1]], parts[last]) {
            run([$0, $1, $2])
          }
          : Derived(parts[node.inputs[0]], parts[node.inputs[1]], known[last - 4]) {
            run([$0, $1, $2])
          }
      case (true, false):
        return last < 4
          ? Derived(parts[node.inputs[0]], known[node.inputs[1] - 4], parts[last]) {
            run([$0, $1, $2])
          }
          : Derived(parts[node.inputs[0]], known[node.inputs[1] - 4], known[last - 4]) {
            run([$0, $1, $2])
          }
      case (false, true):
        return last < 4
          ? Derived(known[node.inputs[0] - 4], parts[node.inputs[1]], parts[last]) {
            run([$0, $1, $2])
          }
          : Derived(known[node.inputs[0] - 4], parts[node.inputs[1]], known[last - 4]) {
            run([$0, $1, $2])
          }
      case (false, false):
        return last < 4
          ? Derived(known[node.inputs[0] - 4], known[node.inputs[1] - 4], parts[last]) {
            run([$0, $1, $2])
          }
          : Derived(known[node.inputs[0] - 4], known[node.inputs[1] - 4], known[last - 4]) {
            run([$0, $1, $2])
          }
      }
    }
  }

  /// What a node is in a state.
  func value(_ index: Int, in state: State) -> Int {
    nodes[index].compute(
      nodes[index].inputs.map { $0 < 4 ? state[$0] : value($0 - 4, in: state) })
  }

  static func makeStore(_ state: State = State()) throws -> Store<State> {
    let add = Reducer { (part: inout Int, add: Add) in part += add.amount }
    return try Store(initialState: state) {
      Mutator(\State.a, add.tagged(A.self))
      Mutator(\State.b, add.tagged(B.self))
      Mutator(\State.c, add.tagged(C.self))
      Mutator(\State.d, add.tagged(D.self))
    }
  }

  static func action(_ part: Int, _ amount: Int) -> any Action {
    let add = Add(amount: amount)
    switch part {
    case 0: return Tagged<A, Add>(add)
    case 1: return Tagged<B, Add>(add)
    case 2: return Tagged<C, Add>(add)
    default: return Tagged<D, Add>(add)
    }
  }
}
