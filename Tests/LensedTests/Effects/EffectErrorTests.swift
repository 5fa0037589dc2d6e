import Lensed
import LensedTestSupport
import Testing

@Suite("Every error of an effect reaches a handler, or standard error", .timeLimit(.minutes(30)))
struct EffectErrorTests {
  private struct Broken: Error {}

  @Test func `catch: handles an error alone`() async throws {
    let errors = Recorder<String>()
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Mutator(\Desk.count) { (count: inout Int, _: CountAction) in count += 1 }
      Effect<Desk>(
        on: TitleAction.self, catch: { _, context in context.dispatch(CountAction.keep) }
      ) { _, _ in throw Broken() }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.count == 1)
    #expect(errors.values == [])
  }

  @Test
  func `without catch:, the store's handler gets the effect's name, the action and the error`()
    async throws
  {
    let errors = Recorder<EffectError>()
    let store = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { errors.append($0) }
    ) {
      Effect<Desk>(on: TitleAction.self) { _, _ in throw Broken() }.named("upload")
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    let error = try #require(errors.last)
    #expect(error.effect.contains("upload"))
    #expect(error.action as? TitleAction == .rename("x"))
    #expect(error.underlying is Broken)
    #expect(error.description.contains("upload") && error.description.contains("rename"))
    #expect(!error.description.contains("onEffectError"), "who reads it has one")
  }

  @Test func `without a handler, an error is one line on standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Effect<Desk>(on: TitleAction.self) { _, _ in throw Broken() }.named("upload")
      }
      try await store.dispatch(TitleAction.rename("two\nlines")).finish()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.split(separator: "\n").filter { $0.contains("upload") }.count == 1)
    #expect(text.hasSuffix("or the store an `onEffectError:`.\n"))
  }

  @Test func `a cancelled effect reports no error`() async throws {
    let errors = Recorder<String>()
    let store = try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Effect<Desk>(on: TitleAction.self) { _, _ in
        try await Gate().wait()
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(errors.values == [])
  }
}
