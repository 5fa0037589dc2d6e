import Foundation
import Lensed
import LensedTestSupport
import Testing

/// Attacked in depth by `AsyncResultTests`.
@Suite("Asynchronous results map, recover, zip and fail", .timeLimit(.minutes(30)))
struct AsyncResultContractTests {
  private struct Failure: Error, Equatable {}

  @Test func `init, init(value:), map, flatMap, mapError, recover`() async throws {
    #expect(try await AsyncResult { 1 }.map { $0 + 1 }.value() == 2)
    #expect(try await AsyncResult(value: 1).flatMap { AsyncResult(value: $0 + 1) }.value() == 2)
    #expect(try await AsyncResult(value: 1).flatMap { AsyncResult(value: "\($0)") }.value() == "1")
    let failing = AsyncResult<Int> { throw URLError(.badURL) }.mapError { _ in Failure() }
    await #expect(throws: Failure()) { try await failing.value() }
    #expect(try await failing.recover { _ in 7 }.value() == 7)
  }

  @Test func `zip of two to five, and all`() async throws {
    let one = AsyncResult(value: 1)
    #expect(try await AsyncResult.zip(one, one).map { $0 + $1 }.value() == 2)
    #expect(try await AsyncResult.zip(one, one, one).map { $0 + $1 + $2 }.value() == 3)
    #expect(try await AsyncResult.zip(one, one, one, one).map { $0 + $1 + $2 + $3 }.value() == 4)
    #expect(
      try await AsyncResult.zip(one, one, one, one, one).map { $0 + $1 + $2 + $3 + $4 }.value()
        == 5)
    #expect(try await AsyncResult.all([one, one, one]).value() == [1, 1, 1])
  }

  @Test func `what stands in survives all that keeps the type, and is given anew after a zip`()
    async throws
  {
    let slow = AsyncResult(value: 1).whileLoading(0)
    let shown = Recorder<Int>()
    let results: [AsyncResult<Int>] = [
      slow.recover { _ in 9 }, slow.mapError { $0 }, slow.map { $0 + 10 },
      slow.flatMap { AsyncResult(value: $0 + 20) },
      AsyncResult.zip(slow, slow).map { $0 + $1 + 30 },
      AsyncResult.zip(slow, slow).map { $0 + $1 + 40 }.whileLoading(-1),
    ]
    let store = try Store(initialState: [100]) {
      AsyncMutator(\.self) { (numbers: [Int], action: CountAction) in
        guard case .add(let index) = action else { return AsyncResult(value: numbers) }
        return results[index].map { [$0] }
      }
    }
    let subscription = store.states.subscribe { shown.append($0[0]) }
    for index in results.indices { try await store.dispatch(CountAction.add(index)).finish() }
    #expect(shown.values.dropFirst() == [0, 1, 0, 1, 10, 11, 0, 21, 32, -1, 42])
    subscription.cancel()
  }
}
