/// Something that holds in every state of a store, or for every commit.
///
/// ```swift
/// let invariants = [
///   Invariant("the count is never negative", of: \Desk.count) { $0 >= 0 },
///   Invariant("notes are never lost") { $0.notes.count <= $1.notes.count },
/// ]
/// ```
public struct Invariant<State: Sendable>: Sendable {
  /// What it says, as a sentence.
  public let name: String
  let holds: @Sendable (_ before: State, _ after: State) -> Bool
  /// The part that it is about; nil is the whole.
  let read: (@Sendable (State) -> Any)?

  /// An invariant of the state.
  ///
  /// - Parameters:
  ///   - name: What it says, as a sentence.
  ///   - holds: Whether it holds in a state.
  public init(_ name: String, _ holds: @escaping @Sendable (_ state: State) -> Bool) {
    self.name = name
    self.holds = { holds($1) }
    read = nil
  }

  /// An invariant of one part of the state.
  ///
  /// - Parameters:
  ///   - name: What it says, as a sentence.
  ///   - keyPath: The part.
  ///   - holds: Whether it holds for the part.
  public init<Value>(
    _ name: String, of keyPath: any KeyPath<State, Value> & Sendable,
    _ holds: @escaping @Sendable (_ part: Value) -> Bool
  ) {
    self.name = name
    self.holds = { holds($1[keyPath: keyPath]) }
    read = { $0[keyPath: keyPath] }
  }

  /// An invariant of each commit.
  ///
  /// - Parameters:
  ///   - name: What it says, as a sentence.
  ///   - holds: Whether it holds for the states before and after a commit.
  public init(
    _ name: String, _ holds: @escaping @Sendable (_ before: State, _ after: State) -> Bool
  ) {
    self.name = name
    self.holds = holds
    read = nil
  }
}
