import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `OptimisticUpdates` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to optimistic updates", .timeLimit(.minutes(30)))
struct OptimisticGuideTests {
  // GUIDE: Pending
  struct Pending<Value: Sendable & Equatable>: Sendable, Equatable, Identifiable {
    let id: Int
    let value: Value
  }
  // GUIDE: end

  // GUIDE: Sum
  struct Likes: Sendable, Equatable {
    var confirmed = 0
    var pending: Entities<Pending<Int>> = []
    var shown: Int { pending.reduce(confirmed) { $0 + $1.value } }
  }
  struct Like: Action { let pending: Pending<Int> }
  struct Settled: Action {
    let id: Int
    let isConfirmed: Bool
  }
  // GUIDE: end

  /// Answers each request when its gate opens, as it was told to.
  private struct Server: Sendable {
    struct Refused: Error {}
    let gates: [Gate]
    let verdicts: [Bool]

    func add(_ pending: Pending<Int>) async throws { try await answer(pending.id) }
    func rename(_ pending: Pending<String>) async throws { try await answer(pending.id) }

    private func answer(_ id: Int) async throws {
      try await gates[id].wait()
      if !verdicts[id] { throw Refused() }
    }
  }

  private static let count = 6

  private func server(_ random: inout SeededGenerator) -> Server {
    let verdicts = (0..<Self.count).map { _ in Bool.random(using: &random) }
    return Server(gates: verdicts.map { _ in Gate() }, verdicts: verdicts)
  }

  private func likes(_ server: Server) -> Feature<Likes> {
    // GUIDE: Sum, feature
    let likes = Feature<Likes> {
      Mutator(\.self) { (likes: inout Likes, like: Like) in likes.pending.append(like.pending) }
        .on(Settled.self) { likes, settled in
          guard let pending = likes.pending.remove(id: settled.id) else { return }
          if settled.isConfirmed { likes.confirmed += pending.value }
        }
      Effect(on: Like.self) { like, _ in try await server.add(like.pending) }
        .ended(of: Like.self) { end, like, _ in
          if case .finished = end { return Settled(id: like.pending.id, isConfirmed: true) }
          return Settled(id: like.pending.id, isConfirmed: false)
        }
    }
    // GUIDE: end
    return likes
  }

  // GUIDE: Value
  struct Title: Sendable, Equatable {
    var confirmed = ""
    var pending: Entities<Pending<String>> = []
    var shown: String { pending.last?.value ?? confirmed }
  }
  struct Rename: Action { let pending: Pending<String> }
  // GUIDE: end

  private func title(_ server: Server) -> Feature<Title> {
    // GUIDE: Value, feature
    let title = Feature<Title> {
      Mutator(\.self) { (title: inout Title, rename: Rename) in
        title.pending.append(rename.pending)
      }
      .on(Settled.self) { title, settled in
        guard let pending = title.pending.remove(id: settled.id) else { return }
        if settled.isConfirmed { title.confirmed = pending.value }
      }
      Effect(on: Rename.self, .serial) { rename, _ in try await server.rename(rename.pending) }
        .ended(of: Rename.self) { end, rename, _ in
          if case .finished = end { return Settled(id: rename.pending.id, isConfirmed: true) }
          return Settled(id: rename.pending.id, isConfirmed: false)
        }
    }
    // GUIDE: end
    return title
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `a sum is that of what was not refused`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let server = server(&random)
    let store = try Store(initialState: Likes(), likes(server), onEffectError: { _ in })
    var tasks: [DispatchTask] = []
    for id in 0..<Self.count {
      tasks.append(store.dispatch(Like(pending: Pending(id: id, value: 1 << id))))
    }
    #expect(store.shown == 1 << Self.count - 1)
    var expected = store.shown
    for id in (0..<Self.count).shuffled(using: &random) {
      // Some are cancelled instead of answered.
      let isCancelled = Int.random(in: 0..<4, using: &random) == 0
      if isCancelled { tasks[id].cancel() } else { server.gates[id].open() }
      _ = try? await tasks[id].finish()
      if isCancelled || !server.verdicts[id] { expected -= 1 << id }
      #expect(store.shown == expected, "seed \(seed)")
    }
    #expect(store.state == Likes(confirmed: expected))
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `a value is the last one that was not refused`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let server = server(&random)
    let store = try Store(
      initialState: Title(confirmed: "-"), title(server), onEffectError: { _ in })
    for id in 0..<Self.count {
      store.dispatch(Rename(pending: Pending(id: id, value: "\(id)")))
    }
    #expect(store.shown == "\(Self.count - 1)")
    for id in (0..<Self.count).shuffled(using: &random) { server.gates[id].open() }
    try await store.settled()
    let last = server.verdicts.lastIndex(of: true).map { "\($0)" } ?? "-"
    #expect(store.state == Title(confirmed: last), "seed \(seed)")
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 5)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "OptimisticUpdates") == marked)
  }
}
