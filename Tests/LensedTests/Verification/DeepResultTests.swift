import LensedTestSupport
import Testing

@testable import Lensed

/// Each in a process of its own: whoever runs out of stack ends it.
@Suite("Operators of AsyncResult, 2,000 of them, on a small stack", .timeLimit(.minutes(30)))
struct DeepResultTests {
  private struct Failure: Error {}

  private enum Chain: Int, CaseIterable, Codable {
    case map, flatMap, flatMapElsewhere, recover, mapError, whileLoading, mixed

    func adding(to result: AsyncResult<Int>, _ step: Int) -> AsyncResult<Int> {
      switch self {
      case .map: result.map { $0 + 1 }
      case .flatMap: result.flatMap { AsyncResult(value: $0 + 1) }
      case .flatMapElsewhere:
        result.flatMap { AsyncResult(value: "\($0 + 1)") }.map { Int($0) ?? 0 }
      case .recover: result.recover { _ in 0 }.map { $0 + 1 }
      case .mapError: result.mapError { _ in Failure() }.map { $0 + 1 }
      case .whileLoading: result.whileLoading(7).map { $0 + 1 }
      case .mixed:
        step.isMultiple(of: 2)
          ? result.flatMap { number in AsyncResult { number + 1 } }
          : result.recover { _ in 0 }.map { $0 + 1 }
      }
    }

    func chain(_ count: Int) -> AsyncResult<Int> {
      var result = AsyncResult(value: 0).whileLoading(-1)
      for step in 0..<count { result = adding(to: result, step) }
      return result
    }
  }

  @Test(arguments: Chain.allCases)
  private func `they are made, run and released`(chain: Chain) async {
    await #expect(processExitsWith: .success) { [chain] in
      let parcel = Parcel(chain.chain(2_000))
      try await SmallStack.runTask {
        let shown = Counter()
        let value = try await parcel.take()?.work { _ in shown.increment() }
        try #require(value == 2_000)
      }
      SmallStack.run { withExtendedLifetime(chain.chain(2_000)) {} }
    }
  }

  @Test func `stand-ins go through the 1,000 operators that follow them`() async throws {
    var result = AsyncResult(value: 0)
    for _ in 0..<500 {
      result = result.flatMap { AsyncResult(value: $0).whileLoading($0) }.map { $0 + 1 }
    }
    let shown = Recorder<Int>()
    #expect(try await result.work { shown.append($0) } == 500)
    #expect(shown.values == Array(repeating: 500, count: 500))
  }

  @Test func `a failure goes past 2,000 operators, and is recovered from`() async {
    await #expect(processExitsWith: .success) {
      try await SmallStack.runTask {
        var result = AsyncResult<Int>(error: Failure())
        for _ in 0..<2_000 { result = result.map { $0 + 1 }.mapError { $0 } }
        let value = try await result.recover { $0 is Failure ? 7 : 0 }.value()
        try #require(value == 7)
      }
    }
  }

  @Test func `what goes on with itself 100,000 times runs`() async {
    await #expect(processExitsWith: .success) {
      @Sendable func countdown(_ number: Int) -> AsyncResult<Int> {
        number == 0
          ? AsyncResult(value: 0)
          : AsyncResult(value: number).flatMap { countdown($0 - 1) }.map { $0 + 1 }
      }
      try await SmallStack.runTask {
        let value = try await countdown(100_000).value()
        try #require(value == 100_000)
      }
    }
  }

  @Test func `results with one beginning go on without each other`() async throws {
    let start = AsyncResult(value: 1).map { $0 + 1 }
    let (left, right) = (start.map { $0 * 10 }, start.flatMap { AsyncResult(value: $0 * 100) })
    #expect(try await left.value() == 20)
    #expect(try await right.value() == 200)
    #expect(try await start.value() == 2)
    #expect(try await left.value() == 20)
  }

  private static func zipped(_ depth: Int) -> AsyncResult<Int> {
    var result = AsyncResult(value: 0)
    for step in 0..<depth {
      result =
        step.isMultiple(of: 2)
        ? AsyncResult<(Int, Int)>.zip(result, AsyncResult(value: 1)).map { $0 + $1 }
        : AsyncResult<[Int]>.all([result, AsyncResult(value: 1)]).map { $0.reduce(0, +) }
    }
    return result
  }

  @Test func `results are zipped 100 deep, run, cancelled and released`() async {
    await #expect(processExitsWith: .success) {
      let parcel = Parcel(Self.zipped(100))
      try await SmallStack.runTask {
        try #require(try await parcel.take()?.value() == 100)
        let waiting = Gate()
        var result = AsyncResult {
          waiting.open()
          try await Gate().wait()
          return 0
        }
        for _ in 0..<99 {
          result = AsyncResult<(Int, Int)>.zip(result, AsyncResult(value: 1)).map { $0 + $1 }
        }
        let task = Task { [result] in try await result.value() }
        try await waiting.wait()
        task.cancel()
        guard case .failure = await task.result else { throw Failure() }
      }
    }
  }

  @Test func `zipped 101 deep they trap with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Self.zipped(101) }
    #expect(result?.message.contains("more than 100 deep") == true)
  }
}
