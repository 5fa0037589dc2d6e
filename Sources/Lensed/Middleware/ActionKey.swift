/// A hashable action as a dictionary key, compared by type and value.
struct ActionKey: Hashable, Sendable {
  private let action: any Action & Hashable

  init(_ action: any Action & Hashable) {
    self.action = action
  }

  static func == (left: ActionKey, right: ActionKey) -> Bool {
    AnyHashable(left.action) == AnyHashable(right.action)
  }

  func hash(into hasher: inout Hasher) {
    action.hash(into: &hasher)
  }
}
