/// An asynchronous sequence of actions that never suspends.
struct ReadyActions: AsyncSequence, Sendable {
  let action: CounterAction
  let count: Int

  struct AsyncIterator: AsyncIteratorProtocol {
    let action: CounterAction
    var left: Int

    mutating func next() async -> CounterAction? { advance() }

    // Not inlined, like a sequence from another module: inlined into the loop written by hand,
    // nothing asynchronous would be left to measure.
    @inline(never)
    mutating func next(isolation actor: isolated (any Actor)?) async -> CounterAction? {
      advance()
    }

    private mutating func advance() -> CounterAction? {
      guard left > 0 else { return nil }
      left -= 1
      return action
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(action: action, left: count) }
}
