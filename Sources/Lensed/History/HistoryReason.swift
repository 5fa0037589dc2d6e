/// Why a part of the state is as it is: the commit that last changed it, and what set that off, back to what came from
/// outside.
///
/// ```swift
/// print(history.why(\.cart) ?? "never changed")
/// // `cart` is ["book"] since #812,
/// // `CartAction.add("book")` by the effect Search (Shop/Search.swift:41),
/// // set off by #809 `QueryChanged("b")` dispatched at Shop/BookView.swift:31
/// ```
///
/// A history knows as many steps as its limit says, and 1,000 commits beside them that were no steps, such as those of
/// actions that only set off an effect. A chain that leads further back ends there, and says so.
public struct HistoryReason<State: Sendable>: RandomAccessCollection, Sendable,
  CustomStringConvertible
{
  /// The commits, each followed by the one that set it off; one that was no step has the state of the step before it.
  public let entries: [HistoryEntry<State>]
  /// The name of the part, and its value as text.
  private let name: String
  private let value: String
  /// The number of the commit that set off the last of these, if the history has discarded that commit.
  public let forgotten: UInt64?

  init(_ entries: [HistoryEntry<State>], of name: String, _ value: String, forgotten: UInt64?) {
    (self.entries, self.name, self.value, self.forgotten) = (entries, name, value, forgotten)
  }

  /// The position of the commit that changed the part.
  public var startIndex: Int { entries.startIndex }
  /// The position behind the commit that something from outside made.
  public var endIndex: Int { entries.endIndex }
  /// A commit of the chain.
  public subscript(position: Int) -> HistoryEntry<State> { entries[position] }

  /// The chain as sentences.
  public var description: String {
    var text = "\(code: name) is \(value)"
    let links = entries.map(\.asCause)
    if let first = links.first { text += " since #\(first.revision), \(first.sentence)" }
    text += CauseLink.clause(links.dropFirst())
    if let forgotten { text += ", set off by #\(forgotten), which is not kept any more" }
    return text
  }
}

extension HistoryEntry {
  fileprivate var asCause: CauseLink {
    isFirst ? CauseLink(revision, "where the history began") : CauseLink(revision, actions, causes)
  }
}

extension History {
  /// Says why a part of the state has its present value; nil if no entry of the history changed it.
  ///
  /// Only what the history knows counts: one of a part knows why that part is as it is.
  ///
  /// - Complexity: O(*n*) in the steps, each of which is compared with the one before it.
  public func why<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> HistoryReason<State>? {
    let past = past
    var index = past.count - 1
    while index > 0,
      past[index].state[keyPath: keyPath] == past[index - 1].state[keyPath: keyPath]
    {
      index -= 1
    }
    guard index > 0 else { return nil }
    var chain = [past[index]]
    var forgotten: UInt64?
    while let last = chain.last, let parent = last.parent {
      // What sets off a commit comes before it.
      guard parent < last.first, let cause = commit(parent, past) else {
        forgotten = parent < last.first ? parent : nil
        break
      }
      chain.append(cause)
    }
    let text = "\(keyPath)"
    let name = text.hasPrefix("\\") ? String(text.drop { $0 != "." }.dropFirst()) : text
    return HistoryReason(
      chain, of: name.isEmpty ? "the state" : name,
      Redaction.text(past[past.count - 1].state[keyPath: keyPath]), forgotten: forgotten)
  }

  private func commit(_ revision: UInt64, _ past: [HistoryEntry<State>]) -> HistoryEntry<State>? {
    if let step = past.last(where: { $0.has(revision) }) { return step }
    guard let passed = passedCommit(revision),
      let before = past.last(where: { $0.revision <= revision })
    else { return nil }
    return HistoryEntry(passed, state: before.state)
  }
}

/// A commit that was no step of a history.
struct PassedCommit: Sendable {
  let revision: UInt64
  let actions: [any Action]
  let causes: CommitCauses

  static let limit = 1_000

  init(_ commit: CommitRecord) {
    (revision, actions) = (commit.revision, commit.actions.members)
    causes = CommitCauses(commit)
  }
}
