import Lensed
import LensedTestSupport
import Testing

@Suite("An audience is kept until an observer comes or goes that it concerns")
struct AudienceCacheTests {
  private struct App: Sendable, Equatable {
    var first = 0
    var second = 0
    var third = 0
  }

  private struct First: Action { var value: Int }
  private struct Second: Action { var value: Int }
  private struct Both: Action { var value: Int }

  private static func store() throws -> Store<App> {
    try Store(initialState: App()) {
      Mutator(\.first) { (part: inout Int, action: First) in part = action.value }
        .on(Both.self) { part, action in part = action.value }
      Mutator(\.second) { (part: inout Int, action: Second) in part = action.value }
        .on(Both.self) { part, action in part = action.value }
      Constant(\.third)
    }
  }

  /// One observer, and what it has to have heard.
  private struct Listener {
    let part: Int
    let heard = Recorder<Int>()
    var expected: [Int]
    var subscription: StoreSubscription?
  }

  @Test(arguments: UInt64(1)...30)
  func `whoever is subscribed hears each commit of its part, and nobody else does`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Self.store()
    var listeners: [Listener] = []
    var state = App()
    for turn in 1...200 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let part = Int.random(in: 0..<4, using: &random)
        var listener = Listener(part: part, expected: [value(of: part, in: state)])
        let heard = listener.heard
        listener.subscription =
          switch part {
          case 0: store.states(\.first, repeats: .kept).subscribe { heard.append($0) }
          case 1: store.states(\.second, repeats: .kept).subscribe { heard.append($0) }
          case 2: store.states(\.third, repeats: .kept).subscribe { heard.append($0) }
          default: store.states.subscribe { heard.append($0.first + $0.second) }
          }
        listeners.append(listener)
      case 2:
        if let index = listeners.indices.randomElement(using: &random) {
          listeners[index].subscription?.cancel()
          listeners[index].subscription = nil
        }
      case 3:
        state.first = turn
        store.dispatch(First(value: turn))
        expect([0, 3], of: state, &listeners)
      case 4:
        state.second = turn
        store.dispatch(Second(value: turn))
        expect([1, 3], of: state, &listeners)
      case 5:
        (state.first, state.second) = (turn, turn)
        store.dispatch(Both(value: turn))
        expect([0, 1, 3], of: state, &listeners)
      case 6:
        (state.first, state.second) = (-turn, turn)
        store.dispatch([First(value: -turn), Second(value: turn)])
        expect([0, 1, 3], of: state, &listeners)
      default:
        state = App(first: turn, second: turn, third: turn)
        store.replaceState(state)
        expect([0, 1, 2, 3], of: state, &listeners)
      }
    }
    for listener in listeners {
      #expect(listener.heard.values == listener.expected, "part \(listener.part), seed \(seed)")
    }
  }

  private func value(of part: Int, in state: App) -> Int {
    [state.first, state.second, state.third, state.first + state.second][part]
  }

  private func expect(_ parts: [Int], of state: App, _ listeners: inout [Listener]) {
    for index in listeners.indices where listeners[index].subscription != nil {
      if parts.contains(listeners[index].part) {
        listeners[index].expected.append(value(of: listeners[index].part, in: state))
      }
    }
  }
}
