import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// An editor, as it is tested alone: what it sends is for the parent that it has in the app.
private struct Editor: Sendable, Equatable {
  var text = ""
  var isSaved = false

  enum Delegate: Action, Hashable { case saved(String), closed }
  struct Write: Action, Hashable { let text: String }
  struct Saved: Action, Hashable {}
  struct Close: Action, Hashable {}

  static func feature() -> Feature<Editor> {
    Feature {
      Mutator(\.text) { (text: inout String, action: Write) in text = action.text }
      Mutator(\.isSaved) { (isSaved: inout Bool, _: Saved) in isSaved = true }
      Effect<Editor>(on: Write.self) { action, _ in
        [Saved(), Delegate.saved(action.text)] as [any Action]
      }
      Effect<Editor>(on: Close.self) { _, _ in Delegate.closed }
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `What a child sends to its parent, tested alone,` {
  private typealias Delegate = Editor.Delegate

  private func test(_ exhaustivity: Exhaustivity<Editor> = .on) throws -> TestStore<Editor> {
    try TestStore(initialState: Editor(), Editor.feature(), exhaustivity: exhaustivity)
  }

  private func written() async throws -> TestStore<Editor> {
    let test = try test()
    await test.dispatch(Editor.Write(text: "a")) { $0.text = "a" }
    return test
  }

  @Test func `is expected by its type, by a condition, and by its value`() async throws {
    let test = try test()
    for _ in 0..<2 {
      await test.dispatch(Editor.Close())
      #expect(await test.expectSent(Delegate.self) == .closed)
      await test.dispatch(Editor.Close())
      #expect(await test.expectSent(Delegate.self, where: { $0 == .closed }) == .closed)
      await test.dispatch(Editor.Close())
      #expect(await test.expectSent(Delegate.closed) == .closed)
    }
    await test.finish()
  }

  @Test func `is expected after the list that it came in`() async throws {
    let test = try await written()
    await test.receive(Editor.Saved.self) { $0.isSaved = true }
    #expect(await test.expectSent(Delegate.self) == .saved("a"))
    await test.finish()
  }

  @Test func `is expected before the list that it came in`() async throws {
    let test = try await written()
    #expect(await test.expectSent(Delegate.self) == .saved("a"))
    await test.receive(Editor.Saved.self) { $0.isSaved = true }
    await test.finish()
  }

  @Test func `is expected where nothing need be said`() async throws {
    let test = try test(.off)
    await test.dispatch(Editor.Write(text: "a"))
    #expect(await test.expectSent(Delegate.saved("a")) == .saved("a"))
    await test.finish()
  }

  @Test func `is an issue where no step expects it`() async throws {
    let test = try await written()
    let heard = await issues {
      await test.receive(Editor.Saved.self) { $0.isSaved = true }
      await test.finish()
    }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("Nobody handles `") == true)
    let alone = try self.test()
    await alone.dispatch(Editor.Close())
    let unreceived = await issues { await alone.finish() }
    #expect(unreceived.count == 1)
    #expect(unreceived.first?.contains("was not received by any step:") == true)
  }

  @Test func `is an issue where it does not come, or comes with another value`() async throws {
    let test = try test()
    await test.dispatch(Editor.Close())
    let heard = await issues { await test.expectSent(Delegate.self, where: { $0 != .closed }) }
    #expect(
      heard == [
        "`Delegate` was expected to be sent, and does not come:\n  nothing is under way"
      ])
    await test.expectSent(Delegate.closed)
    await test.finish()
  }

  @Test func `is an issue where the child handles it itself`() async throws {
    let test = try test()
    let heard = await issues { await test.expectSent(Editor.Saved.self) }
    #expect(
      heard == [
        "`Saved` is handled here, so it is for no parent. A step receives it, by `receive`."
      ])
    await test.finish()
  }

