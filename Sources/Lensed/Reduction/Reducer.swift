/// A pure function from a state and an action to the next state, for one or several types of action.
///
/// ```swift
/// let counter = Reducer { (count: inout Int, action: CounterAction) in
///   switch action {
///   case .increase(let amount): count += amount
///   case .reset: count = 0
///   }
/// }
///
/// var count = 0
/// counter.reduce(&count, CounterAction.increase(2))   // no store needed
/// ```
///
/// A reducer runs under the lock of its store: it computes, and touches no store, its own or another.
public struct Reducer<State>: Sendable {
  @usableFromInline
  let cases: [ReducerCase]

  @usableFromInline
  init(cases: [ReducerCase]) {
    self.cases = cases
  }

  /// A reducer that edits the state in place: the fast form.
  ///
  /// - Parameter reduce: Edits the state for an action of type `A`.
  @inlinable
  @inline(__always)
  public init<A: Action>(_ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void)
  {
    self.init(cases: [.editing(reduce)])
  }

  /// A reducer that returns a new state.
  ///
  /// - Complexity: The state is copied, so its collections are too when the reducer changes them.
  @inlinable
  public init<A: Action>(
    pure reduce: @escaping @Sendable (_ state: State, _ action: A) -> State
  ) {
    self.init { (state: inout State, action: A) in state = reduce(state, action) }
  }

  /// A reducer that sees every action, whatever its type.
  ///
  /// It runs, and counts as having run, for every action, and so without the benefit of routing.
  @_disfavoredOverload  // So that a closure without the label is the one below.
  @inlinable
  public init(
    everyAction reduce: @escaping @Sendable (_ state: inout State, _ action: any Action) -> Void
  ) {
    self.init(cases: [
      ReducerCase(
        .every(
          ReducerCase.EveryRun(alwaysRuns: true) { state, action in
            state.edit(State.self) { reduce(&$0, action) }
            return true
          }))
    ])
  }

  /// Not to be used: a reducer that sees every action is written with its label, `everyAction:`.
  ///
  /// A closure that does not name the type of its action is taken for one of every action.
  @available(
    *, deprecated,
    message: """
      This reducer runs for every action. Name the type of the action, as in \
      { (state: inout State, action: CounterAction) in … }, or write Reducer(everyAction: { … }).
      """
  )
  public init(
    _ reduce: @escaping @Sendable (_ state: inout State, _ action: any Action) -> Void
  ) {
    self.init(everyAction: reduce)
  }

  /// This reducer, which also handles actions of another type.
  ///
  /// Several closures for one type run in the order they were added.
  @inlinable
  public func on<A: Action>(
    _ type: A.Type, _ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void
  ) -> Reducer {
    Reducer(cases: cases + [.editing(reduce)])
  }

  /// One reducer that runs several in order.
  public static func combine(_ reducers: Reducer...) -> Reducer {
    Reducer(cases: reducers.flatMap(\.cases))
  }

  /// One reducer that runs several in order.
  public static func combine(_ reducers: [Reducer]) -> Reducer {
    Reducer(cases: reducers.flatMap(\.cases))
  }

  /// The reducer that handles no action.
  public static var identity: Reducer { Reducer(cases: []) }

  /// Runs the reducer, without a store.
  ///
  /// An action it does not handle leaves the state untouched. A list runs its members in order.
  public func reduce<A: Action>(_ state: inout State, _ action: A) {
    if action is any CompositeAction {
      var list = FlatList { _, _ in .proceed }
      list.append(action)
      if let sequence = list.rest.first { Self.trapAlone(sequence) }
      for member in list.leaves { reduce(&state, member) }
      return
    }
    if action is any AsynchronousAction { Self.trapAlone(action) }
    StateAddress.editing(&state, as: State.self) { place in
      for answer in cases where answer.handles(type(of: action)) {
        let part = place.advanced(by: answer.offset)
        switch answer.body {
        case .one(_, let run): _ = StateAddress.reading(action, as: A.self) { run(part, $0) }
        case .every(let every): _ = every.run(part, action)
        }
      }
    }
  }

  private static func trapAlone(_ action: any Action) -> Never {
    fatalError(
      "Lensed: \(type(of: action)) was given to a reducer that runs alone. Its actions arrive over "
        + "time, and only a store can wait for them: dispatch it, or reduce its elements one by one."
    )
  }
}

extension ReducerCase {
  @inlinable
  @inline(__always)
  static func editing<State, A: Action>(
    _ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void
  ) -> ReducerCase {
    ReducerCase(
      .one(
        A.self,
        .always { state, action in state.edit(State.self) { reduce(&$0, action.readFresh(A.self)) }
        }),
      runAll: { state, first, count, stride in
        state.edit(State.self) { state in
          var (action, left) = (first, count)
          // Of an array the compiler knows the distance: 5 % of its time.
          let isArray = stride == MemoryLayout<A>.stride
          while left > 0 {
            reduce(&state, action.read(A.self))
            action = action.advanced(by: isArray ? MemoryLayout<A>.stride : stride)
            left &-= 1
          }
        }
      })
  }
}
