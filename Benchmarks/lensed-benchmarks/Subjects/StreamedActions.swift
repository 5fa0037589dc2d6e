/// A finished stream with buffered actions.
struct StreamedActions {
  let stream: AsyncStream<CounterAction>

  init(_ action: CounterAction, count: Int) {
    stream = AsyncStream { continuation in
      for _ in 0..<count { continuation.yield(action) }
      continuation.finish()
    }
  }
}
