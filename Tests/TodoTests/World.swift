import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// The services of a test: answers wait at gates, and time stands still until the test moves it.
struct World: Sendable {
  let clock = ManualClock()
  /// What the services were asked, in order.
  let asked = Recorder<String>()
  let estimates = Gate()
  let suggestions = Gate()
  let disk: FakeDisk
  var chunks: @Sendable (_ file: String) -> AsyncThrowingStream<[String], any Error>

  init(
    saved document: Document = Document(), failing failure: (any Error)? = nil,
    slow gate: Gate? = nil,
    _ chunks: @escaping @Sendable (_ file: String) -> AsyncThrowingStream<[String], any Error> = {
      _ in .init { $0.finish() }
    }
  ) {
    disk = FakeDisk(document, failing: failure, slow: gate)
    self.chunks = chunks
  }

  var services: Services {
    Services(
      estimator: FakeEstimator(world: self), assistant: FakeAssistant(world: self),
      reader: FakeReader(world: self), disk: disk, clock: clock)
  }

  /// The app under test, which has loaded its document.
  func testStore(
    _ state: AppState = AppState(), history: History<AppState> = Undo.history(),
    exhaustivity: Exhaustivity<AppState> = .on
  ) async throws -> TestStore<AppState> {
    let test = try TestStore(
      initialState: state, TodoApp.feature(services), middleware: [history],
      exhaustivity: exhaustivity)
    let saved = disk.document
    await test.receive(Loaded.self) { $0.document = saved }
    return test
  }
}

struct FakeError: Error, Equatable, CustomStringConvertible {
  let description: String
}

private struct FakeEstimator: Estimator {
  let world: World

  func minutes(for title: String) async throws -> Int {
    world.asked.append("estimate of \(title)")
    do {
      try await world.estimates.wait()
    } catch {
      world.asked.append("no estimate of \(title)")
      throw error
    }
    if title.isEmpty { throw FakeError(description: "nothing to do") }
    return title.count
  }
}

private struct FakeAssistant: Assistant {
  let world: World

  func suggestion(for text: String) async throws -> String {
    world.asked.append("suggestion for \(text)")
    try await world.suggestions.wait()
    return "\(text)…"
  }
}

private struct FakeReader: LineReader {
  let world: World

  func lines(of file: String) -> AsyncThrowingStream<[String], any Error> { world.chunks(file) }
}

/// A disk in memory, which has what was written last.
struct FakeDisk: Disk {
  private let first: Document
  private let failure: (any Error)?
  /// A write ends when it is open.
  let gate: Gate?
  let writes = Recorder<Document>()

  init(_ document: Document, failing failure: (any Error)?, slow gate: Gate?) {
    (first, self.failure, self.gate) = (document, failure, gate)
  }

  var document: Document { writes.last ?? first }

  func read() async throws -> Document { document }

  func write(_ document: Document) async throws {
    writes.append(document)
    try await gate?.wait()
    if let failure { throw failure }
  }
}

extension Document {
  /// A document of lines with titles, whose ids count from one.
  init(_ titles: String...) {
    for title in titles { add(title) }
  }
}
