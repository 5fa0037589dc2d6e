import Lensed
import LensedTestSupport

/// What the contract's snippets on effects are written with.
enum EffectContract {
  struct AppState: Sendable, Equatable {
    var query = ""
    var found: [String] = []
    var session: String? = "Ann"
    var chats: [String: Int] = ["a": 1]
    var rooms = [Room(id: 7)]
    var count = 0
  }

  struct Room: Sendable, Equatable, Identifiable {
    let id: Int
  }

  struct SearchAction: Action, Equatable { var query = "" }
  enum ResultsAction: Action, Equatable { case found(String) }
  struct LogOut: Action {}
  struct Leave: Action {}

  typealias API = GatedNetwork<String, String>

  static func makeStore(
    errors: Recorder<EffectError> = Recorder(),
    @StoreBuilder<AppState> _ more: () -> [StorePart<AppState>] = { [] }
  ) throws -> Store<AppState> {
    try Store(
      initialState: AppState(), coverage: .partial, onEffectError: { errors.append($0) }
    ) {
      Mutator(\.query) { (query: inout String, action: SearchAction) in query = action.query }
      Mutator(\.found) { (found: inout [String], action: ResultsAction) in
        if case .found(let text) = action { found.append(text) }
      }
      Mutator(\.session) { (session: inout String?, _: LogOut) in session = nil }
      Mutator(\.chats) { (chats: inout [String: Int], _: Leave) in chats = [:] }
      Mutator(\.rooms) { (rooms: inout [Room], _: Leave) in rooms = [] }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      more()
    }
  }
}
