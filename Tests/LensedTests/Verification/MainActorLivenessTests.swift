import Lensed
import LensedPresenters
import LensedTestSupport
import Observation
import Testing

/// Commits from inside of a reader, so that the reader finds something newer each time it looks, on any machine.
///
/// It stops when the test says so, or after so many commits that a fault fails the test and does not hang it.
final class RestlessWriter: Sendable {
  /// Many more commits than a reader may take in a row.
  static let rescue = 20_000

  let store: Store<Desk>
  private let calls = Counter()
  private let rest = Counter()

  /// Called with the first commit.
  private let begin: @Sendable (RestlessWriter) -> Void

  init(_ store: Store<Desk>, begin: @escaping @Sendable (RestlessWriter) -> Void = { _ in }) {
    (self.store, self.begin) = (store, begin)
  }

  convenience init() throws { self.init(try Desk.makeStore()) }

  /// How often it was called.
  var count: Int { calls.value }
  var mayRest: Bool { rest.value > 0 || calls.value >= Self.rescue }

  /// Commits something newer.
  func write() {
    if calls.increment() == 0 { begin(self) }
    if !mayRest { store.dispatch(CountAction.add(1)) }
  }

  func stop() { rest.increment() }
}

/// A way to read on the main actor, whose every call commits something newer.
struct MainActorReading: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Begins to read, and returns what ends it.
  let begin: @MainActor @Sendable (RestlessWriter) throws -> @Sendable () -> Void

  private init(
    _ name: String,
    _ begin: @escaping @MainActor @Sendable (RestlessWriter) throws -> @Sendable () -> Void
  ) {
    (testDescription, self.begin) = (name, begin)
  }

  /// A subscription.
  private static func subscription(
    _ name: String, _ subscribe: @escaping @Sendable (RestlessWriter) throws -> StoreSubscription
  ) -> MainActorReading {
    MainActorReading(name) { writer in
      let subscription = try subscribe(writer)
      return { subscription.cancel() }
    }
  }

  /// A loop in a task of the main actor.
  private static func loop(
    _ name: String, _ read: @escaping @MainActor @Sendable (RestlessWriter) async -> Void
  ) -> MainActorReading {
    MainActorReading(name) { writer in
      let task = Task { @MainActor in await read(writer) }
      return { task.cancel() }
    }
  }

  static let all = [
    subscription("a subscription to a part") { writer in
      writer.store.states(\.count).subscribe(onMain: { _ in writer.write() })
    },
    subscription("a subscription to the whole") { writer in
      writer.store.states.subscribe(onMain: { _ in writer.write() })
    },
    subscription("a subscription whose filter lets nothing through") { writer in
      writer.store.states(\.count).filter { _ in
        writer.write()
        return false
      }.subscribe(onMain: { _ in })
    },
    subscription("a subscription to two stores") { writer in
      let other = try Desk.makeStore()
      return writer.store.states(\.count).combineLatest(other.states(\.title)).subscribe(onMain: {
        _ in
        withExtendedLifetime(other) { writer.write() }
      })
    },
    subscription("a subscription to the changes") { writer in
      let subscription = writer.store.changes().subscribe(onMain: { _ in writer.write() })
      writer.write()
      return subscription
    },
    subscription("a subscription to the changes of a scope") { writer in
      let changes = writer.store.scope(\.count).changes(buffering: .bounded(4, dropping: .oldest))
      let subscription = changes.subscribe(onMain: { _ in writer.write() })
      writer.write()
      return subscription
    },
    loop("a loop over a part") { writer in
      for await _ in writer.store.states(\.count) { writer.write() }
    },
    loop("an iterator that is asked by hand") { writer in
      var iterator = writer.store.states(\.count).makeAsyncIterator()
      while await iterator.next() != nil { writer.write() }
    },
    loop("a loop over the changes") { writer in
      let changes = writer.store.changes()
      var iterator = changes.makeAsyncIterator()
      writer.write()
      while await iterator.next() != nil { writer.write() }
    },
    loop("a loop over values after a lull that never comes") { writer in
      let values = writer.store.states(\.count).map { count in
        writer.write()
        return count
      }
      for await _ in values.debounce(for: .seconds(3_600)) {}
    },
    loop("a loop over values that are spaced by nothing") { writer in
      for await _ in writer.store.states(\.count).throttle(for: .zero) { writer.write() }
    },
    MainActorReading("an effect that reads the changes on the main actor") { writer in
      struct Begin: Action {}
      let installed = writer.store.install(
        Effect<Desk>(on: Begin.self) { _, context in
          await Self.read(context.changes(), writer)
        }
        .keepingChanges())
      writer.store.dispatch(Begin())
      writer.write()
      return { installed.cancel() }
    },
    MainActorReading("an observed store of a derived value whose function commits") { writer in
      // A store keeps the functions of the derived values that it has computed.
      let derived = Derived(\Desk.count) { [weak writer] count in
        writer?.write()
        return count
      }
      let view = RestlessView(ObservedStore(writer.store)) { _ = $0[derived] }
      writer.write()
      return { withExtendedLifetime(view) {} }
    },
    MainActorReading("an observed store of a value whose comparison commits") { writer in
      let reference = WeakReference(writer)
      let derived = Derived(\Desk.count) { RestlessValue(number: $0, writer: reference) }
      let view = RestlessView(ObservedStore(writer.store)) { _ = $0[derived] }
      writer.write()
      return { withExtendedLifetime(view) {} }
    },
    MainActorReading("an observed store whose reader commits and looks again") { writer in
      let view = RestlessView(ObservedStore(writer.store), onChange: { writer.write() }) {
        _ = $0.count
      }
      writer.write()
      return { withExtendedLifetime(view) {} }
    },
    MainActorReading("a presentation") { writer in
      struct Counting: Presenter {
        func props(for state: Desk, dispatch: Dispatcher) -> Int { state.count }
      }
      let presentation = writer.store.present(Counting()) { _ in writer.write() }
      presentation.start()
      return { Task { @MainActor in presentation.stop() } }
    },
  ]

  @MainActor
  private static func read(_ changes: EffectChanges<Desk>, _ writer: RestlessWriter) async {
    for await _ in changes { writer.write() }
  }
}

