extension ReducerCase {
  /// The case of a reducer of one part that reads another part of the same state.
  static func reading<State, Part, Value: Sendable, A: Action>(
    _ read: @escaping @Sendable (_ state: StateAddress) -> Value, _ lens: Lens<State, Part>,
    _ reduce: @escaping @Sendable (_ part: inout Part, _ action: A, _ value: Value) -> Void
  ) -> ReducerCase {
    let make: @Sendable () -> CaseReading = {
      let cell = UnsafeCell<Value?>(nil)
      return CaseReading(
        capture: ReducerCase(
          A.self,
          perhaps: { state, _ in
            cell.value = read(state)
            return true
          }),
        run: .taking(from: cell, lens, reduce),
        receive: { cell.value = $0.read(Value.self) }, clear: { cell.value = nil })
    }
    // Without a route, the part is read right before the reducer runs.
    var answer = ReducerCase(
      A.self,
      perhaps: { state, action in
        let reading = make()
        _ = reading.capture?.run(for: A.self)(state, action)
        return reading.run.run(for: A.self)(state, action)
      })
    answer.reading = make
    return answer
  }

  /// The case of a reducer that takes what was copied for it.
  ///
  /// It runs whenever something was, and yet never on the fast path, which captures nothing.
  static func taking<State, Part, Value: Sendable, A: Action>(
    from cell: UnsafeCell<Value?>, _ lens: Lens<State, Part>,
    _ reduce: @escaping @Sendable (_ part: inout Part, _ action: A, _ value: Value) -> Void
  ) -> ReducerCase {
    ReducerCase(
      A.self,
      perhaps: { state, action in
        guard let value = cell.value.take() else { return false }
        return lens.focus(state) { part in
          part.edit(Part.self) { reduce(&$0, action.read(A.self), value) }
          return true
        }
      })
  }
}
