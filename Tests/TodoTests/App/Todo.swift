import Lensed

/// One line of the list, with work of its own: how long it will take is asked of a service.
struct Todo: Sendable, Equatable, Identifiable {
  let id: Int
  var title: String
  var isDone = false
  var estimate = Estimate.unknown
}

enum Estimate: Sendable, Equatable {
  case unknown, asking, failed
  case minutes(Int)
}

enum TodoAction: Action, Equatable { case rename(String), toggle }
struct AskEstimate: Action, Equatable {}
enum EstimateAnswer: Action, Equatable { case minutes(Int), failed }

protocol Estimator: Sendable {
  func minutes(for title: String) async throws -> Int
}

extension Todo {
  /// The feature of one line: it knows of no list, and is given the settings.
  static func feature(_ estimator: any Estimator) -> Feature<Todo> {
    Feature {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: TodoAction) in
        if case .rename(let new) = action { title = new }
      }
      Mutator(\.isDone) { (isDone: inout Bool, action: TodoAction) in
        if case .toggle = action { isDone.toggle() }
      }
      Mutator(\.estimate) { (estimate: inout Estimate, _: AskEstimate) in estimate = .asking }
        .on(EstimateAnswer.self, given: Settings.self) { estimate, answer, settings in
          switch answer {
          case .minutes(let minutes): estimate = .minutes(minutes * settings.pace / 100)
          case .failed: estimate = .failed
          }
        }
      Effect(
        on: AskEstimate.self, .latest,
        catch: { _, context in context.dispatch(EstimateAnswer.failed) },
        { _, context in
          EstimateAnswer.minutes(try await estimator.minutes(for: context.title))
        }
      )
      .ended { end, _ in
        // What a cancelled run still dispatches is refused; a newer one has an answer of its own.
        if case .cancelled = end { EstimateAnswer.failed } else { nil }
      }
      .named("Estimate")
    }
  }
}