/// A value that commits when it is compared.
struct RestlessValue: Sendable, Equatable {
  let number: Int
  let writer: WeakReference<RestlessWriter>

  static func == (left: RestlessValue, right: RestlessValue) -> Bool {
    left.writer.object?.write()
    return left.number == right.number
  }
}

/// A view that reads again as soon as it is notified.
@MainActor
final class RestlessView {
  let observed: ObservedStore<Desk>
  private let onChange: @MainActor () -> Void
  private let read: @MainActor (ObservedStore<Desk>) -> Void

  init(
    _ observed: ObservedStore<Desk>, onChange: @escaping @MainActor () -> Void = {},
    _ read: @escaping @MainActor (ObservedStore<Desk>) -> Void
  ) {
    (self.observed, self.onChange, self.read) = (observed, onChange, read)
    look()
  }

  private func look() {
    withObservationTracking {
      read(observed)
    } onChange: { [weak self] in
      // The observed store keeps this closure until something changes, and the view keeps the store.
      MainActor.assumeIsolated {
        self?.onChange()
        self?.look()
      }
    }
  }
}

/// Counts calls, and not milliseconds, so that a busy machine fails nothing.
@Suite(
  "The main actor is not kept by a reader that always finds something newer", .serialized,
  .timeLimit(.minutes(30)))
@MainActor
struct MainActorLivenessTests {
  /// As many values as a reader on an actor takes in a row, and an observed store for each flush.
  private static let bound = 16

  /// Lets jobs of the main actor run, each of which makes the next one ready, until the reader was called often.
  ///
  /// - Returns: The most calls between two of these jobs.
  private func mostCalls(of writer: RestlessWriter) async -> Int {
    await withCheckedContinuation { done in
      run(after: writer.count, most: 0, of: writer) { done.resume(returning: $0) }
    }
  }

  private func run(
    after last: Int, most: Int, of writer: RestlessWriter,
    then finish: @escaping @MainActor @Sendable (Int) -> Void
  ) {
    let count = writer.count
    let most = max(most, count - last)
    if count > 8 * Self.bound { return finish(most) }
    // Each is made on the main actor for the main actor: to wait for a task would lead through other threads.
    Task { @MainActor in run(after: count, most: most, of: writer, then: finish) }
  }

  @Test(arguments: MainActorReading.all)
  func `other jobs of the main actor run`(reading: MainActorReading) async throws {
    let writer = try RestlessWriter()
    let end = try reading.begin(writer)
    let most = await mostCalls(of: writer)
    writer.stop()
    end()
    // A reader that has given way may be ready again before the next job is.
    #expect(most <= 2 * Self.bound, "\(most) of \(writer.count) calls")
  }

  @Test func `a dispatch through an observed store returns, with its own write`() throws {
    let writer = try RestlessWriter()
    let view = RestlessView(ObservedStore(writer.store), onChange: { writer.write() }) {
      _ = $0.count
    }
    var most = 0
    for note in 0..<20 {
      let before = writer.count
      view.observed.dispatch([NoteAction.append(note), CountAction.add(1)])
      most = max(most, writer.count - before)
      #expect(view.observed.notes == Array(0...note))
    }
    writer.stop()
    #expect(most <= Self.bound, "\(most) of \(writer.count) calls")
  }
}
