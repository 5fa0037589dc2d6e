/// A synchronous observer that does next to nothing; both sides use it and neither can inline it.
enum StateObserver {
  @inline(never)
  static func observe(_ state: CounterApp) { swallow(state.counter.value) }
}
