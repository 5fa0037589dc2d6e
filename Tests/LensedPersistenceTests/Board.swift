import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport

/// A state with parts of every kind that can be kept.
struct Board: Sendable, Equatable {
  var title = "new"
  var limits = Limits()
  var cards = Entities<Card>()
  var sorted = SortedEntities<Card>(by: { ($0.text, $0.id) < ($1.text, $1.id) })
  var votes: [String: Int] = [:]
  /// What is not kept.
  var selection: Int?

  static func == (left: Board, right: Board) -> Bool {
    left.title == right.title && left.limits == right.limits && left.cards == right.cards
      && Array(left.sorted) == Array(right.sorted) && left.votes == right.votes
  }
}

struct Limits: Sendable, Equatable, Codable {
  var cards = 10
  var ratio = 0.5
}

struct Card: Sendable, Equatable, Codable, Identifiable {
  var id: Int
  var text = ""
}

/// Edits the whole board: one action is one commit of several parts.
enum BoardAction: Action {
  case rename(String)
  case limit(Int)
  case add(Card, at: Int)
  case write(Int, String)
  case remove(Int)
  case move(Int, to: Int)
  case vote(String, Int)
  case unvote(String)
  case select(Int)
}

extension Board {
  static let parts: @Sendable () -> [StorePart<Board>] = {
    @StoreBuilder<Board> func parts() -> [StorePart<Board>] {
      Mutator(\Board.title) { (title: inout String, action: BoardAction) in
        if case .rename(let text) = action { title = text }
      }
      Mutator(\Board.limits) { (limits: inout Limits, action: BoardAction) in
        if case .limit(let count) = action {
          limits.cards = count
          limits.ratio = Double(count) / 3
        }
      }
      Mutator(\Board.cards) { (cards: inout Entities<Card>, action: BoardAction) in
        switch action {
        case .add(let card, let index): _ = cards.insert(card, at: min(index, cards.count))
        case .write(let id, let text): cards[id: id]?.text = text
        case .remove(let id): _ = cards.remove(id: id)
        case .move(let id, let index):
          if cards.contains(id: id) { _ = cards.move(id: id, to: min(index, cards.count - 1)) }
        default: break
        }
      }
      Mutator(\Board.sorted) { (cards: inout SortedEntities<Card>, action: BoardAction) in
        switch action {
        case .add(let card, _): _ = cards.insert(card)
        case .write(let id, let text): _ = cards.update(Card(id: id, text: text))
        case .remove(let id): _ = cards.remove(id: id)
        default: break
        }
      }
      Mutator(\Board.votes) { (votes: inout [String: Int], action: BoardAction) in
        switch action {
        case .vote(let name, let count): votes[name] = count
        case .unvote(let name): votes[name] = nil
        default: break
        }
      }
      Mutator(\Board.selection) { (selection: inout Int?, action: BoardAction) in
        if case .select(let id) = action { selection = id }
      }
      .on(CountAction.self) { selection, _ in selection = (selection ?? 0) + 1 }
    }
    return parts()
  }

  @PersistenceBuilder<Board> static func kept() -> [PersistedPart<Board>] {
    Kept(\.title)
    Kept(\.limits)
    KeptRows(\.cards)
    KeptRows(\.sorted)
    KeptRows(\.votes)
  }

  static func makeStore(_ disk: Persistence<Board>, _ board: Board = Board()) throws -> Store<Board>
  {
    try Store(initialState: board, middleware: [disk]) { for part in parts() { part } }
  }

  /// A random action.
  static func action(_ generator: inout SeededGenerator) -> BoardAction {
    let id = Int.random(in: 0..<12, using: &generator)
    let text = String("abcdefgh".randomElement(using: &generator) ?? "a")
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .rename(text)
    case 1: return .limit(id)
    case 2, 3, 4:
      return .add(Card(id: id, text: text), at: Int.random(in: 0..<8, using: &generator))
    case 5: return .write(id, text)
    case 6: return .remove(id)
    case 7: return .move(id, to: Int.random(in: 0..<8, using: &generator))
    case 8: return .vote(text, id)
    default: return .unvote(text)
    }
  }
}

extension Persistence<Board> {
  /// A persistence of all kept parts of a board, that is silent.
  convenience init(
    board storage: some PersistenceStorage, writing: PersistenceWriting = .eachCommit,
    recovering: PersistenceRecovering = .strictly, clock: any Clock<Duration> = ManualClock(),
    compactingAt bytes: UInt64? = nil
  ) throws(PersistenceError) {
    var options = PersistenceOptions(
      writing: writing, clock: clock, onFailure: { _ in })
    if let bytes { options.minimalSegments = bytes }
    try self.init(storage, Board.kept(), recovering, options)
  }
}

extension Board {
  /// The board that a persistence restores.
  static func makeBoard(_ disk: Persistence<Board>) -> Board {
    Store(initialState: Board(), coverage: .partial, middleware: [disk]).state
  }
}

extension Store {
  /// How many commits there were.
  var commits: UInt64 { asScope.readSettledState { _, _, _ in () }.revision }
}
