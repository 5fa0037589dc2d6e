import Lensed

/// A draft of a line, with steps that can be filled in by a service.
struct Editor: Sendable, Equatable, Identifiable {
  let id: Todo.ID
  var title: String
  var steps: Entities<Step> = []
}

struct Step: Sendable, Equatable, Identifiable {
  let id: Int
  var text = ""
}

enum EditorAction: Action, Equatable { case title(String), addStep, removeStep(Int) }
struct Suggest: Action, Equatable {}
enum StepAction: Action, Equatable { case text(String) }

protocol Assistant: Sendable {
  func suggestion(for text: String) async throws -> String
}

extension Editor {
  static func feature(_ assistant: any Assistant) -> Feature<Editor> {
    Feature {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: EditorAction) in
        if case .title(let new) = action { title = new }
      }
      Mutator(\.steps) { (steps: inout Entities<Step>, action: EditorAction) in
        switch action {
        case .title: break
        case .addStep: steps.append(Step(id: (steps.last?.id ?? 0) + 1))
        case .removeStep(let id): steps.remove(id: id)
        }
      }
      Step.feature(assistant).identified().lifted(\.steps)
    }
  }
}

extension Step {
  static func feature(_ assistant: any Assistant) -> Feature<Step> {
    Feature {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, action: StepAction) in
        if case .text(let new) = action { text = new }
      }
      Effect(on: Suggest.self, .latest) { _, context in
        StepAction.text(try await assistant.suggestion(for: context.text))
      }
      .named("Suggest")
    }
  }
}
