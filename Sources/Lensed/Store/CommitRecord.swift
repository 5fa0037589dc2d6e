/// What a commit was, before it is told to anybody in particular.
struct CommitRecord: ~Copyable, Sendable {
  let state: Place
  let action: (any Action)?
  /// The single actions in it, in order; nil when it is a single action itself.
  let list: [any Action]?
  let site: CallSite?
  let cause: CommitCause
  let revision: UInt64
  let isHandled: Bool
  let ran: [Int]
  let ownership: OwnershipMap

  /// The single actions in it, in order.
  var members: [any Action] { list ?? action.map { [$0] } ?? [] }
}

/// Who owned what when a commit was made.
final class OwnershipMap: Sendable {
  let footprints: [Int: Footprint]

  init(_ owners: [Owner]) {
    footprints = Dictionary(owners.map { ($0.slot, $0.footprint) }) { first, _ in first }
  }
}

/// What a commit came from.
public enum CommitCause: String, Sendable, Hashable, Codable {
  /// An action was dispatched.
  case action
  /// Work of an asynchronous reducer began or ended.
  case asyncResult
  /// The state was replaced as a whole.
  case replacement
}
