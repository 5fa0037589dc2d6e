import Lensed
import LensedPresenters
import LensedTestSupport

/// A presenter for tests: what it makes of commits is given, and what it is asked is noted.
struct DeskPresenter: Presenter {
  struct Props: Equatable {
    let count: Int
    let title: String
    var increase = Command.nothing

    init(_ count: Int, _ title: String = "", _ increase: Command = .nothing) {
      (self.count, self.title, self.increase) = (count, title, increase)
    }
  }

  var react: @Sendable (Change<Desk>) -> Reaction = { _ in .props }
  var started: @Sendable (Desk, Dispatcher) -> Void = { _, _ in }
  /// What was called, in order.
  let calls = Recorder<String>()

  func reaction(to change: Change<Desk>) -> Reaction {
    calls.append("reaction \(change.state.count)")
    return react(change)
  }

  func props(for state: Desk, dispatch: Dispatcher) -> Props {
    Props(state.count, state.title)
  }

  func onStart(_ state: Desk, dispatch: Dispatcher) {
    calls.append("start \(state.count)")
    started(state, dispatch)
  }

  func onStop(_ state: Desk, dispatch: Dispatcher) {
    calls.append("stop \(state.count)")
  }

  /// The calls but for the reactions.
  var starts: [String] { calls.values.filter { !$0.hasPrefix("reaction") } }
}
