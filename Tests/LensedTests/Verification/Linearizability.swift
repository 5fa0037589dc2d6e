/// What one thread did, and when: the moments are numbers that grow over all threads.
struct Recorded<Operation: Sendable, Outcome: Sendable>: Sendable {
  let operation: Operation
  let outcome: Outcome
  let called: Int
  let returned: Int
}

/// Looks for an order of operations that explains what each of them gave.
///
/// An operation takes effect at one moment between its call and its return. A history is
/// linearizable if such moments can be found: if one thread that does the same in that order gets
/// the same outcomes. The search tries every order that time allows, and no situation twice.
struct LinearizabilityCheck<State: Hashable, Operation: Sendable, Outcome: Sendable & Equatable> {
  private struct Situation: Hashable {
    let done: UInt64
    let state: State
  }

  private let history: [Recorded<Operation, Outcome>]
  private let perform: (inout State, Operation) -> Outcome
  private var seen: Set<Situation> = []

  /// A check of at most 64 operations.
  init(
    _ history: [Recorded<Operation, Outcome>],
    perform: @escaping (inout State, Operation) -> Outcome
  ) {
    precondition(history.count <= 64, "A history of \(history.count) operations is too long.")
    self.history = history
    self.perform = perform
  }

  /// Whether there is such an order, from a first state.
  mutating func holds(from state: State) -> Bool {
    explains(state, done: 0)
  }

  private mutating func explains(_ state: State, done: UInt64) -> Bool {
    let left = history.indices.filter { done & (1 << UInt64($0)) == 0 }
    // What was called after another one had returned cannot come before it.
    guard let limit = left.map({ history[$0].returned }).min() else { return true }
    guard seen.insert(Situation(done: done, state: state)).inserted else { return false }
    for index in left where history[index].called < limit {
      var next = state
      guard perform(&next, history[index].operation) == history[index].outcome else { continue }
      if explains(next, done: done | (1 << UInt64(index))) { return true }
    }
    return false
  }
}
