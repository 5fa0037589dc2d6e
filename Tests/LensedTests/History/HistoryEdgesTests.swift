import Lensed
import LensedTestSupport
import Testing

@Suite("History: limits, other stores, and what nobody handled", .timeLimit(.minutes(30)))
struct HistoryEdgesTests {
  private func store(
    _ history: History<Desk>, _ desk: Desk = Desk(), _ coverage: Coverage = .complete
  ) throws -> Store<Desk> {
    try Store(initialState: desk, coverage: coverage, middleware: [history]) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
  }

  @Test func `given to another store it begins anew, and undoes nothing of the first`() throws {
    let history = History<Desk>()
    var first: Store<Desk>? = try store(history, Desk(count: 1))
    first?.dispatch(CountAction.add(1))
    first?.dispatch(CountAction.add(1))
    history.undo()
    first = nil
    let second = try store(history, Desk(count: 50))
    #expect(!history.canUndo && !history.canRedo)
    #expect(!history.undo() && !history.redo() && !history.jump(to: 1))
    #expect(second.count == 50)
    second.dispatch(CountAction.add(5))
    #expect(history.entries.map(\.state.count) == [50, 55])
    #expect(history.undo() && !history.undo())
    #expect(second.count == 50)
    #expect(history.redo())
    #expect(second.count == 55)
  }

  @Test func `given to another store it lets go of all states of the first`() {
    final class Photo: Sendable {}
    struct Album: Sendable { var photo: Photo? }
    func attach(_ history: History<Album>) {
      weak var seen: Photo?
      do {
        let photo = Photo()
        seen = photo
        let first = Store(
          initialState: Album(photo: photo), coverage: .partial, middleware: [history])
        first.replaceState(Album(photo: photo))
        first.replaceState(Album())
      }
      let second = Store(initialState: Album(), coverage: .partial, middleware: [history])
      #expect(seen == nil)
      withExtendedLifetime(second) {}
    }
    attach(History())
    attach(History(\.photo, limit: 5))
  }

  @Test func `what it held of the first store is released without the lock of the second`() throws {
    final class Farewell: Sendable {
      let say: @Sendable () -> Void
      init(_ say: @escaping @Sendable () -> Void) { self.say = say }
      deinit { say() }
    }
    struct Room: Sendable {
      var farewell: Farewell?
      var count = 0
    }
    let history = History<Room>()
    let own = WeakReference<Store<Room>>()
    let goodbyes = Counter()
    let farewell = Farewell {
      _ = own.object?.count
      goodbyes.increment()
    }
    var first: Store<Room>? = Store(
      initialState: Room(farewell: farewell), coverage: .partial, middleware: [history])
    own.refer(to: first)
    first?.replaceState(Room())
    first = nil
    let second = Store(initialState: Room(), coverage: .partial, middleware: [history])
    #expect(history.entries.count == 1)
    withExtendedLifetime(second) {}
  }

  @Test
  func `what is asked of its past is of one moment, where another thread commits meanwhile`()
    throws
  {
    let meanwhile = Locked<(@Sendable () -> Void)?>(nil)
    let lens = Lens<Desk, Int>(
      get: { $0.count },
      set: { desk, count in
        // Runs as the entries are made.
        meanwhile.withLock { $0.take() }?()
        var desk = desk
        desk.count = count
        return desk
      })
    let history = History(lens)
    let store = try store(history)
    func commitMeanwhile() {
      meanwhile.withLock { meanwhile in
        meanwhile = {
          let isMade = Latch()
          _ = Threads.start {
            store.dispatch(CountAction.add(5))
            isMade.open()
          }
          isMade.hold()
        }
      }
    }
    store.dispatch(CountAction.add(1))
    #expect(history.undo())
    commitMeanwhile()
    #expect(RecordedSession(history)?.count == 0)
    #expect(history.undo())
    commitMeanwhile()
    #expect(history.why(\.count) == nil)
    #expect(store.count == 5)
  }

  @Test func `a limit of the greatest number keeps all, and one of 1 the last`() throws {
    for (limit, kept) in [(Int.max, [0, 1, 2, 3]), (1, [2, 3]), (2, [1, 2, 3])] {
      let history = History<Desk>(limit: limit)
      let store = try store(history)
      for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
      #expect(history.entries.map(\.state.count) == kept)
    }
  }

  @Test(arguments: [0, -1, Int.min]) func `a limit below 1 traps with a sentence`(limit: Int) async
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [limit] in _ = History<Desk>(limit: limit) }
    #expect(result?.message.contains("Keep at least 1 commit") == true)
  }

  @Test(.warnsOnPurpose)
  func `an action that nothing handled is no step, and drops nothing that was undone`() throws {
    let history = History<Desk>()
    let store = try store(history)
    store.dispatch(CountAction.add(1))
    store.dispatch(StrayAction())
    #expect(history.entries.map(\.state.count) == [0, 1])
    #expect(history.undo())
    store.dispatch(StrayAction())
    store.dispatch([StrayAction(), StrayAction()])
    #expect(history.canRedo)
    #expect(history.redo())
    #expect(store.count == 1)
    // One that was handled in a list with others makes it a step.
    store.dispatch([StrayAction(), CountAction.add(1)] as [any Action])
    #expect(history.entries.map(\.state.count) == [0, 1, 2])
  }

  @Test func `one that never had a store has no session`() {
    #expect(RecordedSession(History<Int>()) == nil)
  }

  @Test func `what was undone is not in its session`() throws {
    let history = History<Desk>()
    let store = try store(history)
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    history.undo()
    #expect(RecordedSession(history)?.count == 1)
  }

  @Test(.warnsOnPurpose)
  func `it agrees with a plain model of undo, whatever is called in whatever order`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 1...6, using: &random)
      let history = History<Desk>(limit: limit)
      let store = try store(history)
      var (states, position) = ([0], 0)
      for step in 0..<200 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          #expect(history.undo() == (position > 0), "seed \(seed), step \(step)")
          position = max(0, position - 1)
        case 1:
          #expect(history.redo() == (position + 1 < states.count), "seed \(seed), step \(step)")
          position = min(states.count - 1, position + 1)
        case 2: store.dispatch(StrayAction())
        default:
          store.dispatch(CountAction.add(1))
          states = states.prefix(position + 1) + [states[position] + 1]
          states = states.suffix(limit + 1)
          position = states.count - 1
        }
        #expect(history.entries.map(\.state.count) == states, "seed \(seed), step \(step)")
        #expect(history.position == position, "seed \(seed), step \(step)")
        #expect(store.count == states[position], "seed \(seed), step \(step)")
      }
    }
  }
}
