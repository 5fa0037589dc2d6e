import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// What a million dispatches a second make of a disk that takes a million bytes a second.
@Suite struct ConflationTests {
  /// A part, and how many of its versions there are.
  private struct Feed: Sendable {
    var page = Page()
  }

  private struct Page: Sendable, Codable {
    var number = 0
    var text = ""
    var witness: Witness?

    enum CodingKeys: CodingKey { case number, text }
  }

  /// How many versions of the page there are.
  private final class Versions: Sendable {
    private let count = Locked((living: 0, most: 0))

    var most: Int { count.withLock { $0.most } }

    func begin() {
      count.withLock { count in
        count.living += 1
        count.most = max(count.most, count.living)
      }
    }
    func end() { count.withLock { $0.living -= 1 } }
  }

  /// One version of the page.
  private final class Witness: Sendable {
    private let versions: Versions

    init(_ versions: Versions) {
      self.versions = versions
      versions.begin()
    }

    deinit {
      versions.end()
    }
  }

  private struct Next: Action {
    let versions: Versions
  }

  private static let bytesPerSecond = 1_000_000
  private static let tick = Duration.milliseconds(10)
  /// A second, with 10,000 dispatches in each tick; `swift test` has fewer of both.
  private static var ticks: Int { VerificationLength.factor > 1 ? 100 : 33 }
  private static var dispatches: Int { VerificationLength.factor > 1 ? 10_000 : 300 }

  private func make(
    _ faulty: FaultyStorage, _ writing: PersistenceWriting, _ clock: ManualClock, bytes: Int
  ) throws -> (Store<Feed>, Persistence<Feed>) {
    var options = PersistenceOptions(writing: writing, clock: clock, onFailure: { _ in })
    // No snapshot shares the disk.
    options.minimalSegments = .max
    let disk = try Persistence<Feed>(
      faulty, PersistenceBuilder.buildExpression(Kept(\.page)), .strictly, options)
    let page = Page(text: String(repeating: "x", count: bytes))
    let store = try Store(initialState: Feed(page: page), middleware: [disk]) {
      Mutator(\.page) { (page: inout Page, action: Next) in
        page.number += 1
        page.witness = Witness(action.versions)
      }
    }
    return (store, disk)
  }

  /// The numbers of the pages on the disk, a write each.
  private func numbers(_ faulty: FaultyStorage) throws -> [Int] {
    struct Record: Decodable { var value: Page }
    var numbers: [Int] = []
    for (name, bytes) in faulty.files {
      var reader = RecordReader(file: name) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
      while let record = try reader.next() {
        if let page = try? JSONDecoder().decode(Record.self, from: Data(record.json)).value {
          numbers.append(page.number)
        }
      }
    }
    return numbers
  }

  @Test
  func `at a million dispatches a second, a disk of 1 MB/s is one write behind, with one version`()
    async throws
  {
    let (faulty, clock, versions) = (FaultyStorage(), ManualClock(), Versions())
    let (store, disk) = try make(faulty, .eachCommit, clock, bytes: 95_000)
    faulty.slow(to: Self.bytesPerSecond, by: clock)
    store.dispatch(Next(versions: versions))
    await clock.waitForSleepers()
    // What was dispatched when each write began; the last one is under way.
    var begun = [store.page.number]
    var deadline = clock.deadlines.first
    for tick in 1...Self.ticks {
      for _ in 0..<Self.dispatches { store.dispatch(Next(versions: versions)) }
      await clock.advance(by: Self.tick)
      await clock.waitForSleepers()
      let next = clock.deadlines.first
      // The mark behind a group takes less than a tick; another wait that is long is that of the next write.
      if let next, next != deadline, clock.now.duration(to: next) > .milliseconds(50) {
        begun.append(store.page.number)
        #expect(try numbers(faulty) == begun.dropLast(), "tick \(tick)")
      }
      deadline = next
    }
    let dispatched = 1 + Self.ticks * Self.dispatches
    #expect(store.page.number == dispatched)
    // A group takes 95 ms, and with its mark at most 11 ticks: the disk is never idle, and two of them old at most.
    #expect(begun.count > Self.ticks / 11)
    let written = try #require(try numbers(faulty).last)
    #expect(dispatched - written <= 22 * Self.dispatches)
    // That of the state, the next one while it is made, and the one that is being written.
    #expect(versions.most <= 3)
    store.dispatch(Next(versions: versions))
    faulty.heal()
    async let closed: Void = disk.close()
    await clock.advance(by: .seconds(1))
    try await closed
    // What is left comes with one more write.
    #expect(try numbers(faulty) == begun + [dispatched + 1])
  }

