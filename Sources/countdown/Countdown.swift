import Lensed

struct Kitchen: Sendable {
  var eggs = 0
  var secondsLeft = 0
}
struct Boil: Action { let eggs, seconds: Int }
enum Time: Action { case tick }

/// `swift run countdown 3`: one state, two reducers, an effect with time, an observer.
@main
enum Countdown {
  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    let store = try makeStore(ContinuousClock())
    let display = store.states.subscribe { kitchen in
      print("\(kitchen.eggs) eggs, \(kitchen.secondsLeft) s")
    }
    try await store.dispatch(Boil(eggs: 2, seconds: seconds)).finish()
    print("Done.")
    display.cancel()
  }

  static func makeStore(_ clock: any Clock<Duration>) throws -> Store<Kitchen> {
    try Store(initialState: Kitchen()) {
      Mutator(\.eggs) { (eggs: inout Int, boil: Boil) in eggs = boil.eggs }
      Mutator(\.secondsLeft) { (left: inout Int, boil: Boil) in left = boil.seconds }
        .on(Time.self) { left, _ in left -= 1 }
      // A second `Boil` starts anew: the older countdown ends.
      Effect(on: Boil.self, .latest) { _, context in
        while context.secondsLeft > 0 {
          try await clock.sleep(for: .seconds(1))
          context.dispatch(Time.tick)
        }
      }
    }
  }
}
