import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Asynchronous reducers: results compose", .timeLimit(.minutes(30)))
struct AsyncResultTests {
  private struct Failure: Error, Equatable { var number = 0 }

  /// What is shown while a result is worked out, and what comes of it.
  private func trace(_ result: AsyncResult<Int>) async -> [String] {
    let shown = Recorder<String>()
    if let loading = result.loading { shown.append("\(loading)…") }
    do {
      shown.append("\(try await result.work { shown.append("\($0)…") })")
    } catch {
      shown.append("\(error)")
    }
    return shown.values
  }

  @Test func `map transforms the value, and what stands in for it`() async {
    #expect(await trace(AsyncResult(value: 2).whileLoading(0).map { $0 * 10 + 1 }) == ["1…", "21"])
  }

  @Test func `flatMap to the same type keeps the stand-in, until the next one has its own`() async {
    let first = AsyncResult(value: 2).whileLoading(0)
    #expect(await trace(first.flatMap { value in AsyncResult { value + 1 } }) == ["0…", "3"])
    #expect(
      await trace(first.flatMap { AsyncResult(value: $0 + 1).whileLoading(5) })
        == ["0…", "5…", "3"])
  }

  @Test func `flatMap to another type gives the stand-in up`() async throws {
    let text = AsyncResult(value: 2).whileLoading(0).flatMap { AsyncResult(value: "\($0)") }
    #expect(text.loading == nil)
    #expect(try await text.value() == "2")
  }

  @Test func `recover and mapError keep the stand-in`() async {
    let failing = AsyncResult<Int>(error: Failure(number: 1)).whileLoading(0)
    #expect(await trace(failing.recover { _ in 7 }) == ["0…", "7"])
    #expect(
      await trace(failing.mapError { _ in Failure(number: 2) })
        == ["0…", "\(Failure(number: 2))"])
    #expect(await trace(failing.mapError { $0 }.recover { _ in 8 }.map { $0 + 1 }) == ["1…", "9"])
  }

  @Test func `zip works two to five out side by side`() async throws {
    let meeting = Gate()
    let arrivals = Counter()
    let part: @Sendable (Int) -> AsyncResult<Int> = { number in
      AsyncResult {
        // Each waits until all have come.
        arrivals.increment()
        if arrivals.value >= 5 { meeting.open() }
        try await meeting.wait()
        return number
      }
    }
    let five = try await AsyncResult<(Int, Int, Int, Int, Int)>
      .zip(part(1), part(2), part(3), part(4), part(5)).value()
    #expect(five == (1, 2, 3, 4, 5))
    #expect(try await AsyncResult<(Int, Int)>.zip(part(1), part(2)).value() == (1, 2))
    #expect(
      try await AsyncResult<(Int, Int, Int)>.zip(part(1), part(2), part(3)).value() == (1, 2, 3))
    #expect(
      try await AsyncResult<(Int, Int, Int, Int)>.zip(part(1), part(2), part(3), part(4)).value()
        == (1, 2, 3, 4))
    #expect(
      AsyncResult<(Int, Int)>.zip(part(1).whileLoading(0), part(2).whileLoading(0)).loading == nil)
  }

  @Test func `the first failure of a zip wins and cancels the others`() async {
    let endless = Gate()
    let wasCancelled = Gate()
    let slow = AsyncResult<Int> {
      do { try await endless.wait() } catch { wasCancelled.open() }
      try Task.checkCancellation()
      return 1
    }
    let failing = AsyncResult<Int> {
      await endless.waitForWaiters()
      throw Failure(number: 3)
    }
    await #expect(throws: Failure(number: 3)) {
      try await AsyncResult<(Int, Int)>.zip(slow, failing).value()
    }
    #expect(wasCancelled.isOpen)
  }

  @Test func `all gives the values in order, or the first failure`() async throws {
    #expect(
      try await AsyncResult<[Int]>.all((0..<20).map { AsyncResult(value: $0) }).value()
        == Array(0..<20))
    #expect(try await AsyncResult<[Int]>.all([AsyncResult<Int>]()).value() == [])
    await #expect(throws: Failure(number: 1)) {
      try await AsyncResult<[Int]>.all([
        AsyncResult(value: 1), AsyncResult(error: Failure(number: 1)),
      ])
      .value()
    }
  }

  @Test func `a cancellation is never recovered from`() async {
    let gate = Gate()
    let task = Task {
      try await AsyncResult<Int> {
        try await gate.wait()
        return 1
      }.recover { _ in 2 }.value()
    }
    await gate.waitForWaiters()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
