import Lensed
import Testing

/// An app's own state, named as most are.
private struct State {
  var count = 2
}

extension [Int] {
  /// `State` is the app's here: Lensed gives the types of the standard library no member of that name.
  fileprivate func sum(from state: State) -> Int { reduce(state.count, +) }
}

@Suite struct `Names of an app` {
  @Test func `mean what they meant, in extensions of arrays too`() {
    #expect([1, 2].sum(from: State()) == 5)
  }
}
