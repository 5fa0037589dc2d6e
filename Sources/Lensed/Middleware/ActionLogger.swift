/// Middleware that writes one text for each commit: its actions, where they were dispatched, and what
/// they changed.
///
/// ```swift
/// let logger = ActionLogger<AppState>(excluding: [TickAction.self]) { print($0) }
/// let store = try Store(initialState: AppState(), middleware: [logger]) { … }
/// // #7 CounterAction.increase(10) at Shop/Counter.swift:31 in increase()
/// //   counter.value: 0 → 10
/// ```
///
/// It writes in commit order, one text at a time, what was applied: an action that middleware dropped
/// is not in it, and one that replaced another is. Actions of an excluded type, or that are `NotLogged`,
/// are left out, with what they changed when nothing else was in their commit. Of a change there are 20
/// lines at most, of 200 characters a value; of a big collection, the elements that differ. An action
/// that changed nothing says why: no reducer handles its type, or the element, key or child that it is
/// for is not there. It keeps no state between commits; while it is attached, each commit copies what it
/// touches.
public struct ActionLogger<State: Sendable>: Middleware {
  private let excluded: Set<ObjectIdentifier>
  private let write: @Sendable (String) -> Void

  /// A logger.
  ///
  /// - Parameters:
  ///   - excluded: The types of action that are left out.
  ///   - write: Given each text, without a line break at its end.
  public init(
    excluding excluded: [any Action.Type] = [], to write: @escaping @Sendable (String) -> Void
  ) {
    self.excluded = Set(excluded.map { ObjectIdentifier($0) })
    self.write = write
  }

  /// What changed is found by comparing.
  public var needsPrevious: Bool { true }

  /// Writes the text of one commit.
  public func didReduce(_ change: Change<State>) {
    let actions = change.members.filter { action in
      !(action is any NotLogged) && !excluded.contains(ObjectIdentifier(type(of: action)))
    }
    if actions.isEmpty && !change.members.isEmpty { return }
    var lines = actions.map { "#\(change.revision) \(Self.name(of: $0))\(Self.origin(change))" }
    switch change.cause {
    case .action: break
    case .asyncResult: lines.append("#\(change.revision) result of an asynchronous reducer")
    case .replacement: lines.append("#\(change.revision) state replaced")
    }
    if let previous = change.previous {
      lines += StateDifference.lines(from: previous, to: change.state).map { "  " + $0 }
    }
    if !change.isHandled && change.cause == .action {
      lines.append("  " + Self.reason(change.touched.properties, change.members))
    }
    write(lines.joined(separator: "\n"))
  }

  /// Why no reducer ran, where those of `properties` handle the type of an action.
  private static func reason(_ properties: [String], _ actions: [any Action]) -> String {
    if properties.isEmpty { return "no reducer handles it" }
    var names = properties.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    if properties.count > 3 { names += " and \(properties.count - 3) more" }
    let action = actions.first.map { ($0 as? any AnyTagged)?.untagged ?? $0 }
    if actions.count == 1, let action = action as? any AnyElementAction {
      let element = ShortText.text(action.element)
      return "no reducer ran: \(names) has no element \(element) that it is for"
    }
    return """
      no reducer ran: \(names) has nothing that it is for (it is nil, in another case, or its reducer \
      handles other cases of the action)
      """
  }

  private static func name(of action: any Action) -> String {
    let text = "\(action)"
    let type = "\(type(of: action))"
    // A case prints without its type, a struct with it.
    return text.hasPrefix(type) ? text : "\(type).\(text)"
  }

  private static func origin(_ change: Change<State>) -> String {
    change.site.map { " at \($0) in \($0.function)" } ?? ""
  }
}

/// An action that `ActionLogger` leaves out.
///
/// ```swift
/// extension TickAction: NotLogged {}
/// ```
public protocol NotLogged: Action {}
