import Lensed
import LensedTestSupport
import Testing

extension PartHistoryTests {
  struct Document: Sendable, Equatable {
    var text = ""
    var cursor = 0
  }

  struct App: Sendable {
    var document = Document()
    var count = 0
    var title = ""
  }

  enum Edit: Action, Hashable {
    case type(String)
    case move(Int)
    case keep
  }

  func makeStore(
    _ history: History<App>, @StoreBuilder<App> _ parts: () -> [StorePart<App>] = { [] }
  ) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial, middleware: [history]) {
      Mutator(\.document) { (document: inout Document, edit: Edit) in
        switch edit {
        case .type(let text): document.text += text
        case .move(let cursor): document.cursor = cursor
        case .keep: break
        }
      }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      parts()
    }
  }
}
