/// A list of actions of different types, as one action.
///
/// ```swift
/// let leave = ActionList([UserAction.logOut, CounterAction.reset])
/// store.dispatch([CounterAction.increase(1), leave])
/// ```
///
/// Its members run in order, as one commit up to the first asynchronous one. An empty list is none.
///
/// Lists, and arrays of lists, may be put into one another as deep as you like: their depth takes no
/// stack, when they are dispatched and when they are released. Lists inside of tagged actions, and of
/// actions for an element, may be up to 100 deep; to dispatch deeper ones traps.
public struct ActionList: Action, ExpressibleByArrayLiteral {
  private enum Storage: Sendable {
    /// None of them is a list.
    case flat([any Action])
    case nested(NestedActions)
  }

  private let storage: Storage

  /// The actions, in the order they run in.
  public var actions: [any Action] {
    switch storage {
    case .flat(let actions): actions
    case .nested(let nested): nested.actions
    }
  }

  /// Whether no member is an `ActionList`, nor an array of them.
  var isFlat: Bool {
    if case .flat = storage { true } else { false }
  }

  /// A list of `actions`.
  public init(_ actions: [any Action]) {
    var isNested = false
    actions.lendRuns { if NestedActions.isList($0.type) { isNested = true } }
    storage = isNested ? .nested(NestedActions(actions)) : .flat(actions)
  }

  /// A list written as a literal.
  public init(arrayLiteral elements: any Action...) { self.init(elements) }

  fileprivate var nested: NestedActions? {
    if case .nested(let nested) = storage { nested } else { nil }
  }
}

extension ActionList: CompositeAction {
  var members: [any Action] { actions }
}

extension ActionList: CustomReflectable {
  /// Shows the actions.
  public var customMirror: Mirror {
    Mirror(self, children: ["actions": actions], displayStyle: .struct)
  }
}

extension ActionList {
  /// This list, with `transform` applied to the members that are no lists, however deep they lie.
  func mapLeaves(_ transform: (any Action) -> any Action) -> ActionList {
    var levels: [(members: ArraySlice<any Action>, mapped: [any Action])] = [(actions[...], [])]
    while true {
      let level = levels.count - 1
      if let member = levels[level].members.popFirst() {
        if NestedActions.isList(member.exactType), let list = member as? any CompositeAction {
          levels.append((list.members[...], []))
        } else {
          levels[level].mapped.append(transform(member))
        }
      } else {
        let list = ActionList(levels.removeLast().mapped)
        if levels.isEmpty { return list }
        levels[level - 1].mapped.append(list)
      }
    }
  }
}

/// Actions with lists among them, which are released one by one rather than one inside of another.
private final class NestedActions: Sendable {
  private let guarded: Locked<[any Action]>

  init(_ actions: [any Action]) {
    guarded = Locked(actions)
  }

  var actions: [any Action] { guarded.withLock { $0 } }

  static func isList(_ type: any Action.Type) -> Bool {
    type == ActionList.self || type == [ActionList].self
  }

  private static func nested(in actions: [any Action]) -> [NestedActions] {
    actions.flatMap { action -> [NestedActions] in
      guard isList(action.exactType) else { return [] }
      if let list = action as? ActionList { return list.nested.map { [$0] } ?? [] }
      return (action as? [ActionList])?.compactMap(\.nested) ?? []
    }
  }

  deinit {
    var waiting = Self.nested(in: guarded.withLock { exchange(&$0, with: []) })
    while var next = waiting.popLast() {
      // A list with another reference is released with its last reference.
      guard isKnownUniquelyReferenced(&next) else { continue }
      waiting += Self.nested(in: next.guarded.withLock { exchange(&$0, with: []) })
    }
  }
}
