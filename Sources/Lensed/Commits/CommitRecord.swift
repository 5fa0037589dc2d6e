/// What a commit was, before it is told to anybody in particular.
@usableFromInline
struct CommitRecord: Sendable {
  let state: StateAddress
  let action: (any Action)?
  /// The single actions in it, in order; nil when it is a single action itself.
  let list: [any Action]?
  let site: CallSite?
  let cause: CommitCause
  let revision: UInt64
  let isHandled: Bool
  let reach: TouchedParts

  /// The single actions in it, in order.
  var members: [any Action] { list ?? action.map { [$0] } ?? [] }
}

/// How far a commit reached: the sub-states whose reducers ran, and who owned what then.
final class TouchedParts: Sendable {
  let slots: [Int]
  /// The sub-states whose reducers were asked; those of `slots` are the ones that ran.
  private let asked: [Int]
  let ownership: OwnershipMap

  init(_ slots: [Int], _ ownership: OwnershipMap, asking asked: [Int]? = nil) {
    self.slots = slots
    self.asked = asked ?? slots
    self.ownership = ownership
  }

  /// The properties whose reducers handle the type of the action, whether they ran or not.
  var properties: [String] { asked.compactMap { ownership.parts[$0]?.footprint.name } }

  /// The same, where only some of the sub-states, or all, were reached.
  func narrowed(to some: [Int]) -> TouchedParts {
    some.count == slots.count ? self : TouchedParts(some, ownership, asking: asked)
  }

  /// Whether a reducer ran that owned a part of what the footprint covers.
  func touches(_ footprint: Footprint) -> Bool {
    slots.contains { slot in
      ownership.parts[slot].map { $0.footprint.overlap(with: footprint) != .none } ?? false
    }
  }
}

/// Who owned what when a commit was made.
final class OwnershipMap: Sendable {
  struct Part: Sendable {
    let footprint: Footprint
    /// Which owner it is.
    let owner: UInt64
  }

  /// What is owned, by the numbers of the sub-states.
  let parts: [Int: Part]

  init(_ owners: [Owner]) {
    parts = Dictionary(
      owners.map { ($0.slot, Part(footprint: $0.footprint, owner: $0.identity)) }
    ) { first, _ in first }
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
