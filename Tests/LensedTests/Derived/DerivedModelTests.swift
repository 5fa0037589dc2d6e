import Lensed
import LensedTestSupport
import Testing

/// The algorithm, written down plainly: what is stored of each node, and how often each was computed.
private struct RedGreenModel {
  let maze: DerivedMaze
  var state = DerivedMaze.State()
  var revision = 0
  var touched = [0, 0, 0, 0]
  var stored: [(value: Int, verifiedAt: Int, changedAt: Int)?]
  var runs: [Int]

  init(_ maze: DerivedMaze) {
    self.maze = maze
    stored = Array(repeating: nil, count: maze.nodes.count)
    runs = Array(repeating: 0, count: maze.nodes.count)
  }

  mutating func commit(_ part: Int, _ amount: Int) {
    revision += 1
    touched[part] = revision
    state[part] += amount
  }

  mutating func replace(_ state: DerivedMaze.State) {
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

@Suite("Derived values against a model of the algorithm", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct DerivedModelTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `random graphs, commits and reads give the values and the counts of the model`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let maze = DerivedMaze(using: &random)
    let store = try DerivedMaze.makeStore()
    var model = RedGreenModel(maze)
    for step in 0..<120 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let (part, amount) = (
          Int.random(in: 0..<4, using: &random), Int.random(in: -2...2, using: &random)
        )
        store.dispatch(DerivedMaze.action(part, amount))
        model.commit(part, amount)
      case 4:
        let state = DerivedMaze.State(a: step, b: 1, c: step % 3, d: 0)
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
    let maze = DerivedMaze(using: &random)
    let store = try DerivedMaze.makeStore()
    let heard = maze.derived.map { _ in Recorder<Int>() }
    let subscriptions = zip(maze.derived, heard).map { derived, heard in
      store.states(derived).subscribe { heard.append($0) }
    }
    var expected = maze.nodes.indices.map { [maze.value($0, in: store.state)] }
    for _ in 0..<80 {
      store.dispatch(
        DerivedMaze.action(
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
    let maze = DerivedMaze(using: &random)
    let store = try DerivedMaze.makeStore()
    // Each value together with the state that it is of.
    let whole = maze.derived.map { derived in Derived(derived, \DerivedMaze.State.self) { ($0, $1) }
    }
    let failures = Recorder<String>()
    let threads = (0..<4).map { thread in
      Threads.start {
        var random = SeededGenerator(seed: seed * 100 + UInt64(thread))
        for step in 0..<400 {
          // Each thread alone writes its part, so it knows the least that it must see.
          store.dispatch(DerivedMaze.action(thread, 1))
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
