import Foundation
import Lensed
import LensedInspector
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

@testable import lensed_inspect

/// What the article `FindingTheCause` tells, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the story of a bug that is found by its cause", .timeLimit(.minutes(30)))
struct CauseStoryTests {
  // GUIDE: The app
  struct TodoApp: Codable, Sendable, Equatable {
    var todos: Entities<Todo> = []
  }
  struct Todo: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var isDone = false
  }
  enum TodoAction: Action, Codable {
    case add(id: Int, title: String), complete(Int), reopen(Int)
  }
  struct Archived: Action, Codable { var ids: [Int] }
  // GUIDE: end

  @Test func `it is told as it happens`() async throws {
    try await Folder.run { folder in
      let (file, clock) = (folder.appending(path: "report.lensed"), ManualClock())
      // GUIDE: The parts
      let edits = Mutator(\TodoApp.todos) { (todos: inout Entities<Todo>, action: TodoAction) in
        switch action {
        case .add(let id, let title): todos.append(Todo(id: id, title: title))
        case .complete(let id): todos[id: id]?.isDone = true
        case .reopen(let id): todos[id: id]?.isDone = false
        }
      }
      let list = edits.on(Archived.self) { todos, archived in
        todos.removeAll { archived.ids.contains($0.id) }
      }
      let archive = Effect<TodoApp>(on: TodoAction.self) { action, context in
        guard case .complete(let id) = action else { return }
        try await clock.sleep(for: .seconds(5))
        context.dispatch(Archived(ids: [id]))
      }
      .named("Archive")
      // GUIDE: end

      // GUIDE: The recorder
      let registry = ActionRegistry(.json).adding(TodoAction.self).adding(Archived.self)
      let recorder = try SessionRecorder<TodoApp>(to: file, registry)
      let store = try Store(initialState: TodoApp(), middleware: [recorder], clock: clock) {
        list
        archive
      }
      // GUIDE: end

      #expect(registry.missing(in: store) == [])
      store.dispatch(TodoAction.add(id: 1, title: "Buy milk"))
      store.dispatch(TodoAction.add(id: 2, title: "Call Ada"))
      let run = store.dispatch(TodoAction.complete(1))
      await clock.advance(by: .seconds(2))
      store.dispatch(TodoAction.reopen(1))
      await clock.advance(by: .seconds(3))
      try await run.finish()
      #expect(store.todos.map(\.id) == [2])

      // The lines of the places are those of this file, so the article has others.
      let why = Run(file.path, "why", "todos")
      #expect(why.status == 0)
      #expect(try why.output.plain == Self.shown("why todos"))
      let rows = Run(file.path, "rows", "todos", "--id", "1")
      #expect(try rows.output.plain == Self.shown("rows todos --id 1"))

      // GUIDE: The session
      let session = try RecordedSession<TodoApp>(reading: file, registry)
      let nothingVanishes = Invariant<TodoApp>("what is to do does not vanish") { before, after in
        before.todos.allSatisfy { $0.isDone || after.todos.contains(id: $0.id) }
      }
      // GUIDE: end
      let heard = await heardIssues {
        // GUIDE: The search
        await explore(
          store: { try Store(initialState: TodoApp()) { list } }, session: session,
          invariants: [nothingVanishes])
        // GUIDE: end
      }
      #expect(heard.count == 1)
      let text = heard[0].text
      #expect(text.contains("“what is to do does not vanish” does not hold after 5 steps"))
      #expect(text.contains("Archived(ids: [1])") && !text.contains("complete"), "\(text)")

      // GUIDE: The remedy
      let mended = edits.on(Archived.self) { todos, archived in
        todos.removeAll { archived.ids.contains($0.id) && $0.isDone }
      }
      // GUIDE: end
      let silence = await heardIssues {
        // GUIDE: The replay
        await explore(
          store: { try Store(initialState: TodoApp()) { mended } }, session: session,
          invariants: [nothingVanishes])
        // GUIDE: end
      }
      #expect(silence.map(\.text) == [])
      // The very same session: up to its last commit the states that were, and after that what should have been.
      let replayed = Recorder<[Int]>()
      let warnings = Recorder<StoreWarning>()
      let fixed = try Store(initialState: TodoApp(), onWarning: { warnings.append($0) }) { mended }
      fixed.replay(session) { _, state in replayed.append(state.todos.map(\.id)) }
      #expect(replayed.values == [[1], [1, 2], [1, 2], [1, 2], [1, 2]])
      #expect(fixed.todos.map(\.isDone) == [false, false])
      #expect(warnings.values.count == 1, "it is told that the last commit comes to another state")
    }
  }

  @Test func `the article shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "FindingTheCause") == marked)
  }

  @Test func `the landing page shows an inspector`() async throws {
    let list = Mutator(\TodoApp.todos) { (_: inout Entities<Todo>, _: TodoAction) in }
      .on(Archived.self) { _, _ in }
    let archive = Effect<TodoApp>(on: TodoAction.self) { _, _ -> Void in }
    try await Folder.run { folder in
      let file = folder.appending(path: "page.html")
      do {
        // LANDING: An inspector
        let registry = ActionRegistry(.json).adding(TodoAction.self).adding(Archived.self)
        let inspector = Inspector<TodoApp>(registry)
        let store = try Store(initialState: TodoApp(), middleware: [inspector]) {
          list
          archive
        }
        let address = try await inspector.serve()
        try inspector.write(to: file)
        // LANDING: end
        #expect(address.host() == "127.0.0.1" && store.todos.isEmpty)
        await inspector.stop()
      } catch InspectorError.inactive {
        // As the page says of release builds.
      }
    }
    let marked = try CodeRegions.marked("LANDING", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "LensedInspector") == marked)
  }

  @Test func `the article about the page shows an inspector that is told of warnings`() async throws
  {
    struct Unheard: Action {}
    defer {
      try? FileManager.default.removeItem(at: URL.temporaryDirectory.appending(path: "garden.html"))
    }
    do {
      // LOOKING: An inspector
      struct Garden: Sendable, Codable { var plants: [String] = [] }
      struct Plant: Action, Codable { let name: String }

      let registry = ActionRegistry(.json).adding(Plant.self)
      let inspector = Inspector<Garden>(registry)
      let store = try Store(
        initialState: Garden(), middleware: [inspector],
        onEffectError: { inspector.note($0) }, onWarning: { inspector.note($0) }
      ) {
        Mutator(\.plants) { (plants: inout [String], plant: Plant) in plants.append(plant.name) }
      }
      let address = try await inspector.serve()  // open it in a browser on this machine
      try inspector.write(to: URL.temporaryDirectory.appending(path: "garden.html"))
      // LOOKING: end
      #expect(address.host() == "127.0.0.1")
      store.dispatch(Plant(name: "Fern"))
      store.dispatch(Unheard())
      try await Folder.run { folder in
        let file = folder.appending(path: "page.html")
        try inspector.write(to: file)
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("Fern") && page.contains("no effect handles this type"))
      }
      await inspector.stop()
    } catch InspectorError.inactive {
      // As the page says of release builds.
    }
    let marked = try CodeRegions.marked("LOOKING", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "LookingAtAStore") == marked)
  }

  /// What a command of the article shows.
  private static func shown(_ command: String) throws -> String {
    let text = try String(contentsOf: CodeRegions.article("FindingTheCause"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```console\n").dropFirst()
    let block = try #require(blocks.first { $0.prefix { $0 != "\n" }.hasSuffix(command) })
    let lines = block.prefix(upTo: try #require(block.firstRange(of: "```")).lowerBound)
    return String(lines.drop { $0 != "\n" }.dropFirst()).plain
  }
}

extension String {
  /// Without the names of files and the numbers of their lines.
  fileprivate var plain: String { replacing(#/\w+/\w+\.swift:\d+/#, with: "…") }
}
