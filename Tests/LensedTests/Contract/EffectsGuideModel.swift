import Lensed
import LensedTestSupport

/// The library app that the guide to effects is about.
enum GuideApp {
  // GUIDE: The app of the examples
  struct AppState: Sendable {
    var query = ""
    var titles: [String] = []
    var failure: String?
    var session: Session?
    var shelves: [Shelf] = []
    var page = Page.start
  }
  struct Session: Sendable {
    let user: String
  }
  struct Shelf: Sendable, Identifiable {
    let id: Int
    var books = 0
  }
  enum Page: Sendable, Equatable {
    case start, loading, showing(String), failed
  }

  struct Search: Action { let text: String }
  struct Found: Action { let titles: [String] }
  struct Failed: Action { let reason: String }
  struct LogIn: Action { let user: String }
  struct LogOut: Action {}
  struct Stock: Action { let shelf: Int }
  enum PageEvent: Action { case open(String) }
  // GUIDE: end

  /// What the app asks; a closed gate makes it wait.
  struct Library: Sendable {
    struct Unknown: Error, CustomStringConvertible {
      let description: String
    }

    var gate: Gate?
    let asked = Recorder<String>()

    func titles(with text: String) async throws -> [String] {
      asked.append(text)
      try await gate?.wait()
      if text == "?" { throw Unknown(description: "no answer to `?`") }
      return ["\(text) I", "\(text) II"]
    }

    func text(of title: String) async throws -> String {
      asked.append(title)
      try await gate?.wait()
      if title == "?" { throw Unknown(description: "no text of `?`") }
      return "\(title): once upon a time"
    }

    func count(of shelf: Int) async throws -> Int {
      asked.append("\(shelf)")
      try await gate?.wait()
      return shelf * 10
    }
  }

  /// The mutators that every example has, and what more one of them has.
  static func store(
    errors: Recorder<String> = Recorder(),
    @StoreBuilder<AppState> _ more: () -> [StorePart<AppState>] = { [] }
  ) throws -> Store<AppState> {
    try Store(
      initialState: AppState(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Mutator(\.query) { (query: inout String, action: Search) in query = action.text }
      Mutator(\.titles) { (titles: inout [String], action: Found) in titles = action.titles }
      Mutator(\.failure) { (failure: inout String?, action: Failed) in failure = action.reason }
      Mutator(\.session) { (session: inout Session?, action: LogIn) in
        session = Session(user: action.user)
      }
      .on(LogOut.self) { session, _ in session = nil }
      more()
    }
  }
}
