public import Lensed

/// A small state for tests: three sub-states, each with actions of its own.
public struct Desk: Sendable, Equatable {
  /// Answers `CountAction`.
  public var count = 0
  /// Answers `TitleAction`.
  public var title = ""
  /// Answers `NoteAction`.
  public var notes: [Int] = []

  /// An empty desk.
  public init() {}

  /// A desk with these things on it.
  public init(count: Int = 0, title: String = "", notes: [Int] = []) {
    (self.count, self.title, self.notes) = (count, title, notes)
  }

  /// A property that nothing is stored for.
  public var summary: String { "\(title): \(count)" }
}

/// What `Desk.count` answers.
public enum CountAction: Action, Hashable {
  /// Adds a number.
  case add(Int)
  /// Runs the reducer, which changes nothing.
  case keep
  /// Sets the count to zero.
  case reset
}

/// What `Desk.title` answers.
public enum TitleAction: Action, Hashable {
  /// Gives the desk a title.
  case rename(String)
}

/// What `Desk.notes` answers.
public enum NoteAction: Action, Hashable {
  /// Adds a note at the end.
  case append(Int)
  /// Writes one note anew.
  case write(at: Int, Int)
}

/// What `Desk.count` and `Desk.title` both answer.
public struct ClearAction: Action, Hashable {
  /// Clears count and title.
  public init() {}
}

/// What nobody answers.
public struct StrayAction: Action, Hashable {
  /// An action without a reducer.
  public init() {}
}

extension Desk {
  /// The mutator of `count`.
  public static let countMutator = Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
    switch action {
    case .add(let amount): count += amount
    case .keep: break
    case .reset: count = 0
    }
  }
  .on(ClearAction.self) { count, _ in count = 0 }

  /// The mutator of `title`.
  public static let titleMutator =
    Mutator(\Desk.title) { (title: inout String, action: TitleAction) in
      switch action {
      case .rename(let name): title = name
      }
    }
    .on(ClearAction.self) { title, _ in title = "" }

  /// The mutator of `notes`.
  public static let notesMutator =
    Mutator(\Desk.notes) { (notes: inout [Int], action: NoteAction) in
      switch action {
      case .append(let note): notes.append(note)
      case .write(let index, let note): notes[index] = note
      }
    }

  /// A store of a desk with all three mutators.
  public static func makeStore(_ desk: Desk = Desk()) throws -> Store<Desk> {
    try Store(initialState: desk) {
      countMutator
      titleMutator
      notesMutator
    }
  }
}
