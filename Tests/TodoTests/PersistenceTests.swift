import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("To-do: loading and saving", .timeLimit(.minutes(30)))
struct PersistenceTests {
  @Test func `it is loaded at the start, and not saved again`() async throws {
    let world = World(saved: Document("Write"))
    let test = try await world.testStore()
    #expect(test.store.document == Document("Write"))
    await world.clock.advance(by: .seconds(10))
    await test.finish()
    #expect(world.disk.writes.count == 0)
  }

  @Test func `what is loaded while the store is being made is received by the test`() async throws {
    let world = World(saved: Document("Write"))
    let test = try TestStore {
      let store = try Store(initialState: AppState(), TodoApp.feature(world.services))
      // Without the test store's care the effect of `Load` would commit meanwhile.
      for _ in 0..<20_000 where store.document.todos.isEmpty {}
      return store
    }
    await test.receive(Loaded.self) { $0.document = Document("Write") }
    await test.finish()
  }

  @Test func `it is saved once it has not changed for a second`() async throws {
    let world = World()
    let test = try await world.testStore()
    await test.dispatch(ListAction.add("a")) { $0.document.add("a") }
    await world.clock.advance(by: .milliseconds(900))
    await test.dispatch(ListAction.add("b")) { $0.document.add("b") }
    await world.clock.advance(by: .milliseconds(900))
    #expect(world.disk.writes.count == 0)
    await world.clock.advance(by: .milliseconds(100))
    #expect(world.disk.writes.values == [Document("a", "b")])
    await test.dispatch(PaneAction.search("b").tagged(Left.self)) { $0.left.query = "b" }
    await world.clock.advance(by: .seconds(10))
    await test.finish()
    #expect(world.disk.writes.count == 1)
  }

  @Test func `typing without a pause is saved every ten seconds`() async throws {
    let world = World()
    let test = try await world.testStore()
    for number in 1...12 {
      await test.dispatch(ListAction.add("\(number)")) { $0.document.add("\(number)") }
      await world.clock.advance(by: .milliseconds(900))
    }
    #expect(world.disk.writes.count == 1)
    await world.clock.advance(by: .seconds(1))
    #expect(world.disk.writes.last?.todos.count == 12)
    await test.finish()
  }

  @Test func `a slow disk gets the newest document next, and none in between`() async throws {
    let world = World(slow: Gate())
    let test = try await world.testStore()
    for number in 1...4 {
      await test.dispatch(ListAction.add("\(number)")) { $0.document.add("\(number)") }
      await world.clock.advance(by: .seconds(1))
    }
    #expect(world.disk.writes.values.map(\.todos.count) == [1])
    world.disk.gate?.open()
    await test.finish()
    #expect(world.disk.writes.values.map(\.todos.count) == [1, 4])
  }

  @Test func `an undo is saved too`() async throws {
    let (world, history) = (World(saved: Document("a")), Undo.history())
    let test = try await world.testStore(history: history)
    await test.dispatch(ListAction.add("b")) { $0.document.add("b") }
    await world.clock.advance(by: .seconds(1))
    await test.perform {
      history.undo()
    } changes: {
      $0.document = Document("a")
    }
    await world.clock.advance(by: .seconds(1))
    #expect(world.disk.writes.values == [Document("a", "b"), Document("a")])
    await test.finish()
  }

  @Test func `at the end nothing is lost, and nothing waits for the clock`() async throws {
    let world = World()
    let store = try Store(initialState: AppState(), TodoApp.feature(world.services))
    try await store.settled()
    for number in 1...3 { store.dispatch(ListAction.add("\(number)")) }
    try await store.flush()
    #expect(world.disk.writes.values == [Document("1", "2", "3")])
    #expect(world.clock.sleeperCount == 0)
  }

  @Test func `a disk that fails is shown, and tried again with the next change`() async throws {
    let world = World(failing: FakeError(description: "full"))
    let test = try await world.testStore()
    await test.dispatch(ListAction.add("a")) { $0.document.add("a") }
    await world.clock.advance(by: .seconds(1))
    await test.receive(DiskFailed(reason: "full")) { $0.failure = "full" }
    await test.dispatch(ListAction.add("b")) { $0.document.add("b") }
    await world.clock.advance(by: .seconds(1))
    await test.receive(DiskFailed(reason: "full"))
    await test.finish()
    #expect(world.disk.writes.count == 2)
  }
}
