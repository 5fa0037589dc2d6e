import Lensed
import LensedTestSupport
import Testing

@Suite("What the log leaves out is in no text, however it was dispatched", .timeLimit(.minutes(30)))
struct LeftOutActionsTests {
  private struct Marked: Action, NotLogged {}
  private struct Excluded: Action {}
  private struct Plain: Action {}

  private enum Left {}

  private struct Row: Sendable, Identifiable { var id = 1 }
  private struct Room: Sendable { var rows = [Row()] }
  private struct App: Sendable {
    var room = Room()
    var rows = [Row()]
  }

  private typealias Dispatch<A> = @Sendable (Store<App>, A) async throws -> Void

  /// All ways to dispatch an action.
  private static func ways<A: Action>(_: A.Type) -> [(name: String, dispatch: Dispatch<A>)] {
    [
      ("alone", { $0.dispatch($1) }),
      ("boxed", { $0.dispatch($1 as any Action) }),
      ("array", { $0.dispatch([$1, $1]) }),
      ("list", { $0.dispatch(ActionList([$1, [$1]])) }),
      ("tagged", { $0.dispatch($1.tagged(Left.self)) }),
      ("tagged twice", { $0.dispatch($1.tagged(Left.self).tagged(App.self)) }),
      ("tagged list", { $0.dispatch(ActionList([$1, [$1]]).tagged(Left.self)) }),
      ("element", { $0.dispatch(ElementAction(id: 1, action: $1)) }),
      (
        "element of an element",
        { store, action in
          store.dispatch(ElementAction(id: 1, action: ElementAction(id: 2, action: action)))
        }
      ),
      ("element's array", { $0.dispatch(ElementAction(id: 1, action: [$1, $1])) }),
      ("tagged element", { $0.dispatch(ElementAction(id: 1, action: $1).tagged(Left.self)) }),
      ("element, tagged", { $0.dispatch(ElementAction(id: 1, action: $1.tagged(Left.self))) }),
      ("scope", { $0.scope(\.room).dispatch($1) }),
      ("tagged scope", { $0.scope(\.room, actions: .tagged(Left.self)).dispatch($1) }),
      ("row", { $0.scope(\.rows, id: 1)?.dispatch($1) }),
      (
        "row of a tagged scope",
        { store, action in
          store.scope(\.room, actions: .tagged(Left.self)).scope(\.rows, id: 1)?.dispatch([action])
        }
      ),
      (
        "sequence",
        { store, action in
          try await store.dispatch(AsyncStream([action])).finish()
        }
      ),
      (
        "tagged sequence",
        { store, action in
          let scope = store.scope(\.room, actions: .tagged(Left.self))
          try await scope.dispatch(AsyncStream([action])).finish()
        }
      ),
      ("beside another", { $0.dispatch([NoteAction.append(1), $1.tagged(Left.self)]) }),
    ]
  }

  private static func texts<A: Action>(of action: A, _ dispatch: Dispatch<A>) async throws -> String
  {
    let log = Recorder<String>()
    let logger = ActionLogger<App>(excluding: [Excluded.self]) { log.append($0) }
    let store = try Store(
      initialState: App(), coverage: .partial, middleware: [logger], onWarning: { _ in }
    ) {}
    try await dispatch(store, action)
    return log.values.joined(separator: "\n")
  }

  @Test func `neither what is marked nor what is excluded is logged`() async throws {
    for (name, dispatch) in Self.ways(Plain.self) {
      #expect(try await Self.texts(of: Plain(), dispatch).contains("Plain"), "\(name)")
    }
    for (name, dispatch) in Self.ways(Marked.self) {
      #expect(try await !Self.texts(of: Marked(), dispatch).contains("Marked"), "\(name)")
    }
    for (name, dispatch) in Self.ways(Excluded.self) {
      #expect(try await !Self.texts(of: Excluded(), dispatch).contains("Excluded"), "\(name)")
    }
  }

  @Test func `a type with its tag is excluded, and the type without it is not`() throws {
    let log = Recorder<String>()
    let logger = ActionLogger<App>(excluding: [Tagged<Left, Plain>.self]) { log.append($0) }
    let store = try Store(
      initialState: App(), coverage: .partial, middleware: [logger], onWarning: { _ in }
    ) {}
    store.dispatch(Plain().tagged(Left.self))
    store.dispatch(ElementAction(id: 1, action: Plain().tagged(Left.self)))
    #expect(log.values == [])
    store.dispatch(Plain())
    #expect(log.values.count == 1)
  }
}

extension AsyncStream where Element: Sendable {
  fileprivate init(_ elements: [Element]) {
    self.init { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
