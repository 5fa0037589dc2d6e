import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite("Errors that nobody waits for reach the store", .timeLimit(.minutes(30)))
struct UnawaitedErrorTests {
  private struct Broken: Error, Equatable { let number: Int }

  private func makeStore(_ errors: Recorder<String>) throws -> Store<Desk> {
    try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { errors.append("\($0.underlying)") }
    ) {}
  }

  private func failing(_ number: Int) -> AsyncThrowingStream<CountAction, any Error> {
    AsyncThrowingStream { stream in
      stream.yield(.add(1))
      stream.finish(throwing: Broken(number: number))
    }
  }

  @Test(.warnsOnPurpose) func `a sequence whose task is discarded`() async throws {
    let errors = Recorder<String>()
    let store = try makeStore(errors)
    store.dispatch(failing(1))
    #expect(await errors.waitForCount(1) == ["Broken(number: 1)"])
  }

  @Test(.warnsOnPurpose) func `a store settles when they have been reported`() async throws {
    let errors = Recorder<String>()
    let store = Mutex<Store<Desk>?>(nil)
    let made = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { error in
        let isUnderWay = store.withLock { $0?.core.rootWorks.isEmpty } == false
        errors.append("\(error.underlying), \(isUnderWay ? "under way" : "ended")")
      }
    ) {
      AsyncMutator(\.title) { (_: String, _: TitleAction) in
        AsyncResult { throw Broken(number: 2) }
      }
      Effect(on: CountAction.self) { _, _ -> Void in throw Broken(number: 3) }
      Effect(on: CountAction.self) { _, _ in
        AsyncThrowingStream<TitleAction, any Error> { $0.finish(throwing: Broken(number: 4)) }
      }
    }
    store.withLock { $0 = made }
    defer { store.withLock { $0 = nil } }
    for start in [
      { made.dispatch(failing(1)) }, { made.dispatch(TitleAction.rename("x")) },
      { made.dispatch(CountAction.keep) },
    ] {
      _ = start()
      try await made.settled()
    }
    #expect(Set(errors.values.map { $0.suffix(9) }) == ["under way"])
    #expect(Set(errors.values.map { $0.prefix(18) }).count == 4)
  }

  @Test func `a sequence whose task is released after it failed`() async throws {
    let (errors, failed) = (Recorder<String>(), Gate())
    let store = try makeStore(errors)
    var task: DispatchTask? = store.dispatch(
      AsyncThrowingStream<CountAction, any Error> {
        failed.open()
        throw Broken(number: 2)
      })
    try await failed.wait()
    #expect(task?.isCancelled == false)
    task = nil
    #expect(await errors.waitForCount(1) == ["Broken(number: 2)"])
  }

  @Test(.warnsOnPurpose) func `an error that somebody waits for is theirs alone`() async throws {
    let errors = Recorder<String>()
    let store = try makeStore(errors)
    await #expect(throws: Broken(number: 3)) { try await store.dispatch(failing(3)).finish() }
    // What is reported is reported in the order of the failures.
    store.dispatch(failing(4))
    #expect(await errors.waitForCount(1) == ["Broken(number: 4)"])
  }

  @Test(.warnsOnPurpose) func `a sequence that is cancelled is no error`() async throws {
    let errors = Recorder<String>()
    let store = try makeStore(errors)
    let (stream, _) = AsyncThrowingStream.makeStream(of: CountAction.self)
    let task = store.dispatch(stream)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    store.dispatch(failing(5))
    #expect(await errors.waitForCount(1) == ["Broken(number: 5)"])
  }

  @Test func `a cancellation of one's own making is a failure like any other`() async throws {
    let errors = Recorder<String>()
    let store = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { errors.append("\($0.underlying)") }
    ) {
      AsyncMutator(\.title) { (_: String, _: TitleAction) in
        AsyncResult { throw CancellationError() }
      }
      Effect(on: CountAction.self) { _, _ -> Void in throw CancellationError() }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(errors.values == ["CancellationError()"])
    try await store.dispatch(CountAction.keep).finish()
    #expect(errors.values == ["CancellationError()", "CancellationError()"])
  }
}
