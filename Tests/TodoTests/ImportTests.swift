import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("To-do: importing many lines", .timeLimit(.minutes(30)))
struct ImportTests {
  /// A reader of numbered lines, which waits at a gate before each chunk but the first `free` ones.
  private static func reader(
    _ count: Int, by size: Int, free: Int = .max, _ gate: Gate = Gate(),
    failing failure: (any Error)? = nil
  ) -> @Sendable (String) -> AsyncThrowingStream<[String], any Error> {
    let position = Locked(0)
    return { file in
      AsyncThrowingStream {
        let start = position.withLock { $0 }
        if start / size >= free { try await gate.wait() }
        guard start < count else {
          if let failure { throw failure }
          return nil
        }
        let end = min(start + size, count)
        position.withLock { $0 = end }
        return (start..<end).map { "\(file) \($0)" }
      }
    }
  }

  @Test func `very many lines come in, with progress, and are saved once`() async throws {
    let count = VerificationLength.big(100_000)
    let world = World(saved: Document("Write"), Self.reader(count, by: 100))
    let store = try Store(
      initialState: AppState(), TodoApp.feature(world.services), middleware: [Undo.history()])
    try await store.settled()
    let progress = Recorder<Int?>()
    let bar = store.states(\.importing?.lineCount).subscribe { progress.append($0) }
    store.dispatch(StartImport(file: "notes"))
    // The import begins, the chunks come, the import is over; the save waits for a lull.
    await progress.waitForCount(1 + 1 + count / 100 + 1)
    #expect(progress.values.suffix(3) == [count - 100, count, nil])
    #expect(store.document.todos.count == count + 1)
    #expect(store.document.todos[id: count + 1]?.title == "notes \(count - 1)")
    try await store.flush()
    #expect(world.disk.writes.values.map(\.todos.count) == [count + 1])
    bar.cancel()
  }

  @Test func `very many commits of one line each cost no copy of the list`() async throws {
    let count = VerificationLength.big(100_000)
    let world = World(Self.reader(count, by: 1))
    // No history and no saving: whoever holds a list makes the next commit copy it.
    let store = try Store(initialState: AppState(), coverage: .partial) {
      Mutator(\.importing) { (importing: inout Import?, start: StartImport) in
        importing = Import(file: start.file)
      }
      .on(EndImport.self) { importing, _ in importing = nil }
      Import.feature(world.services.reader).optional().lifted(\.importing)
      Mutator(\.document) { (document: inout Document, lines: ImportedLines) in
        for line in lines.texts { document.add(line) }
      }
    }
    try await store.dispatch(StartImport(file: "notes")).finish()
    #expect(store.document.todos.count == count)
    #expect(store.importing == nil)
  }

  @Test func `an import is one step of the history`() async throws {
    let (world, history) = (World(saved: Document("a"), Self.reader(40, by: 10)), Undo.history())
    let test = try await world.testStore(history: history, exhaustivity: .off)
    await test.dispatch(StartImport(file: "notes"))
    #expect(test.store.document.todos.count == 41)
    history.undo()
    #expect(test.store.document == Document("a"))
    history.redo()
    #expect(test.store.document.todos.count == 41)
    await test.finishLeavingEffects()
  }

  @Test func `cancelling keeps what has come, and nothing comes after it`() async throws {
    let gate = Gate()
    let world = World(Self.reader(40, by: 10, free: 2, gate))
    let test = try await world.testStore()
    await test.dispatch(StartImport(file: "notes")) { $0.importing = Import(file: "notes") }
    for count in [10, 20] {
      let lines = await test.receive(ImportedLines.self) { state in
        for number in (count - 10)..<count { state.document.add("notes \(number)") }
        state.importing?.lineCount = count
      }
      #expect(lines?.texts.count == 10)
    }
    await test.dispatch(EndImport()) { $0.importing = nil }
    gate.open()
    await world.clock.advance(by: .seconds(1))
    #expect(world.disk.writes.values.map(\.todos.count) == [20])
    await test.finish()
  }

  @Test func `an import whose dispatch is cancelled closes its sheet`() async throws {
    let world = World(Self.reader(20, by: 10, free: 0))
    let test = try await world.testStore()
    let importing = await test.dispatch(StartImport(file: "notes")) {
      $0.importing = Import(file: "notes")
    }
    importing.cancel()
    await test.receive(EndImport()) { $0.importing = nil }
    await test.finish()
  }

  @Test func `a second import while one is running is ignored`() async throws {
    let gate = Gate()
    let world = World(Self.reader(20, by: 10, free: 1, gate))
    let test = try await world.testStore(exhaustivity: .only(\.importing))
    await test.dispatch(StartImport(file: "notes")) { $0.importing = Import(file: "notes") }
    await test.receive(ImportedLines.self) { $0.importing?.lineCount = 10 }
    await test.dispatch(StartImport(file: "others"))
    gate.open()
    await test.receive(ImportedLines.self) { $0.importing?.lineCount = 20 }
    await test.receive(EndImport()) { $0.importing = nil }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `a file that cannot be read ends the import and says why`() async throws {
    let world = World(
      Self.reader(10, by: 10, failing: FakeError(description: "unreadable")))
    let test = try await world.testStore(exhaustivity: .except(\.document))
    await test.dispatch(StartImport(file: "notes")) { $0.importing = Import(file: "notes") }
    await test.receive(ImportedLines.self) { $0.importing?.lineCount = 10 }
    await test.receive(EndImport(failure: "unreadable")) {
      $0.importing = nil
      $0.failure = "unreadable"
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }
}
