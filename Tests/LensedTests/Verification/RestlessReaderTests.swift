import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A way to read off all actors, whose every step commits something newer, until the writer may rest.
struct RestlessReading: Sendable, CustomTestStringConvertible {
  let testDescription: String
  fileprivate let read: @concurrent @Sendable (RestlessWriter) async throws -> Void

  fileprivate init(
    _ name: String,
    _ read: @escaping @concurrent @Sendable (RestlessWriter) async throws -> Void
  ) {
    (testDescription, self.read) = (name, read)
  }

  static let all = [
    RestlessReading("a loop over a part") { writer in
      for await _ in writer.store.states(\.count) {
        if writer.mayRest { break }
        writer.write()
      }
    },
    RestlessReading("a loop that is given nothing until then") { writer in
      let last = writer.store.states(\.count).filter { _ in
        writer.write()
        return writer.mayRest
      }
      for await _ in last { break }
    },
    RestlessReading("a loop over two stores") { writer in
      let other = try Desk.makeStore()
      for await _ in writer.store.states(\.count).combineLatest(other.states(\.title)) {
        if writer.mayRest { break }
        writer.write()
      }
      withExtendedLifetime(other) {}
    },
    RestlessReading("a loop over the changes") { writer in
      var iterator = writer.store.changes().makeAsyncIterator()
      writer.write()
      while await iterator.next() != nil, !writer.mayRest { writer.write() }
    },
    RestlessReading("an effect that reads the changes") { writer in
      struct Begin: Action {}
      let installed = writer.store.install(
        Effect<Desk>(on: Begin.self) { _, context in
          for await _ in context.changes() {
            if writer.mayRest { break }
            writer.write()
          }
        }
        .keepingChanges())
      let run = writer.store.dispatch(Begin())
      writer.store.dispatch(CountAction.add(1))
      try await run.finish()
      installed.cancel()
    },
  ]
}

/// On a machine of one core no other thread runs the other jobs.
@Suite("A reader off all actors lets other jobs of its thread run", .timeLimit(.minutes(30)))
struct RestlessReaderTests {
  @Test(arguments: RestlessReading.all)
  func `after 4,096 values in a row`(reading: RestlessReading) async throws {
    let test = try TestStore(exhaustivity: .off) { try Desk.makeStore() }
    let counts = Recorder<Int>()
    let writer = RestlessWriter(test.store) { [scheduler = test.scheduler] writer in
      // One job at a time runs on a scheduler, so this one begins when the reader gives way.
      Task(executorPreference: scheduler) {
        counts.append(writer.count)
        writer.stop()
      }
    }
    try await Task(executorPreference: test.scheduler) { try await reading.read(writer) }.value
    let count = try #require(counts.last)
    #expect((4_095...4_097).contains(count))
    await test.finish()
  }
}
