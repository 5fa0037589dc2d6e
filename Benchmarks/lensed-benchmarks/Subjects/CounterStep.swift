import Lensed

/// A second type of action, which both sub-states of the app handle, too.
struct CounterStep: Action {
  let amount: Int

  static var sample: CounterStep { opaque(CounterStep(amount: 1)) }
}

extension CounterApp {
  /// Creates a store that handles two types of action.
  static func storeOfTwoTypes() throws -> Store<CounterApp> {
    opaque(
      try Store(initialState: CounterApp()) {
        Mutator(\CounterApp.counter, CounterReducers.counter)
          .on(CounterStep.self, CounterReducers.step)
        Mutator(\CounterApp.profile, CounterReducers.profile)
          .on(CounterStep.self, CounterReducers.score)
      })
  }
}

extension CounterReducers {
  @inline(never)
  static func step(_ counter: inout CounterApp.Counter, _ step: CounterStep) {
    counter.value &+= step.amount
    counter.changes &+= 1
  }

  @inline(never)
  static func score(_ profile: inout CounterApp.Profile, _ step: CounterStep) {
    profile.score &+= step.amount &* 2
  }
}
