import Lensed
import LensedTestSupport
import Testing

@Suite("finish(throwing: .effects) throws the first error of an effect", .timeLimit(.minutes(30)))
struct EffectErrorWaitingTests {
  private struct Broken: Error, Equatable {
    var name = ""
  }

  private let reported = Recorder<String>()

  private func makeStore(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk>
  {
    try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { [reported] in reported.append("\($0.underlying)") }
    ) {
      Desk.countMutator
      parts()
    }
  }

  @Test func `the error of the one effect of a dispatch, which is reported too`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { _, _ -> Void in throw Broken() }
    }
    let task = store.dispatch(CountAction.add(1))
    await #expect(throws: Broken.self) { try await task.finish(throwing: .effects) }
    try await task.finish()
    await #expect(throws: Broken.self) { try await task.finish(throwing: .effects) }
    #expect(reported.count == 1)
  }

  @Test func `the error of an effect of an effect, and of one of several`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { _, context in context.dispatch(NoteAction.append(1)) }
      Effect(on: CountAction.self) { _, _ in }
      Effect(on: NoteAction.self) { _, _ -> Void in throw Broken(name: "inner") }
    }
    await #expect(throws: Broken(name: "inner")) {
      try await store.dispatch(CountAction.add(1)).finish(throwing: .effects)
    }
  }

  @Test func `the first of several errors`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [reported] action, _ -> Void in
        if action == .add(2) { _ = await reported.waitForCount(1) }
        throw Broken(name: "\(action)")
      }
    }
    await #expect(throws: Broken(name: "add(1)")) {
      try await store.dispatch([CountAction.add(2), .add(1)]).finish(throwing: .effects)
    }
    #expect(reported.count == 2)
  }

  @Test func `an error that catch handles is none, and an event's error is one`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self, catch: { _, _ in }) { _, _ -> Void in throw Broken() }
      AsyncMutator(\.title) { (_: String, _: TitleAction) -> AsyncResult<String> in
        AsyncResult { throw Broken(name: "event") }
      }
    }
    try await store.dispatch(CountAction.add(1)).finish(throwing: .effects)
    await #expect(throws: Broken(name: "event")) {
      try await store.dispatch(TitleAction.rename("")).finish(throwing: .effects)
    }
  }

  @Test func `an error of another dispatch is not thrown`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { action, _ -> Void in
        if action == .reset { throw Broken() }
      }
    }
    let (bad, good) = (store.dispatch(CountAction.reset), store.dispatch(CountAction.add(1)))
    try await good.finish(throwing: .effects)
    await #expect(throws: Broken.self) { try await bad.finish(throwing: .effects) }
  }
}

@Suite("Reducers and prisms are made of several")
struct CompositionFormTests {
  private enum Wide: Action, Equatable {
    case count(CountAction)
    case other
  }

  @Test func `an array of reducers runs in order`() {
    let add = Reducer { (notes: inout [Int], action: NoteAction) in notes.append(1) }
    let double = Reducer { (notes: inout [Int], action: NoteAction) in notes = notes.map { $0 * 2 }
    }
    var notes: [Int] = []
    Reducer.combine([add, double, add]).reduce(&notes, NoteAction.append(0))
    #expect(notes == [2, 1])
    Reducer<[Int]>.combine([]).reduce(&notes, NoteAction.append(0))
    #expect(notes == [2, 1])
  }

  @Test func `a prism of a case and a closure`() {
    let prism = Prism(Wide.count) { if case .count(let action) = $0 { action } else { nil } }
    #expect(prism.embed(.reset) == .count(.reset))
    #expect(prism.extract(.count(.reset)) == .reset)
    #expect(prism.extract(.other) == nil)
  }
}