  @Test func `is an issue where it came after commits that no step has received`() async throws {
    let test = try await written()
    await test.dispatch(Editor.Close())
    let heard = await issues { await test.expectSent(Delegate.closed) }
    #expect(heard.count == 1)
    #expect(heard.first?.contains("came after commits that no step has received:") == true)
    await test.receive(Editor.Saved.self) { $0.isSaved = true }
    await test.expectSent(Delegate.self)
    await test.finish()
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A warning that an action reached nobody` {
  private struct Line: Sendable, Equatable, Identifiable {
    var id: Int
    var text = ""
  }
  private struct Page: Sendable, Equatable { var lines = [Line(id: 1)] }
  private struct Write: Action, Hashable { var text = "a" }
  private struct Begin: Action, Hashable {}

  private let missing = ElementAction(id: 7, action: Write())

  private func test(_ exhaustivity: Exhaustivity<Page> = .on) throws -> TestStore<Page> {
    try TestStore(initialState: Page(), exhaustivity: exhaustivity) {
      Mutator(
        \.lines,
        Reducer { (line: inout Line, action: Write) in line.text = action.text }.identified())
      Effect(on: Begin.self) { [missing] _, _ in missing }
    }
  }

  @Test func `is received after the step that dispatched it, each time`() async throws {
    let test = try test()
    for _ in 0..<2 {
      await test.dispatch(missing)
      let warning = await test.receiveWarning(.missingElement)
      #expect(warning?.missing == "`lines[7]`")
    }
    await test.finish()
  }

  @Test func `is received where an effect dispatched it`() async throws {
    let test = try test()
    await test.dispatch(Begin())
    await test.receive(ElementAction<Int, Write>.self)
    await test.receiveWarning(.missingElement)
    await test.finish()
  }

  @Test func `is received where it is performed, and where nothing need be said`() async throws {
    let performing = try test()
    await performing.perform { performing.store.dispatch(missing) }
    await performing.receiveWarning(.missingElement)
    await performing.finish()
    let test = try test(.off)
    await test.dispatch(missing)
    await test.receiveWarning(.missingElement)
    await test.finish()
  }

  @Test func `is received for an id of another type`() async throws {
    let test = try test()
    await test.dispatch(ElementAction(id: "7", action: Write()))
    await test.receiveWarning(.foreignElement)
    await test.finish()
  }

  @Test func `is an issue at the line of its step, each time, where no step receives it`()
    async throws
  {
    let test = try test()
    let line = #line + 1
    await test.dispatch(missing)
    await test.dispatch(missing)
    let heard = await heardIssues { await test.finish() }
    #expect(heard.map(\.line) == [line, line + 1])
    // What was dispatched where nothing need be said stays unsaid.
    test.exhaustivity = .off
    await test.dispatch(missing)
    test.exhaustivity = .on
    await test.finish()
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The steps of a test store` {
  /// How many pending commits are looked at for each that is received.
  private func looks(receiving count: Int) async throws -> Double {
    let test = try TestStore { try Desk.makeStore() }
    for number in 1...count { test.store.dispatch(CountAction.add(number)) }
    for number in 1...count { await test.receive(CountAction.self) { $0.count += number } }
    await test.finish()
    return Double(test.log.lookCount) / Double(count)
  }

  @Test func `look at as many commits to take the oldest, however many are pending`() async throws {
    let (few, many) = (try await looks(receiving: 20), try await looks(receiving: 2_000))
    #expect(few > 0 && many <= 2 * few, "\(few) \(many)")
  }

  @Test func `of two tasks are made one after another`() async throws {
    for _ in 0..<20 {
      let test = try TestStore { try Desk.makeStore() }
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<10 { await test.dispatch(CountAction.add(1)) { $0.count += 1 } }
          }
        }
        group.addTask {
          for number in 0..<10 {
            await test.perform {
              test.store.dispatch(NoteAction.append(number))
            } changes: {
              $0.notes.append(number)
            }
          }
        }
      }
      #expect(test.state == Desk(count: 20, notes: Array(0..<10)))
      await test.finish()
    }
  }

  @Test func `of an effect wait for the step that set it off, which does not wait for them`()
    async throws
  {
    struct Go: Action {}
    let tests = Recorder<TestStore<Desk>>()
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { [tests] _, _ in
        guard let test = tests.last else { return }
        await test.dispatch(CountAction.add(1)) { $0.count += 1 }
      }
    }
    tests.append(test)
    await test.dispatch(Go())
    await test.finish()
    #expect(test.state.count == 1)
  }
}
