import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What a test store finds beside the changes that a step says.
@Suite("What a test store finds", .timeLimit(.minutes(30)))
struct FindingsTests {
  struct Fail: Action {}
  struct Wait: Action {}
  struct WaitUnseen: Action {}
  struct Nobody: Action {}
  struct Line: Sendable, Equatable, Identifiable { let id: Int }
  struct Write: Action, Hashable {}
  struct Page: Sendable, Equatable {
    var lines = [Line(id: 1)]
    var count = 0
    var other = 0
  }

  /// A finding, and what leads to it.
  struct Finding: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let says: String
    var isError = false
    var patience = Duration.seconds(10)
    let find: @Sendable (TestStore<Page>) async -> Void
  }

  static let findings = [
    Finding(
      testDescription: "an uncaught error", says: "An error was caught by nobody.", isError: true
    ) { await $0.dispatch(Fail()) },
    Finding(testDescription: "an effect under way", says: "is still under way") {
      await $0.dispatch(Wait())
    },
    Finding(
      testDescription: "an effect that waits for what the test cannot see",
      says: "has not come to an end", patience: .milliseconds(50)
    ) { await $0.dispatch(WaitUnseen()) },
    Finding(testDescription: "an unhandled action", says: "Nobody handles") {
      await $0.dispatch(Nobody())
    },
    Finding(testDescription: "a missing element", says: "The store warns.") {
      await $0.dispatch(ElementAction(id: 7, action: Write()))
    },
    Finding(testDescription: "a warning", says: "The store warns.") {
      await $0.dispatch([
        ElementAction(id: 1, action: Write()), ElementAction(id: 7, action: Write()),
      ])
    },
    Finding(testDescription: "a commit that no step receives", says: "was not received") {
      $0.store.dispatch(CountAction.add(1))
    },
  ]

  private func page(
    _ exhaustivity: Exhaustivity<Page>, patience: Duration = .seconds(10)
  ) throws -> TestStore<Page> {
    let gate = Gate()
    let (endless, end) = AsyncStream.makeStream(of: Int.self)
    return try TestStore(
      initialState: Page(), exhaustivity: exhaustivity, patience: patience
    ) {
      Mutator(\.lines, Reducer { (_: inout Line, _: Write) in }.identified())
      Mutator(\Page.count) { (count: inout Int, _: CountAction) in count += 1 }
      Constant(\.other)
      Effect(on: Fail.self) { _, _ in throw Offline() }
      Effect(on: Wait.self) { _, _ in try await gate.wait() }
      Effect(on: WaitUnseen.self) { _, _ in
        for await _ in endless {}
        withExtendedLifetime(end) {}
      }
    }
  }

  @Test(arguments: findings) func `is an issue, and a warning or nothing where it need not be said`(
    finding: Finding
  ) async throws {
    let levels: [(Exhaustivity<Page>, fails: Bool, isShown: Bool)] = [
      (.on, true, true), (.only(\.count), true, true), (.off, finding.isError, finding.isError),
      (.offShowingSkipped, finding.isError, true),
    ]
    for (exhaustivity, fails, isShown) in levels {
      let heard = await heardIssues {
        let test = try page(exhaustivity, patience: finding.patience)
        await finding.find(test)
        await test.finish()
      }
      #if compiler(>=6.3)
        #expect(heard.count == (isShown ? 1 : 0), "\(heard.map(\.text))")
        #expect(heard.allSatisfy { $0.fails == fails && $0.text.contains(finding.says) })
      #else
        #expect(heard.count == (fails ? 1 : 0))
      #endif
    }
  }

  @Test func `is left to be received where a step throws after it has committed`() async throws {
    let test = try page(.on)
    await #expect(throws: Offline.self) {
      try await test.perform {
        test.store.dispatch(CountAction.add(1))
        throw Offline()
      }
    }
    let heard = await issues { await test.finish() }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("`CountAction.add(1)` was not received by any step:") == true)

    await #expect(throws: Offline.self) {
      try await test.perform {
        test.store.dispatch(CountAction.add(2))
        throw Offline()
      }
    }
    await test.receive(CountAction.self) { $0.count = 2 }
    await #expect(throws: Offline.self) { try await test.perform { throw Offline() } }
    await test.finish()
  }

  @Test func `is an issue of a step whose closure throws`() async throws {
    let test = try page(.on)
    let heard = await issues {
      await test.dispatch(CountAction.add(1)) { _ in throw Offline() }
      try await test.perform {
        test.store.dispatch(CountAction.add(1))
      } changes: { _ in
        throw Offline()
      }
      test.store.dispatch(CountAction.add(1))
      await test.receive(CountAction.self) { _ in throw Offline() }
      await test.finish()
    }
    #expect(heard.count == 3)
  }

  @Test func `after its end is an issue when it is released, or when it ends again`() async throws {
    func run(_ exhaustivity: Exhaustivity<Page>, _ body: (TestStore<Page>) async -> Void)
      async -> [String]
    {
      await issues {
        let test = try page(exhaustivity)
        await test.finish()
        await body(test)
      }
    }
    let commit = await run(.on) { $0.store.dispatch(CountAction.add(1)) }
    #expect(commit.count == 1)
    #expect(commit.first?.hasPrefix("`CountAction.add(1)` came after `finish()`:") == true)
    let error = await run(.off) {
      $0.store.dispatch(Fail())
      await $0.rest()
    }
    #expect(error.count == 1)
    #expect(error.first?.hasPrefix("An error was caught by nobody, after `finish()`.") == true)
    #expect(await run(.only(\.other)) { $0.store.dispatch(CountAction.add(1)) } == [])
    let again = await run(.on) {
      $0.store.dispatch(CountAction.add(1))
      await $0.finish()
    }
    #expect(again.count == 1)
    let received = await run(.on) {
      $0.store.dispatch(CountAction.add(1))
      await $0.receive(CountAction.self) { $0.count = 1 }
      await $0.finish()
    }
    #expect(received == [])
  }

  @Test(arguments: [false, true])
  func `after a step that follows the end is not known, so the test has to end again`(
    leavesEffects: Bool
  ) async throws {
    let steps: [@Sendable (TestStore<Page>) async -> Void] = [
      { await $0.dispatch(CountAction.add(1)) { $0.count = 2 } },
      { await $0.dispatch([CountAction.add(1)]) { $0.count = 2 } },
      { test in
        await test.perform {
          test.store.dispatch(CountAction.add(1))
        } changes: {
          $0.count = 2
        }
      },
      {
        $0.store.dispatch(CountAction.add(1))
        await $0.receive(CountAction.self) { $0.count = 2 }
      },
      { await $0.rest() },
      { await $0.skipReceived() },
      {
        $0.store.dispatch(Fail())
        await $0.receiveError(Offline.self)
        await $0.skipReceived()
      },
    ]
    for (index, step) in steps.enumerated() {
      for endsAgain in [false, true] {
        let heard = await issues {
          let test = try page(.on)
          await test.dispatch(CountAction.add(1)) { $0.count = 1 }
          await (leavesEffects ? test.finishLeavingEffects() : test.finish())
          await step(test)
          if endsAgain { await test.finishLeavingEffects() }
        }
        let ends = heard.filter {
          $0.hasPrefix("A TestStore was released after a step that follows `finish()`")
        }
        #expect(ends.count == (endsAgain ? 0 : 1), "step \(index): \(heard)")
      }
    }
  }

  @Test func `an effect that a step leaves asleep after the end`() async throws {
    let heard = await issues {
      let test = try page(.on)
      await test.finish()
      await test.dispatch(Wait())
      await test.finish()
    }
    #expect(heard.count == 1)
    #expect(heard.first?.contains(" is still under way. ") == true)
  }
}
