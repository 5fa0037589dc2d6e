import Lensed
import LensedTestSupport
import Testing

/// A random graph of derived values, and what it must compute.
private struct RowMaze: Sendable {
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

/// The algorithm, written down plainly: what is stored of each node, and how often each was computed.
private struct RedGreenModel {
  let maze: RowMaze
  var state = RowMaze.State()
  var revision = 0
  var touched = [0, 0, 0, 0]
  var stored: [(value: Int, verifiedAt: Int, changedAt: Int)?]
  var runs: [Int]

  init(_ maze: RowMaze) {
    self.maze = maze
    stored = Array(repeating: nil, count: maze.nodes.count)
    runs = Array(repeating: 0, count: maze.nodes.count)
  }

  mutating func commit(_ part: Int, _ amount: Int) {
    revision += 1
    touched[part] = revision
    state[part] += amount
  }

  mutating func replace(_ state: RowMaze.State) {
    revision += 1
    touched = [revision, revision, revision, revision]
    self.state = state
  }

  private func lastTouch(_ index: Int) -> Int {
    maze.nodes[index].inputs.map { $0 < 4 ? touched[$0] : lastTouch($0 - 4) }.max() ?? 0
  }

  mutating func read(_ index: Int) -> Int {
    verify(index)
    return stored[index]?.value ?? .min
  }

  private mutating func verify(_ index: Int) {
    if let known = stored[index], lastTouch(index) <= known.verifiedAt {
      stored[index]?.verifiedAt = revision
      return
    }
    var isRed = stored[index] == nil
    var values: [Int] = []
    for input in maze.nodes[index].inputs {
      if input < 4 {
        if let known = stored[index], touched[input] > known.verifiedAt { isRed = true }
        values.append(state[input])
      } else {
        verify(input - 4)
        if let known = stored[index], let input = stored[input - 4],
          input.changedAt > known.verifiedAt
        {
          isRed = true
        }
        values.append(stored[input - 4]?.value ?? .min)
      }
    }
    guard isRed else {
      stored[index]?.verifiedAt = revision
      return
    }
    runs[index] += 1
    let value = maze.nodes[index].compute(values)
    let changedAt = stored[index].flatMap { $0.value == value ? $0.changedAt : nil } ?? revision
    stored[index] = (value, revision, changedAt)
  }
}

@Suite("Derived values against a model of the algorithm", .timeLimit(.minutes(5)))
struct DerivedModelTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `random graphs, commits and reads give the values and the counts of the model`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let maze = RowMaze(using: &random)
    let store = try RowMaze.makeStore()
    var model = RedGreenModel(maze)
    for step in 0..<120 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let (part, amount) = (
          Int.random(in: 0..<4, using: &random), Int.random(in: -2...2, using: &random)
        )
        store.dispatch(RowMaze.action(part, amount))
        model.commit(part, amount)
      case 4:
        let state = RowMaze.State(a: step, b: 1, c: step % 3, d: 0)
        store.replaceState(state)
        model.replace(state)
      default:
        let index = maze.nodes.indices.randomElement(using: &random) ?? 0
        let expected = model.read(index)
        #expect(store[maze.derived[index]] == expected, "seed \(seed), step \(step)")
        #expect(expected == maze.value(index, in: store.state), "seed \(seed), step \(step)")
        #expect(maze.runs.map(\.value) == model.runs, "seed \(seed), step \(step)")
      }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `subscribers and readers are given each value that differs, of each commit`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let maze = RowMaze(using: &random)
    let store = try RowMaze.makeStore()
    let heard = maze.derived.map { _ in Recorder<Int>() }
    let subscriptions = zip(maze.derived, heard).map { derived, heard in
      store.states(derived).subscribe { heard.append($0) }
    }
    var expected = maze.nodes.indices.map { [maze.value($0, in: store.state)] }
    for _ in 0..<80 {
      store.dispatch(
        RowMaze.action(
          Int.random(in: 0..<4, using: &random), Int.random(in: -2...2, using: &random)))
      for index in maze.nodes.indices {
        let value = maze.value(index, in: store.state)
        if value != expected[index].last { expected[index].append(value) }
      }
    }
    #expect(heard.map(\.values) == expected, "seed \(seed)")
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `threads that commit and read see values of one commit, never older than their own`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let maze = RowMaze(using: &random)
    let store = try RowMaze.makeStore()
    // Each value together with the state that it is of.
    let whole = maze.derived.map { derived in Derived(derived, \RowMaze.State.self) { ($0, $1) } }
    let failures = Recorder<String>()
    let threads = (0..<4).map { thread in
      Threads.start {
        var random = SeededGenerator(seed: seed * 100 + UInt64(thread))
        for step in 0..<400 {
          // Each thread alone writes its part, so it knows the least that it must see.
          store.dispatch(RowMaze.action(thread, 1))
          let index = maze.nodes.indices.randomElement(using: &random) ?? 0
          let (value, state) = store[whole[index]]
          if value != maze.value(index, in: state) { failures.append("mixed \(seed) \(step)") }
          if state[thread] != step + 1 { failures.append("old \(seed) \(step)") }
        }
      }
    }
    for thread in threads { thread.wait() }
    #expect(failures.values == [])
    for index in maze.nodes.indices {
      #expect(store[maze.derived[index]] == maze.value(index, in: store.state))
    }
  }
}
