import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// Steps that are right for the state before their commit, and would trap, fail or say something else in the one after.
@Suite("A step is called once, on the state before its commit", .timeLimit(.minutes(30)))
struct StepCallTests {
  struct Reel: Sendable, Equatable {
    var left: UInt = 1
    var text = "ab"
    var pages = ["one", "two"]
    var index = 0
    var shown = "one"
    var selected = 0
    var views = 0
    var extra = 0
  }

  struct Edit: Action { let edit: @Sendable (inout Reel) -> Void }

  struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let right: @Sendable (inout Reel) -> Void
    /// Nil where the step says nothing, so that no reducer is wrong.
    let wrong: (@Sendable (inout Reel) -> Void)?
    let says: @Sendable (inout Reel) -> Void
  }

  static let steps = [
    Step(testDescription: "a number without a sign goes down") {
      $0.left -= 1
    } wrong: {
      $0.left = 5
    } says: {
      $0.left -= 1
    },
    Step(testDescription: "a last letter is removed") {
      $0.text.removeLast()
    } wrong: {
      $0.text = ""
    } says: {
      $0.text.removeLast()
    },
    Step(testDescription: "an index moves") {
      $0.index += 1
      $0.shown = $0.pages[$0.index]
    } wrong: {
      $0.index = 9
    } says: {
      $0.index += 1
      $0.shown = $0.pages[$0.index]
    },
    Step(testDescription: "an index is read that another part moves") {
      $0.pages[0] = "new"
      $0.selected = 9
    } wrong: {
      $0.selected = 9
    } says: {
      $0.pages[$0.selected] = "new"
    },
    Step(testDescription: "a condition on what is skipped") {
      $0.text = "c"
      $0.extra = 9
    } wrong: {
      $0.text = "d"
      $0.extra = 9
    } says: {
      $0.text = "c"
      if $0.views > 0 { $0.extra = 1 }
    },
    Step(testDescription: "an expectation of what was there before") {
      $0.left -= 1
    } wrong: {
      $0.text = ""
    } says: {
      #expect($0.left == 1)
      $0.left -= 1
    },
    Step(
      testDescription: "a look at what was there before", right: { $0.selected = 9 }, wrong: nil
    ) {
      #expect($0.selected == 0)
      _ = $0.pages[$0.selected]
    },
  ]

  /// All of them skip how often something was seen, and what else a step does not say of a right reducer.
  static let exhaustivities: [Exhaustivity<Reel>] = [
    .off, .offShowingSkipped, .only(\.left, \.text), .except(\.views, \.extra, \.selected),
  ]

  private static func run(
    _ exhaustivity: Exhaustivity<Reel>, _ edit: @escaping @Sendable (inout Reel) -> Void,
    says: @escaping (inout Reel) -> Void
  ) async throws {
    let test = try TestStore(initialState: Reel(), exhaustivity: exhaustivity) {
      Mutator(\Reel.self) { (reel: inout Reel, action: Edit) in
        action.edit(&reel)
        reel.views += 1
      }
    }
    await test.dispatch(Edit(edit: edit), says)
    await test.finish()
  }

  @Test(arguments: steps.map(\.testDescription)) func `and is right where its reducer is`(
    name: String
  ) async {
    // A process of its own: it would trap in any other state, and at an issue.
    await #expect(processExitsWith: .success) { [name] in
      let step = try #require(StepCallTests.steps.first { $0.testDescription == name })
      for exhaustivity in StepCallTests.exhaustivities {
        try await StepCallTests.run(exhaustivity, step.right, says: step.says)
      }
    }
  }

  @Test(arguments: steps) func `and finds what its reducer does wrong`(step: Step) async {
    guard let wrong = step.wrong else { return }
    for exhaustivity in Self.exhaustivities {
      let heard = await heardIssues {
        try await Self.run(exhaustivity, wrong, says: step.says)
      }
      #expect(heard.filter(\.fails).count == 1)
    }
  }

  @Test func `whatever it has to say, and whether it holds`() async throws {
    for exhaustivity in Self.exhaustivities + [.on] {
      for isRight in [true, false] {
        let calls = Recorder<Reel>()
        let heard = await heardIssues {
          try await Self.run(exhaustivity) {
            $0.text = isRight ? "new" : "other"
          } says: {
            calls.append($0)
            $0.text = "new"
            $0.views = 1
          }
        }
        #expect(calls.values == [Reel()])
        #expect(heard.filter(\.fails).count == (isRight ? 0 : 1))
      }
    }
  }

  @Test func `so what it writes as it was has to hold where that has to be said`() async throws {
    for (exhaustivity, covers) in zip(Self.exhaustivities, [false, false, true, true]) {
      let heard = await heardIssues {
        try await Self.run(exhaustivity) {
          $0.text = "new"
        } says: {
          $0.text = "ab"
        }
      }
      #expect(heard.filter(\.fails).count == (covers ? 1 : 0))
      #if compiler(>=6.3)
        let shown = heard.filter { !$0.fails && $0.text.contains("expected \"ab\", is \"new\"") }
        #expect(shown.count == (exhaustivity.showsSkipped ? 1 : 0))
      #endif
    }
  }
}