  @Test func `without a lull, what is on a slow disk is as old as is allowed, and one write`()
    async throws
  {
    let (faulty, clock, versions) = (FaultyStorage(), ManualClock(), Versions())
    let limit = Duration.milliseconds(120)
    let (store, disk) = try make(
      faulty, .debounced(for: .milliseconds(50), atMost: limit), clock, bytes: 9_000)
    faulty.slow(to: Self.bytesPerSecond, by: clock)
    // When each number was dispatched, and one more write, and the ticks in which a wait begins or ends.
    var moments: [(number: Int, moment: ManualClock.Instant)] = []
    let allowed = Duration.milliseconds(120 + 6 * 10)
    var oldest = Duration.zero
    for tick in 0..<Self.ticks {
      moments.append((store.page.number + 1, clock.now))
      for _ in 0..<Self.dispatches { store.dispatch(Next(versions: versions)) }
      await clock.waitForSleepers()
      await clock.advance(by: Self.tick)
      await clock.waitForSleepers()
      let written = try numbers(faulty).last ?? 0
      // The oldest commit that is not there.
      if let missing = moments.last(where: { $0.number <= written + 1 }) {
        let age = missing.moment.duration(to: clock.now)
        oldest = max(oldest, age)
        #expect(age <= allowed, "tick \(tick)")
      }
    }
    #expect(oldest >= limit)
    #expect(versions.most <= 3)
    faulty.heal()
    async let closed: Void = disk.close()
    await clock.advance(by: .seconds(1))
    try await closed
    #expect(try numbers(faulty).last == store.page.number)
  }
}

/// Snapshots that are written beside groups.
@Suite struct CompactionTests {
  @Test func `a snapshot is in the way of no write, and there is one at a time`() async throws {
    let storage = GatedStorage()
    let disk = try Persistence(board: storage, compactingAt: 300)
    let store = try Board.makeStore(disk)
    var number = 0
    func write() async throws {
      number += 1
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
    }
    while storage.memory.files.count < 2 { try await write() }
    await storage.waitForSnapshot()
    let segments = storage.memory.files.keys.sorted()
    // It has not come further than its first bytes; groups go on, and each is safe.
    for _ in 0..<20 {
      try await write()
      let files = storage.memory.files
      #expect(files.keys.sorted() == segments)
      #expect(Board.makeBoard(try Persistence(board: MemoryStorage(files))) == store.state)
    }
    storage.open()
    try await disk.close()
    #expect(storage.memory.files.keys.contains { $0.hasPrefix("snapshot") })
    #expect(!storage.memory.files.keys.contains("segment-1.lensed"))
    #expect(
      Board.makeBoard(try Persistence(board: MemoryStorage(storage.memory.files))) == store.state)
  }

  @Test
  func `whatever is written, the folder has at most three times the state and what is allowed`()
    async throws
  {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty, compactingAt: 2_000)
    let store = try Board.makeStore(disk)
    store.dispatch((0..<50).map { BoardAction.add(Card(id: $0, text: "card \($0)"), at: $0) })
    try await disk.sync()
    let state = faulty.files.values.reduce(0) { $0 + $1.count }
    var (largest, generator) = (0, SeededGenerator(seed: 1))
    for _ in 0..<200 {
      store.dispatch(BoardAction.write(Int.random(in: 0..<50, using: &generator), "edited"))
      try await disk.sync()
      await waitForSnapshot(faulty)
      largest = max(largest, faulty.files.values.reduce(0) { $0 + $1.count })
    }
    try await disk.close()
    // The old snapshot, the segments that outgrow it, the new snapshot; and what is allowed, and written meanwhile.
    #expect(largest < 3 * state + 2_000)
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))) == store.state)
  }

  @Test func `what is written beside a slow snapshot is bounded by what the disk takes meanwhile`()
    async throws
  {
    let (faulty, clock) = (FaultyStorage(), ManualClock())
    let disk = try Persistence(board: faulty, clock: clock, compactingAt: 2_000)
    let store = try Board.makeStore(disk)
    store.dispatch((0..<50).map { BoardAction.add(Card(id: $0, text: "card \($0)"), at: $0) })
    try await disk.sync()
    let state = faulty.files.values.reduce(0) { $0 + $1.count }
    // A snapshot takes as long as some dozens of groups.
    faulty.slow(to: 10_000, by: clock)
    var (largest, snapshots, generator) = (0, Set<String>(), SeededGenerator(seed: 1))
    for _ in 0..<(400 * VerificationLength.factor) {
      store.dispatch(BoardAction.write(Int.random(in: 0..<50, using: &generator), "edited"))
      await clock.waitForSleepers()
      await waitForSnapshot(faulty, clock)
      await clock.advance(by: .milliseconds(10))
      let files = faulty.files
      largest = max(largest, files.values.reduce(0) { $0 + $1.count })
      snapshots.formUnion(files.keys.filter { $0.hasPrefix("snapshot") && $0.hasSuffix(".lensed") })
    }
    #expect(snapshots.count > 1)
    // As above, and as much again: groups go as fast as the snapshot that they are written beside.
    #expect(largest < 4 * (state + 2_000))
    faulty.heal()
    async let closed: Void = disk.close()
    await clock.advance(by: .seconds(60))
    try await closed
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))) == store.state)
  }

  /// Returns when a snapshot that is under way is there, or waits for the disk beside a group: on a busy machine its thread
  /// may not have come so far, and others would go on without it.
  private func waitForSnapshot(_ faulty: FaultyStorage, _ clock: ManualClock? = nil) async {
    while (clock?.deadlines.count ?? 0) < 2 {
      let files = faulty.files.keys
      let newest =
        files.filter { $0.hasPrefix("segment") }
        .compactMap { Int($0.filter(\.isNumber)) }.max() ?? 1
      // A segment follows the snapshot that was begun before it, whether that is ready or not.
      if newest == 1 || files.contains("snapshot-\(newest - 1).lensed") { return }
      await Task.yield()
    }
  }
}
