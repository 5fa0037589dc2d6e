#if os(Linux)
  import LensedTestSupport
  import Synchronization
  import Testing

  @testable import Lensed

  /// Its threads meet where the lock of the store says that one waits, as it does on Linux.
  @Suite("History of a part: its store goes, or another one comes", .timeLimit(.minutes(30)))
  struct HistoryStoresTests {
    /// Threads by numbers of the test's own: a thread's name is not always what was set last.
    private final class Numbered: Sendable {
      private let numbers = Mutex<[UInt: Int]>([:])

      var current: Int? { numbers.withLock { $0[ThreadIdentity.current] } }

      func start(_ number: Int, _ body: @escaping @Sendable () -> Void) -> ThreadGate {
        Threads.start { [self] in
          numbers.withLock { $0[ThreadIdentity.current] = number }
          body()
        }
      }
    }

    private let threads = Numbered()

    private static func makeStore(_ reduced: @escaping @Sendable () -> Void = {}) throws -> Store<
      Desk
    > {
      try Store(initialState: Desk(), coverage: .partial) {
        Mutator(\.count) { (count: inout Int, action: CountAction) in
          if case .add(let number) = action { count += number }
          reduced()
        }
      }
    }

    @Test func `an undo ends although its store goes while it is repeated`() throws {
      let (reducing, mayReduce, isUndone) = (ThreadGate(), ThreadGate(), ThreadGate())
      let owner = Mutex<Store<Desk>?>(nil)
      let history = History(
        \Desk.count,
        recording: { [threads] _ in
          if threads.current == 0 {
            _ = owner.withLock { $0.take() }
          } else {
            // The thread that has committed answers when the undo is over.
            isUndone.wait()
          }
          return true
        })
      func makeScope() throws -> (scope: ScopedStore<Desk>, attached: StoreSubscription) {
        let store = try Self.makeStore {
          reducing.open()
          mayReduce.wait()
        }
        owner.withLock { $0 = store }
        return (store.asScope, store.attach(history))
      }
      let (scope, attached) = try makeScope()
      let commit = Threads.start { scope.dispatch(CountAction.add(1)) }
      reducing.wait()
      let undo = threads.start(0) {
        #expect(!history.undo())
        isUndone.open()
      }
      // The undo has found nothing that is pending, and waits for the lock.
      while scope.view.core.lock.word.load(ordering: .relaxed) & 1 == 0 { Threads.yield() }
      mayReduce.open()
      undo.wait()
      commit.wait()
      #expect(owner.withLock { $0 == nil })
      attached.cancel()
    }

    @Test func `an answer about a commit of the first store is none about the second`() throws {
      let (asked, mayAnswer) = (
        [1: ThreadGate(), 2: ThreadGate()], [1: ThreadGate(), 2: ThreadGate()]
      )
      let history = History(
        \Desk.count,
        recording: { [threads] change in
          guard let number = threads.current, number == change.state else { return true }
          asked[number]?.open()
          mayAnswer[number]?.wait()
          // The commit of the first store is no step, that of the second is one.
          return number == 2
        })
      func commit(_ number: Int, in store: Store<Desk>) -> ThreadGate {
        threads.start(number) { [scope = store.asScope] in
          scope.dispatch(CountAction.add(number))
        }
      }
      func commitFirst() throws -> ThreadGate {
        let first = try Self.makeStore()
        let attached = first.attach(history)
        let end = commit(1, in: first)
        asked[1]?.wait()
        attached.cancel()
        return end
      }
      let firstEnd = try commitFirst()
      let second = try Self.makeStore()
      let attached = second.attach(history)
      let secondEnd = commit(2, in: second)
      asked[2]?.wait()
      mayAnswer[1]?.open()
      firstEnd.wait()
      mayAnswer[2]?.open()
      secondEnd.wait()
      #expect(history.entries.count == 2)
      #expect(history.undo())
      #expect(second.count == 0)
      attached.cancel()
    }
  }
#endif
