import Foundation
import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Numbers at their ends: a result or a sentence", .timeLimit(.minutes(30)))
struct NumberEndTests {
  /// Ends of what a duration can be, as seconds; the last is the greatest of all.
  private static let durations: [Duration] = [
    .seconds(Int64.min), .seconds(-1), .nanoseconds(-1), .zero, .nanoseconds(1),
    .seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: .max),
  ]
  private static let long = durations.suffix(2)

  @Test func `no wait is longer than a century`() {
    for duration in Self.durations {
      #expect(waitable(duration) == min(duration, .seconds(3_153_600_000)))
    }
  }

  @Test(arguments: [0, -1, Int.min]) func `a buffer without room traps`(count: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [count] in
      let store = try Desk.makeStore()
      _ = store.changes(buffering: .bounded(count, dropping: .oldest)).makeAsyncIterator()
    }
    #expect(result?.message.contains("Lensed: changes(buffering:)") == true)
  }

  @Test(arguments: [1, Int.max]) func `a buffer with room keeps that many`(count: Int) async throws
  {
    let store = try Desk.makeStore()
    for end in [ChangeBuffering.End.oldest, .newest] {
      var changes = store.changes(buffering: .bounded(count, dropping: end)).makeAsyncIterator()
      for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
      let first = await changes.next()
      let dropped = count == 1 && end == .oldest ? 2 : 0
      #expect(first?.droppedCount == dropped)
    }
  }

  @Test(arguments: [0, -1, Int.min])
  func `an effect of which none may run traps`(count: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [count] in
      _ = try Store(initialState: Desk(), coverage: .partial) {
        Effect<Desk>(on: CountAction.self, .limited(count)) { _, _ -> Void in }
      }
    }
    #expect(result?.message.contains("Let at least 1 run") == true)
  }

  @Test(arguments: [1, Int.max]) func `an effect of which some may run runs`(count: Int)
    async throws
  {
    let ran = Counter()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Effect<Desk>(on: CountAction.self, .limited(count)) { _, _ -> Void in ran.increment() }
    }
    try await store.dispatch([CountAction.keep, .keep]).finish()
    #expect(ran.value == 2)
  }

  @Test(arguments: durations) func `effects are debounced, throttled and timed out by any duration`(
    duration: Duration
  ) async throws {
    // Until something happens, or never; so nothing here waits for the clock.
    let isLong = duration > .seconds(1)
    let (throttled, timed) = (Counter(), Counter())
    let store = try Store(initialState: Desk(), coverage: .partial, onEffectError: { _ in }) {
      Effect<Desk>(on: CountAction.self) { _, _ -> Void in throttled.increment() }.throttled(
        for: duration)
      Effect<Desk>(on: NoteAction.self) { _, _ -> Void in timed.increment() }.timedOut(
        after: duration)
    }
    for _ in 0..<2 { try await store.dispatch(CountAction.keep).finish() }
    #expect(isLong || duration == .nanoseconds(1) || throttled.value == 2)
    #expect(!isLong || throttled.value == 1)
    try await store.dispatch(NoteAction.append(1)).finish()
    #expect(!isLong || timed.value == 1)
    let began = Counter()
    let quiet = try Store(initialState: Desk(), coverage: .partial) {
      Effect<Desk>(on: TitleAction.self) { _, _ -> Void in began.increment() }.debounced(
        for: duration)
    }
    let dispatched = quiet.dispatch(TitleAction.rename(""))
    if isLong { dispatched.cancel() }
    try? await dispatched.finish()
    #expect(began.value == (isLong ? 0 : 1))
  }

  @Test(arguments: [0, -1, Int.min]) func `no attempt at all traps`(attempts: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [attempts] in
      _ = Effect<Desk>(on: CountAction.self) { _, _ -> Void in }
        .retried(attempts: attempts, after: .zero)
    }
    #expect(result?.message.contains("tried at least once") == true)
  }

  @Test(arguments: durations) func `a throttle of any duration`(duration: Duration) throws {
    let store = try Store(
      initialState: Desk(), middleware: [ActionThrottle<Desk>(for: duration)]
    ) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    for _ in 0..<2 { store.dispatch(CountAction.add(1)) }
    #expect(duration == .nanoseconds(1) || store.count == (duration > .seconds(1) ? 1 : 2))
  }

  @Test(arguments: durations) func `streams are debounced and throttled by any duration`(
    duration: Duration
  ) async throws {
    let store = try Desk.makeStore()
    var throttled = store.states(\.count).throttle(for: duration).makeAsyncIterator()
    #expect(await throttled.next(isolation: #isolation) == 0)
    let isLong = duration > .seconds(1)
    if !isLong {
      store.dispatch(CountAction.add(1))
      #expect(await throttled.next(isolation: #isolation) == 1)
      var debounced = store.states(\.count).debounce(for: duration).makeAsyncIterator()
      #expect(await debounced.next(isolation: #isolation) == 1)
    } else {
      let started = Gate()
      let reader = Task {
        var debounced = store.states(\.count).debounce(for: duration).makeAsyncIterator()
        started.open()
        return await debounced.next(isolation: #isolation)
      }
      try await started.wait()
      reader.cancel()
      #expect(await reader.value == nil)
    }
  }

  @Test(arguments: [UInt64.min, 1, .max]) func `a history goes to what it keeps`(revision: UInt64)
    throws
  {
    let history = History<Desk>()
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [history]) {
      Desk.countMutator
    }
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    #expect(history.jump(to: revision) == (revision < 3))
    #expect(store.count == (revision < 3 ? Int(revision) : 2))
  }

  @Test(arguments: [1, 2, .max]) func `a queue may be as long as anybody says`(count: Int)
    async throws
  {
    let ran = Recorder<Int>()
    for policy in [
      EffectPolicy.serial.keepingNewest(count), .serial.dropping(beyond: count), .limited(count),
    ] {
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Desk.countMutator
        Effect(on: CountAction.self, policy) { _, _ -> Void in ran.append(count) }
      }
      store.dispatch(CountAction.add(1))
      try await store.settled()
    }
    #expect(ran.count == 3)
  }

  /// Of the library's public functions, those with a number, a duration, or a range; each is tested above, in
  /// `HistoryEdgesTests`, or in the tests of `retried`.
  @Test func `no public parameter that is a number is left out`() throws {
    // `line` is where a call stands, and is printed; `step` is given to a closure; `rawValue` is of a set.
    try expectHeld(
      [
        "limit", "revision", "step", "duration", "interval", "attempts", "delay",
        "factor", "line", "rawValue", "count",
      ], in: "Lensed")
  }

  /// Those of the test kit are tested in its own tests: of generators, of clocks, of waits, of exploration,
  /// and of a faulty storage.
  @Test func `no public parameter of the test kit that is a number is left out`() throws {
    try expectHeld(
      [
        "count", "range", "rawValue", "seed", "steps", "threads", "weight", "after", "code",
        "offset", "operations", "writes", "bytesPerSecond",
      ], in: "LensedTesting")
  }

  private func expectHeld(_ held: Set<String>, in module: String) throws {
    let parameter =
      /(?<name>[a-z][A-Za-z0-9]*): (?:inout )?(?:ClosedRange<|Range<)?(?:U?Int(?:8|16|32|64)?|Double|Float|(?:C\.)?Duration)\b/
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/\(module)").standardizedFileURL
    let files = try #require(FileManager.default.subpaths(atPath: folder.path()))
    var found: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let code = SourceText.code(in: text)
      for piece in code.components(separatedBy: "  public ").dropFirst() {
        guard piece.hasPrefix("func") || piece.hasPrefix("init") || piece.hasPrefix("static func")
        else { continue }
        let head = piece.prefix { $0 != "{" }
        for match in head.matches(of: parameter) { found.insert(String(match.output.name)) }
      }
    }
    #expect(found.subtracting(held) == [], "Give these their ends, in the tests.")
    #expect(held.subtracting(found) == [], "These are gone.")
  }
}
