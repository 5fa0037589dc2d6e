// The words for one action are those of `Redaction`, and long ones are cut by `ShortText`.

/// Middleware that logs each commit: its actions, their call sites, what set them off, and the changes to the state.
///
/// ```swift
/// let logger = ActionLogger<AppState>(excluding: [TickAction.self]) { print($0) }
/// let store = try Store(initialState: AppState(), middleware: [logger]) { … }
/// // #7 CounterAction.increase(10) at Shop/Counter.swift:31 in increase()
/// //   counter.value: 0 → 10
/// ```
///
/// **Guarantees.**
/// - It logs applied actions, in commit order, one text at a time. Actions that middleware dropped
///   are not logged; actions that middleware put in their place are.
/// - Actions of an excluded type, and actions that are `NotLogged`, are left out, also where they are
///   tagged or for an element. A commit with no other actions is not logged at all.
/// - Of an action or a value with something `NotLogged` in it, the name of the type stands there, and nothing else.
/// - A text has at most 20 actions and 20 lines of changes, with at most 200 characters an action and
///   a value. A big collection is logged by its different elements.
/// - A line names the commit that set it off by its number: with the lines above it is the chain of causes. It has no
///   time, so the same actions make the same text; `change.time` has it where a recorder is attached.
/// - For an action that changed nothing it logs the reason: no reducer handles its type, or the
///   element, key or child it was meant for does not exist, or the reducer wrote what was there.
///
/// **Cost.** It holds no state between commits. While it is attached, each commit copies the collections it touches.
public struct ActionLogger<State: Sendable>: Middleware {
  private static var most: Int { 20 }

  private let excluded: Set<ObjectIdentifier>
  private let write: @Sendable (String) -> Void

  /// Creates a logger that writes one text for each commit.
  ///
  /// - Parameters:
  ///   - excluded: The action types to leave out, also where they are tagged or for an element.
  ///   - write: Writes a text; it has no line break at its end.
  public init(
    excluding excluded: [any Action.Type] = [], to write: @escaping @Sendable (String) -> Void
  ) {
    self.excluded = Set(excluded.map { ObjectIdentifier($0) })
    self.write = write
  }

  /// True, because changes are found by comparing with the previous state.
  public var needsPrevious: Bool { true }

  /// Logs one commit.
  public func didReduce(_ change: Change<State>) {
    let actions = change.members.filter { !isLeftOut($0) }
    if actions.isEmpty && !change.members.isEmpty { return }
    let origin = Self.origin(of: change)
    var lines = actions.prefix(Self.most).map { action in
      "#\(change.revision) \(Redaction.action(action))\(origin)"
    }
    if actions.count > Self.most {
      lines.append("#\(change.revision) … and \(actions.count - Self.most) more actions")
    }
    switch change.cause {
    case .action:
      if actions.isEmpty { lines.append("#\(change.revision) a recorded state\(origin)") }
    case .asyncResult:
      lines.append("#\(change.revision) result of an asynchronous reducer\(origin)")
    case .placeholder:
      lines.append("#\(change.revision) placeholder of an asynchronous reducer\(origin)")
    case .replacement: lines.append("#\(change.revision) state replaced")
    }
    var differences: [String] = []
    if let previous = change.previous {
      differences = StateDifference.lines(from: previous, to: change.state).map { "  " + $0 }
    }
    lines += differences
    if change.isHandled && change.ownCause == .action && differences.isEmpty {
      lines.append("  " + Self.reason(ofNothing: change.touched))
    }
    if !change.isHandled && change.ownCause == .action {
      lines.append("  " + Self.reason(change.touched.properties, change.members))
    }
    write(lines.joined(separator: "\n"))
  }

  /// What made a commit, where, and what set that off.
  private static func origin(of change: Change<State>) -> String {
    let maker =
      switch change.origin {
      case .effect(let name): " by the effect \(name)"
      case .sequence: " of a sequence"
      case .dispatch, .asyncResult, .placeholder, .replacement: ""
      }
    // An effect without a name is called by its place.
    let place = change.site.map {
      maker.hasSuffix(" at \($0)") ? "" : " at \($0) in \($0.function)"
    }
    return maker + (place ?? "")
      + (change.parent.map { ", set off by #\($0)" } ?? "")
  }

  /// Whether an action is not logged, because of its type or that of an action inside of its tags and ids.
  private func isLeftOut(_ action: any Action) -> Bool {
    action.layers.contains { layer in
      layer is any NotLogged || excluded.contains(ObjectIdentifier(type(of: layer)))
    }
  }

  /// The reason why an action changed nothing though it is handled.
  private static func reason(ofNothing touched: TouchedParts) -> String {
    let owners = touched.slots.compactMap { touched.ownership.bySlot[$0]?.footprint.name }
    if owners.isEmpty { return "nothing changed yet: an asynchronous reducer takes it up" }
    let (reducers, verb) = owners.count == 1 ? ("the reducer", "writes") : ("the reducers", "write")
    return "nothing changed: \(reducers) of \(names(owners)) \(verb) what was there"
  }

  private static func names(_ properties: [String]) -> String {
    let names = properties.prefix(3).map { "\(code: $0)" }.joined(separator: ", ")
    return properties.count > 3 ? names + " and \(properties.count - 3) more" : names
  }

  /// The reason why no reducer ran, given the properties whose reducers handle the action's type.
  private static func reason(_ properties: [String], _ actions: [any Action]) -> String {
    if properties.isEmpty { return "no reducer handles it" }
    let names = names(properties)
    let elementAction = actions.first?.layers.lazy.compactMap { $0 as? any AnyElementAction }.first
    if actions.count == 1, let action = elementAction {
      let element = Redaction.text(action.element)
      return "no reducer ran: \(names) has no element \(element) that it is for"
    }
    return """
      no reducer ran: \(names) has nothing that it is for (it is nil, in another case, or its reducer \
      handles other cases of the action)
      """
  }
}
