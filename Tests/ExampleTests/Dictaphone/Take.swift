import Lensed

/// What is being recorded.
struct Take: Sendable, Equatable {
  var elapsed = Duration.zero
  var isStopping = false
}

struct StartTake: Action, Equatable {}
struct StopTake: Action, Equatable {}
struct Ticked: Action, Equatable {}
/// Left to whoever started the take.
enum TakeDelegate: Action, Equatable { case finished(Duration), failed(String) }

extension Take {
  /// Records until it is stopped, or goes away, and reports how long that was.
  static func feature(_ studio: Studio) -> Feature<Take> {
    Feature {
      Mutator(\.elapsed) { (elapsed: inout Duration, _: Ticked) in elapsed += .seconds(1) }
      Mutator(\.isStopping) { (isStopping: inout Bool, _: StopTake) in isStopping = true }
      Effect(
        on: StartTake.self, .first,
        catch: { error, context in context.dispatch(TakeDelegate.failed("\(error)")) }
      ) { _, context in
        try await studio.record()
        defer { studio.stopRecording() }
        while true {
          try await studio.clock.sleep(for: .seconds(1))
          context.dispatch(Ticked())
        }
      }
      .cancelled(on: StopTake.self)
      .ended { end, context in
        if case .cancelled = end { TakeDelegate.finished(context.elapsed) } else { nil }
      }
      .named("Record")
    }
  }
}
