import Lensed
import Synchronization

/// A page that is being loaded or has been, and lines that an app keeps by their ids.
enum EntityApp {
  struct Line: Sendable, Equatable, Identifiable {
    var id: Int
    var title: String
    var amount = 0

    static func all(_ count: Int) -> [Line] {
      opaque((0..<count).map { Line(id: $0 &* 7919, title: "the title of line \($0)") })
    }
  }

  enum Page: Sendable, Equatable {
    case loading
    case loaded(Line)
  }

  struct Add: Action {
    var amount: Int

    static var sample: Add { opaque(Add(amount: 1)) }
  }

  typealias Reducer = @Sendable (inout Line, Add) -> Void

  static func reducer() -> Reducer {
    opaqueReducer { line, action in line.amount &+= action.amount }
  }

  static var page: Page? { opaque(.loaded(Line.all(1)[0])) }

  /// A store of one page, whose line a reducer reaches through the optional and the case.
  static func store() throws -> Store<Page?> {
    let loaded = Prism<Page, Line>(
      embed: Page.loaded,
      extract: { page in if case .loaded(let line) = page { line } else { nil } })
    let reducer = reducer()
    let lifted = Lensed.Reducer(reducer).matching(loaded).optional()
    return opaque(try Store(initialState: page) { Mutator(\.self, lifted) })
  }

  @inline(never) @_optimize(none)
  private static func opaqueReducer(_ reducer: @escaping Reducer) -> Reducer { reducer }
}

/// The same page written by hand.
final class HandPage: Sendable {
  private let page = Mutex(EntityApp.page)
  private let reducer = EntityApp.reducer()

  func dispatch(_ action: EntityApp.Add) {
    page.withLock { page in
      guard case .loaded(var line) = page else { return }
      reducer(&line, action)
      page = .loaded(line)
    }
  }
}

/// An array of lines, and a dictionary that finds them.
struct HandLines: Equatable {
  private(set) var lines: [EntityApp.Line]
  private var positions: [Int: Int]

  init(_ lines: [EntityApp.Line]) {
    self.lines = lines
    positions = Dictionary(minimumCapacity: lines.count)
    for (position, line) in lines.enumerated() { positions[line.id] = position }
  }

  static func == (left: HandLines, right: HandLines) -> Bool { left.lines == right.lines }

  func line(id: Int) -> EntityApp.Line? { positions[id].map { lines[$0] } }

  mutating func add(_ amount: Int, id: Int) {
    guard let position = positions[id] else { return }
    lines[position].amount &+= amount
  }

  mutating func remove(id: Int) -> EntityApp.Line? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    for line in lines[(position + 1)...] { positions[line.id]? -= 1 }
    return lines.remove(at: position)
  }

  mutating func append(_ line: EntityApp.Line) {
    positions[line.id] = lines.count
    lines.append(line)
  }
}
