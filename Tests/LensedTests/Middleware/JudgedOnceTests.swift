import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What middleware is asked about: each action once, in the order of the middleware.
@Suite(
  "Middleware: what it puts in the place of an action goes to those after it", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct JudgedOnceTests {
  private struct Line: Sendable, Equatable {
    var applied: [Int] = []
  }

  private struct Token: Action, Hashable {
    let number: Int
  }

  /// A member of a list.
  private enum Piece: Sendable {
    case token(Int)
    case list([Piece])
    case sequence([Int])

    var action: any Action {
      switch self {
      case .token(let number): Token(number: number)
      case .list(let pieces): ActionList(pieces.map(\.action))
      case .sequence(let numbers):
        AsyncActions(
          AsyncStream { stream in
            for number in numbers { stream.yield(Token(number: number)) }
            stream.finish()
          })
      }
    }
  }

  private enum Reply: Sendable {
    case proceed, drop
    case replace(Piece)
  }

  /// Replies by a table, and notes what it is asked about.
  private struct Judge: Middleware {
    typealias State = Line
    let replies: [Int: Reply]
    let asked = Recorder<Int>()

    func willReduce(_ action: any Action, _ context: MiddlewareContext<Line>) -> Verdict {
      guard let number = (action as? Token)?.number else { return .proceed }
      asked.append(number)
      // One that is asked again and again would never end.
      if asked.count > 5_000 { return .proceed }
      return switch replies[number] ?? .proceed {
      case .proceed: .proceed
      case .drop: .drop
      case .replace(let piece): .replace(with: piece.action)
      }
    }
  }

  /// What is applied, and what each judge is asked about, in any order.
  private struct Outcome: Equatable {
    var applied: [Int] = []
    var asked: [[Int]]

    init(_ judges: [Judge]) { asked = judges.map { _ in [] } }

    mutating func offer(_ piece: Piece, to judges: [Judge], from first: Int) {
      switch piece {
      case .list(let pieces): for piece in pieces { offer(piece, to: judges, from: first) }
      case .sequence(let numbers):
        for number in numbers { offer(.token(number), to: judges, from: 0) }
      case .token(let number):
        for index in first..<judges.count {
          asked[index].append(number)
          switch judges[index].replies[number] ?? .proceed {
          case .proceed: continue
          case .drop: return
          case .replace(let piece): return offer(piece, to: judges, from: index + 1)
          }
        }
        applied.append(number)
      }
    }
  }

  private static func makeStore(_ judges: [any Middleware<Line>]) throws -> Store<Line> {
    try Store(initialState: Line(), middleware: judges) {
      Mutator(\.applied) { (applied: inout [Int], token: Token) in applied.append(token.number) }
    }
  }

  /// A piece that replaces another one; what a sequence yields is replaced by no sequence, or it would never end.
  private static func piece(
    _ random: inout SeededGenerator, depth: Int = 2, isAsked: Bool = true
  ) -> Piece {
    switch Int.random(in: 0..<6, using: &random) {
    case 0,
      1 where depth > 0:
      .list(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          piece(&random, depth: depth - 1, isAsked: isAsked)
        })
    case 2:
      .sequence(
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
          Int.random(in: 100..<104, using: &random)
        })
    default: .token(Int.random(in: 0..<6, using: &random))
    }
  }

  private static func judge(_ random: inout SeededGenerator) -> Judge {
    var replies: [Int: Reply] = [100: .drop, 101: .replace(.list([.token(102), .token(103)]))]
    for number in 0..<6 {
      replies[number] =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .drop
        case 1, 2: .replace(piece(&random))
        default: .proceed
        }
    }
    return Judge(replies: replies)
  }

  @Test(arguments: 1...UInt64(60 * VerificationLength.factor))
  func `whatever it puts there, and whatever stands around it`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let judges = (0..<3).map { _ in Self.judge(&random) }
    let piece = Self.piece(&random)
    let store = try Self.makeStore(judges)
    try await store.dispatch(piece.action).finish()
    var expected = Outcome(judges)
    expected.offer(piece, to: judges, from: 0)
    #expect(store.applied == expected.applied, "seed \(seed)")
    #expect(
      judges.map { $0.asked.values.sorted() } == expected.asked.map { $0.sorted() }, "seed \(seed)")
  }

  @Test func `an action that follows a sequence in its own place is not judged again`() async throws
  {
    let refreshing = Judge(replies: [1: .replace(.list([.sequence([2]), .token(1)]))])
    let store = try Self.makeStore([refreshing])
    try await store.dispatch(Token(number: 1)).finish()
    try await store.dispatch([Token(number: 1), Token(number: 3)]).finish()
    #expect(store.applied == [2, 1, 2, 1, 3])
    #expect(refreshing.asked.values == [1, 2, 1, 2, 3])
  }

  @Test func `what follows in a list that a new middleware makes asynchronous is judged once`()
    async throws
  {
    /// Attaches another one when it is first asked.
    final class Attaching: Middleware {
      typealias State = Line
      private let attached = Locked<(store: ScopedStore<Line>?, subscription: StoreSubscription?)>(
        (nil, nil))
      private let attach: @Sendable () -> StoreSubscription?
      init(_ attach: @escaping @Sendable () -> StoreSubscription?) { self.attach = attach }
      func willReduce(_ action: any Action, _ context: MiddlewareContext<Line>) -> Verdict {
        if attached.withLock({ $0.subscription }) == nil {
          let new = attach()
          attached.withLock { $0.subscription = new }
        }
        return .proceed
      }
      func detach() { attached.withLock { $0.subscription.take() }?.cancel() }
    }
    let late = Judge(replies: [1: .replace(.sequence([2]))])
    let own = WeakReference<Store<Line>>()
    let attaching = Attaching { own.object?.attach(late) }
    let clock = ManualClock()
    let store = try Self.makeStore([ActionThrottle(for: .seconds(1), clock: clock), attaching])
    own.refer(to: store)
    try await store.dispatch([Token(number: 1), Token(number: 3)]).finish()
    #expect(store.applied == [2, 3])
    #expect(late.asked.values == [1, 2, 3])
    attaching.detach()
  }
}
