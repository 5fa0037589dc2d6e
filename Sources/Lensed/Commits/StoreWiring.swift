/// Who owns what in a store, and which actions each reducer and effect handles: names alone, as a value.
///
/// ```swift
/// print(store.wiring)
/// // counter: Int, reduced at App/Counter.swift:12
/// //   CounterAction, LogOut at App/Counter.swift:19
/// // rows[…], children
/// //   ElementAction<Int, RowAction>
/// //   rows[…].title: String, reduced at App/Row.swift:8
/// //     RowAction
/// // effect search, latest
/// //   on QueryChanged
/// ```
///
/// It is a copy: what is registered, replaced or installed later is not in it. It is `Codable`, for tools that show it.
public struct StoreWiring: Sendable, Hashable, Codable {
  /// A part of the state that has an owner.
  public struct Part: Sendable, Hashable, Codable {
    /// Who owns it.
    public enum Owner: String, Sendable, Hashable, Codable {
      /// A `Mutator`.
      case mutator
      /// An `AsyncMutator`.
      case asyncMutator
      /// No reducer changes it: it is `Constant`.
      case constant
      /// A feature of its children: `parts` has what is owned in each of them.
      case children
    }

    /// The part, from the state of the store: `rows[…].title`.
    public let name: String
    /// The type of the part.
    public let type: String
    /// Who owns it.
    public let owner: Owner
    /// The types of actions that its owner handles, as they are dispatched to whatever has the part; `any Action`
    /// where it sees every action.
    public let actions: [String]
    /// Where the mutator is written, as `Module/File.swift:12`.
    public let site: String?
    /// Where the reducer of each of `actions` is written, in their order.
    ///
    /// It is `site`, or the place of an `on` of the mutator; where an action has several, that of the first. It is nil for
    /// children, whose `parts` have the places.
    public let sites: [String?]
    /// The parts of each child, whose actions are in terms of the child.
    public let parts: [Part]
  }

  /// An installed effect.
  public struct WiredEffect: Sendable, Hashable, Codable {
    /// The name of the effect, with its place in the source if it was given none.
    public let name: String
    /// The feature that it is of, as a part of the state; empty where that is the whole.
    public let part: String
    /// Its policy.
    public let policy: String
    /// The types of actions that trigger it, as they are dispatched to the store; `any Action` for each one.
    public let actions: [String]
    /// The part whose changes trigger it; empty for the whole, and for what cannot be seen.
    public let value: String?
    /// The types of actions that cancel it.
    public let cancelledOn: [String]
    /// The parts that it is tied to.
    public let tiedTo: [String]
  }

  /// The parts that have an owner, in the order of registration.
  public let parts: [Part]
  /// The installed effects, in the order in which they were installed.
  public let effects: [WiredEffect]
}

// MARK: Text

extension StoreWiring: CustomStringConvertible {
  /// The parts and the effects, a line each, with their actions below them.
  public var description: String {
    (parts.flatMap(\.lines) + effects.flatMap(\.lines)).joined(separator: "\n")
  }
}

extension StoreWiring.Part {
  fileprivate var lines: [String] {
    let place = site.map { " at \($0)" } ?? ""
    let head =
      switch owner {
      case .mutator: "\(name): \(type), reduced\(place)"
      case .asyncMutator: "\(name): \(type), reduced asynchronously\(place)"
      case .constant: "\(name): \(type), constant"
      case .children: "\(name), children"
      }
    let reduced = zip(actions, sites).map { action, place in
      place.map { $0 == site ? action : "\(action) at \($0)" } ?? action
    }
    let inner = (reduced.isEmpty ? [] : [reduced.joined(separator: ", ")]) + parts.flatMap(\.lines)
    return [head] + inner.map { "  \($0)" }
  }
}

extension StoreWiring.WiredEffect {
  fileprivate var lines: [String] {
    var lines = ["effect \(name)\(part.isEmpty ? "" : " of \(part)"), \(policy)"]
    if !actions.isEmpty { lines.append("  on \(actions.joined(separator: ", "))") }
    if let value { lines.append("  when \(value.isEmpty ? "the state" : value) changes") }
    if !cancelledOn.isEmpty {
      lines.append("  cancelled on \(cancelledOn.joined(separator: ", "))")
    }
    if !tiedTo.isEmpty { lines.append("  tied to \(tiedTo.joined(separator: ", "))") }
    return lines
  }
}

// MARK: Reading it from a store

extension StoreCore {
  /// The wiring; read in one turn at the lock, and named without it.
  var wiring: StoreWiring {
    let (owners, attachments) = withLock("looked up its wiring") {
      ($0.owners, $0.listeners.present)
    }
    var events: [Int: [(type: any Action.Type, site: CallSite?)]] = [:]
    for attachment in attachments {
      for epoch in attachment.epochs { events[epoch.slot, default: []] += attachment.reductions }
    }
    return StoreWiring(
      parts: owners.map { StoreWiring.Part($0, events: events[$0.slot] ?? []) },
      effects: attachments.flatMap { $0.effects() })
  }
}

extension StoreWiring.Part {
  /// A part, whose asynchronous mutators take `events`.
  fileprivate init(
    _ owner: Lensed.Owner, events: [(type: any Action.Type, site: CallSite?)],
    in parent: String = ""
  ) {
    let own = owner.footprint.name
    let path = parent.isEmpty ? own : own == "\\.self" ? parent : "\(parent).\(own)"
    let children = owner.children.map { path + $0.way.text() }
    // In two steps: in one, the optimiser of Swift 6.3.1 crashes.
    let types = owner.cases.map(\.type)
    let actions = types.map { type in type.map { "\($0)" } ?? "any Action" }
    name = children ?? path
    type = owner.footprint.typeName
    let places = owner.cases.map(\.site) + events.map(\.site)
    var (names, sites): ([String], [String?]) = ([], [])
    for (action, place) in zip(actions + events.map { "\($0.type)" }, places)
    where !names.contains(action) {
      names.append(action)
      sites.append(owner.children == nil ? (place ?? owner.site)?.description : nil)
    }
    (self.actions, self.sites) = (names, sites)
    site = owner.site?.description
    parts =
      owner.children?.owners.map { StoreWiring.Part($0, events: [], in: children ?? path) } ?? []
    self.owner =
      if owner.isConstant {
        .constant
      } else if owner.children != nil {
        .children
      } else if owner.cases.isEmpty {
        .asyncMutator
      } else {
        .mutator
      }
  }
}
