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

  /// What an effect does that keeps the changes since its trigger.
  private static func effect(
    _ name: String,
    _ run:
      @escaping @concurrent @Sendable (RestlessWriter, EffectContext<Desk>) async throws -> Void
  ) -> RestlessReading {
    struct Begin: Action {}
    return RestlessReading(name) { writer in
      let installed = writer.store.install(
        Effect<Desk>(on: Begin.self) { _, context in try await run(writer, context) }
          .keepingChanges())
      let work = writer.store.dispatch(Begin())
      writer.store.dispatch(CountAction.add(1))
      try await work.finish()
      installed.cancel()
    }
  }

  static let all = [
    RestlessReading("a loop over a part") { writer in
      for await _ in writer.store.states(\.count) {
        writer.write()
        if writer.mayRest { break }
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
        writer.write()
        if writer.mayRest { break }
      }
      withExtendedLifetime(other) {}
    },
    RestlessReading("a loop over the changes") { writer in
      var iterator = writer.store.changes().makeAsyncIterator()
      writer.write()
      while !writer.mayRest, await iterator.next() != nil { writer.write() }
    },
    effect("an effect that reads the changes") { writer, context in
      for await _ in context.changes() {
        writer.write()
        if writer.mayRest { break }
      }
    },
    effect("an effect that waits for one action of many") { writer, context in
      _ = try await context.next(
        CountAction.self,
        where: { _, _ in
          writer.write()
          return writer.mayRest
        })
    },
    effect("an effect that waits for an action again and again") { writer, context in
      while !writer.mayRest {
        writer.write()
        _ = try await context.next(CountAction.self)
      }
    },
    effect("an effect that waits so long at most again and again") { writer, context in
      let changes = context.changes()
      while !writer.mayRest {
        writer.write()
        _ = try await changes.next(CountAction.self, where: { _, _ in true })
      }
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
    await test.rest()
    let count = try #require(counts.last)
    #expect((4_095...4_097).contains(count))
    await test.finish()
  }
}
