import Lensed

/// What the dictaphone asks of the machine: a microphone, a loudspeaker, a disk and a clock.
struct Studio: Sendable {
  /// Returns once the microphone records; throws where its use is refused.
  var record: @Sendable () async throws -> Void
  var stopRecording: @Sendable () -> Void
  var play: @Sendable (Memo.ID) async throws -> Void
  var stopPlaying: @Sendable (Memo.ID) -> Void
  var load: @Sendable () async throws -> [Memo]
  var remove: @Sendable (Memo.ID) async throws -> Void
  var clock: any Clock<Duration>
}

/// One recording.
struct Memo: Sendable, Equatable, Identifiable {
  let id: Int
  let length: Duration
  var title: String
  /// Nil while it does not play.
  var playing: Playing?
}

struct Playing: Sendable, Equatable {
  var position = Duration.zero
}

struct Play: Action, Equatable {}
struct Stop: Action, Equatable {}
struct Moved: Action, Equatable { let position: Duration }
struct PlaybackEnded: Action, Equatable {}
/// Left to whoever shows the memo.
enum MemoDelegate: Action, Equatable { case failed(String) }

extension Memo {
  /// Plays until it is at its end, is stopped, or goes away; knows of no other memo.
  static func feature(_ studio: Studio) -> Feature<Memo> {
    Feature {
      Constant(\.id)
      Constant(\.length)
      Constant(\.title)
      Mutator(\.playing) { (playing: inout Playing?, _: Play) in playing = Playing() }
        .on(Stop.self) { playing, _ in playing = nil }
        .on(Moved.self) { playing, moved in playing?.position = moved.position }
        .on(PlaybackEnded.self) { playing, _ in playing = nil }
      Effect(
        on: Play.self, .latest,
        catch: { error, context in context.dispatch(MemoDelegate.failed("\(error)")) }
      ) { _, context in
        let (id, length) = (context.id, context.length)
        try await studio.play(id)
        defer { studio.stopPlaying(id) }
        var position = Duration.zero
        while position < length {
          let step = min(.seconds(1), length - position)
          try await studio.clock.sleep(for: step)
          position += step
          context.dispatch(Moved(position: position))
        }
      }
      .tied(to: \.playing)
      .ended { end, _ in
        switch end {
        case .finished, .failed, .cancelled: PlaybackEnded()
        // A newer playback has begun, or the memo does not play any more.
        case .superseded, .gone: nil
        }
      }
      .named("Play")
    }
  }
}
