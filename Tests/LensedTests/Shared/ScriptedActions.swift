import Lensed
import LensedTestSupport
import Synchronization

/// What a scripted sequence does when it is asked for its next element.
enum Step<Element: Sendable>: Sendable {
  /// Gives an element.
  case give(Element)
  /// Waits at a gate, then goes on with the next step.
  case wait(Gate)
  /// Fails.
  case fail(any Error)
  /// Waits until the task is cancelled, then fails as a cancelled sleep does.
  case hang
}

/// A sequence that follows a script, and notes who asked for what.
struct ScriptedActions<Element: Sendable>: AsyncSequence, Sendable {
  let steps: [Step<Element>]
  /// How many iterators were made.
  let starts = Recorder<Int>()
  /// How many times `next` was called, over all iterators.
  let pulls = Recorder<Int>()

  init(_ steps: Step<Element>...) {
    self.steps = steps
  }

  init(giving first: Element, _ others: Element...) {
    steps = ([first] + others).map(Step.give)
  }

  func makeAsyncIterator() -> Iterator {
    starts.append(starts.count)
    return Iterator(script: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    let script: ScriptedActions
    var position = 0

    mutating func next() async throws -> Element? {
      script.pulls.append(position)
      while position < script.steps.count {
        defer { position += 1 }
        switch script.steps[position] {
        case .give(let element): return element
        case .wait(let gate): try await gate.wait()
        case .fail(let error): throw error
        case .hang: try await Gate().wait()
        }
      }
      return nil
    }
  }
}

/// Why a scripted sequence fails.
struct Mishap: Error, Equatable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}
