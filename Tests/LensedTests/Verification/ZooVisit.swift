import Lensed
import LensedTestSupport
import Testing

/// A state whose parts are specimens.
struct ZooState<S: Specimen>: Sendable, Equatable {
  var part: S
  /// Every action that the log's reducer was given.
  var log: [S] = []
  var optional: S?
  var list: [S] = []
  var rows: [ZooRow<S>] = []
  var keyed: [Int: S] = [:]
  var choice = ZooChoice<S>.nothing
  var inner: ZooInner<S>
  var count = 0

  init(_ part: S) {
    self.part = part
    inner = ZooInner(byte: 1, part: part, pair: (2, part))
  }
}

struct ZooRow<S: Specimen>: Sendable, Equatable, Identifiable {
  let id: Int
  var part: S
}

/// The part lies at an odd place, and in a tuple.
struct ZooInner<S: Specimen>: Sendable, Equatable {
  var byte: UInt8
  var part: S
  var pair: (UInt8, S)
  static func == (left: ZooInner, right: ZooInner) -> Bool {
    left.byte == right.byte && left.part == right.part && left.pair == right.pair
  }
}

enum ZooChoice<S: Specimen>: Sendable, Equatable {
  case nothing
  case some(S)

  static var prism: Prism<ZooChoice, S> {
    Prism(embed: { .some($0) }, extract: { if case .some(let value) = $0 { value } else { nil } })
  }

  static var editingPrism: Prism<ZooChoice, S> {
    Prism(
      embed: { .some($0) }, extract: { if case .some(let value) = $0 { value } else { nil } },
      modify: { root, edit in
        guard case .some(var value) = root else { return }
        root = .nothing
        edit(&value)
        root = .some(value)
      })
  }
}

/// One action enum for everything.
enum ZooWide<S: Specimen>: Action {
  case nothing
  case narrow(S)

  static var prism: Prism<ZooWide, S> {
    Prism(
      embed: { .narrow($0) }, extract: { if case .narrow(let value) = $0 { value } else { nil } })
  }
}

/// One type of the zoo on its ways through a store.
struct Visit<S: Specimen>: Sendable {
  typealias State = ZooState<S>
  typealias Way = (name: String, take: (Visit) -> () async throws -> Void)

  let cage: Cage
  let seed: UInt64

  /// A part without bytes has no owner, so nobody is told when it is written.
  static var hasBytes: Bool { MemoryLayout<S>.size > 0 }

  /// The value of a number; made anew each time, and equal each time.
  func value(_ number: UInt64) -> S { S.make(seed &* 1_000 &+ number, cage) }
  func values(_ numbers: [UInt64]) -> [S] { numbers.map(value) }

  /// Numbers of which each differs from the one before it, as far as the type has different values.
  func distinct(_ numbers: [UInt64]) -> [S] {
    var found: [S] = []
    for value in values(numbers) where value != found.last { found.append(value) }
    return found
  }

  func stream(_ numbers: UInt64...) -> AsyncStream<S> {
    let values = values(numbers)
    return AsyncStream { stream in
      for value in values { stream.yield(value) }
      stream.finish()
    }
  }

  func mixedStream(_ numbers: UInt64...) -> AsyncStream<any Action> {
    let values = values(numbers)
    return AsyncStream { stream in
      for value in values { stream.yield(value) }
      stream.finish()
    }
  }

  static var writePart: Mutator<State, S> {
    Mutator(\.part) { (part: inout S, action: S) in part = action }
  }
  static var writeLog: Mutator<State, [S]> {
    Mutator(\.log) { (log: inout [S], action: S) in log.append(action) }
  }
  static var write: Reducer<S> { Reducer { (part: inout S, action: S) in part = action } }

  /// A store whose part is the newest action, and whose log is all of them.
  func store(middleware: [any Middleware<State>] = []) throws -> Store<State> {
    try store(middleware: middleware) {
      Self.writePart
      Self.writeLog
    }
  }

  func store(
    middleware: [any Middleware<State>] = [], @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) throws -> Store<State> {
    try Store(
      initialState: State(value(0)), coverage: .partial, middleware: middleware, parts: parts)
  }

  func expect(
    _ found: [S], _ numbers: UInt64..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(found, equals: values(numbers), sourceLocation: sourceLocation)
  }

  /// Whether what arrived is what was sent, told by name and seed.
  func expect(
    _ found: [S], equals sent: [S], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Compared out of the expectation's sight, which would print thousands of numbers.
    let isSame = found == sent
    let place: Comment =
      "\(zooName(S.self)), seed \(seed): \(text(found)) arrived, not \(text(sent))"
    #expect(isSame, place, sourceLocation: sourceLocation)
  }

  private func text(_ values: [S]) -> String {
    let prints = values.map(\.fingerprint)
    return prints.map { $0.count > 6 ? "\($0.prefix(6))…" : "\($0)" }.joined(separator: " ")
  }

  /// The specimens among what a commit applied.
  static func specimens(in action: (any Action)?) -> [S] {
    switch action {
    case let specimen as S: [specimen]
    case let array as [S]: array
    case let list as ActionList: list.actions.flatMap { specimens(in: $0) }
    default: []
    }
  }

  /// Goes one way after the other; after each, all that was made for it must be gone.
  static func walk(_ ways: [Way], seeds: Int) async throws {
    for seed in 1...UInt64(seeds) {
      for way in ways {
        let cage = try Cage()
        let place: Comment = "\(zooName(S.self)), \(way.name), seed \(seed)"
        do {
          try await way.take(Visit(cage: cage, seed: seed))()
        } catch {
          Issue.record(error, place)
        }
        if !cage.isEmpty { await Threads.apart { Threads.wait { cage.isEmpty } } }
        #expect(cage.isEmpty, "\(place): \(cage.description)")
      }
    }
  }
}
