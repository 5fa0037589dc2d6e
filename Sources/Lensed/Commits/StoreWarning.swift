/// Is given the warnings of a store.
public typealias StoreWarningHandler = @Sendable (StoreWarning) -> Void

/// A finding about how a store is used, for the app's developer: most often it is an error of the app.
///
/// The store hands it to its `onWarning:`, without a lock. Without one, a debug build writes a line to the
/// standard error stream, and a release build looks for nothing. Equal findings are reported once.
///
/// ```swift
/// let store = try Store(initialState: AppState(), onWarning: { warning in print(warning) }) {
///   Mutator(\.counter, counterReducer)
/// }
/// ```
public struct StoreWarning: Sendable, CustomStringConvertible {
  /// What was found.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An action was dispatched that no reducer and no effect handles; reported once for each type.
    case unhandledAction
    /// An action was dispatched for an element that is not there, or for a child in it that is not there; reported
    /// once for each type, element and child.
    case missingElement
    /// An action was dispatched for an element whose id is of another type than those of the collection; reported
    /// once for each type.
    case foreignElement
    /// An effect dispatched after it had ended; reported once for each effect and place.
    case endedEffect
    /// A run of an effect is the last of 1,000 of which each was set off by what the one before has dispatched, and
    /// nothing from outside came in between; reported once for each effect.
    case endlessEffects
    /// The store was released while an effect waited for a lull.
    case lostEffect
    /// An action was dispatched to a scope whose child is not there any more, or has given way to one with another
    /// identity; reported once for each type and scope.
    case departedScope
    /// A derived value was computed eight times in a row, and came out equal each time; reported once for each.
    ///
    /// One that another is derived from is not reported: it spares the store the computation of that one.
    case uselessDerived
    /// An observer dispatched an action in the delivery of a replayed commit, and it was not applied; reported once.
    case dispatchInReplay
    /// A replayed session came to another state than was recorded; reported once for each replay.
    case divergedReplay
    /// A `DerivedFamily` is asked in turn for more keys than it holds, so it computes a value each time; reported once
    /// for each family.
    case crowdedFamily
    /// A feature was lifted to two parts of the state without a tag, so both handle each of its actions; reported once
    /// for each pair. `lifted(_:sharing:)` says that it is meant.
    case sharedFeature
    /// More than 100,000 commits wait until their observers are called; reported once.
    case overdueDeliveries
    /// A feature is given a value of a type that nothing in it asks for; reported once for each place.
    ///
    /// Where a feature has effects or services, their functions might ask for it, so it is not reported.
    case unneededGiven
  }

  /// How many runs of effects set each other off before that is worth a warning.
  static let endlessRounds: UInt32 = 1_000

  /// What was found.
  public let kind: Kind
  /// The action that it is about; nil where there is none.
  public let action: (any Action)?
  /// The names of the properties that it is about, separated by commas; nil where there is none.
  public internal(set) var property: String?
  /// The paths of what was looked for and is not there, separated by commas: `rows[7]`, `rows[7].sheet`; nil where
  /// nothing is missing.
  ///
  /// A path ends at the first child on the way that is missing. The backticks around each path are in the value.
  public var missing: String? {
    search.missing == nil ? nil : missingPaths.joined(separator: ", ")
  }
  /// The name of the effect that it is about; nil where there is none.
  public internal(set) var effect: String?
  /// The name of the derived value that it is about; nil where there is none.
  public internal(set) var derived: String?
  /// Where the action was dispatched, the derived value made, or the value given.
  public let site: CallSite?
  /// What those know that handle the action of the children that it is for.
  var search = ChildSearch()
  /// Each collection that the action might have been meant for, with the type of its ids.
  var takers: [String] = []
  /// The child of the scope, and the one that is in its place, where there is one.
  var replaced: (own: String, other: String)?
  var cause: String?
  var given: String?
  var limit = 0
  /// What made the commit that it is about, where that was no dispatch of the app.
  private var origin: CommitOrigin?
  /// What set that off, the nearest commit first, as the store knew it.
  private var links: [CauseLink] = []

  /// The number of the commit that set off what it is about; nil where something from outside did.
  package var parent: UInt64? { links.first?.revision }

  /// The same warning, about what a work does.
  func about(_ work: WorkNode?) -> StoreWarning {
    about(work, by: work?.waitLabel)
  }

  private func about(_ work: WorkNode?, by maker: WorkLabel?) -> StoreWarning {
    guard let work else { return self }
    var warning = self
    let origin = CommitOrigin(.action, maker)
    warning.origin = origin == .dispatch ? nil : origin
    warning.links = work.causes
    return warning
  }

  /// The same warning, about a commit that is to be made in the delivery of another.
  func about(_ request: CommitRequest, in delivery: DeliveredCommit?) -> StoreWarning {
    if let work = request.parent.node { return about(work, by: request.parent.maker?.waitLabel) }
    guard let delivery else { return self }
    return setOff(by: [CauseLink(delivery.revision)])
  }

  /// The same warning, by one who knows more of what set it off.
  package func setOff(by causes: [CauseLink]) -> StoreWarning {
    if causes.isEmpty { return self }
    return changed(self) { $0.links = causes }
  }

  init(_ kind: Kind, action: (any Action)? = nil, at site: CallSite? = nil) {
    (self.kind, self.action, self.site) = (kind, action, site)
  }

  /// A warning that the children are missing which an action is for.
  init(missingFor action: any Action, at site: CallSite?, _ search: ChildSearch) {
    self.init(.missingElement, action: action, at: site)
    self.search = search
    property = search.missing?.parts.map { "\(code: $0)" }.joined(separator: ", ")
  }

  /// The element that the action is for, as text; nil where it is for none.
  public var element: String? { action.flatMap(Self.element) }

  /// What happened, where, and what to do.
  public var description: String { "Lensed: \(text)" }

  private var text: String {
    let maker = origin.map { CauseLink(0, "", $0).maker }.map { " \($0)" } ?? ""
    let dispatch = "\(code: typeName) was dispatched\(place)\(maker)\(chain)"
    return switch kind {
    case .unhandledAction:
      "\(dispatch), and no reducer and no effect handles this type: nothing has changed."
        + " Register a mutator for it; an action is routed by its exact type."
    case .missingElement:
      "\(dispatch) for \(element ?? "an element"), \(absence): nothing has changed."
        + " Dispatch it while the element is there, or let what dispatches it end with the element."
    case .foreignElement:
      "\(dispatch), and \(takers.joined(separator: "; ")): nothing has changed."
        + " Address it by an id of that type."
    case .endedEffect:
      "the effect \(effect ?? "")\(chain) dispatched \(code: typeName)\(place) after it had ended. The action is "
        + "applied, but no finish() waits for it and no cancellation of the effect reaches it."
        + " Await in the effect what is to dispatch for it."
    case .endlessEffects:
      "\(Self.endlessRounds) runs of effects have set each other off, and nothing from outside came in between; the "
        + "last one is of the effect \(effect ?? "")\(chain)."
        + " Let it dispatch only what changes something, or repeat its work in a loop inside of one run."
    case .lostEffect:
      "the store was released while the effect \(effect ?? "") waited for a lull\(chain): it never "
        + "begins."
        + " Await the store's flush() before you release it."
    case .departedScope:
      "\(dispatch) to a scope of \(property ?? "the state"), \(departure): nothing has changed."
        + " Make the scope anew when the child is there again, or let the view that holds it leave."
    case .dispatchInReplay:
      "\(dispatch) by an observer of a replayed commit: it is not applied, because the session has what it came "
        + "to."
        + " Where an observer is to do something else in a replay, let it ask for the store's isReplaying; an effect "
        + "is not started by a replay."
    case .divergedReplay:
      "\(cause ?? "a replay came to another state than was recorded.") It was begun\(place)."
        + " A reducer computes the next state from the state and the action alone: put a random value, an id, the time "
        + "into the action. If the session was read from text, compare what its coder keeps of the values."
    case .uselessDerived:
      "\(derived ?? "a derived value") was computed eight times in a row and came out equal each time."
        + " Derive it from a smaller part of the state, or from a derived value that changes less often."
    case .crowdedFamily:
      "a DerivedFamily that holds \(limit) keys was asked in turn for more, so \(derived ?? "its value") "
        + "is computed each time it is asked for."
        + " Give the family a limit of as many keys as are asked for in turn."
    case .sharedFeature:
      "one feature was lifted to two parts of the state without a tag, \(property ?? ""): both handle each of its "
        + "actions."
        + " Tell them apart with `tagged(_:)`, or say that it is meant: `lifted(\\.right, sharing: .meant)`."
    case .unneededGiven:
      "a \(code: given ?? "value") is given to the feature of \(property ?? "the state")\(place), and nothing in it "
        + "asks for one."
        + " Remove it. If a derived value asks for it, say so behind the feature: `needing(\(given ?? "…").self)`."
    case .overdueDeliveries:
      "more than 100,000 commits wait until their observers are called: commits come faster than that, and the memory "
        + "for what they wait with grows."
        + " Read with `for await` or subscribe with `onMain:`, which skip values; observe smaller parts; dispatch "
        + "arrays."
    }
  }

  private var departure: String {
    guard let replaced else { return "whose child is not there" }
    return "made for the child \(code: replaced.own), and \(code: replaced.other) is in its place"
  }

  private var absence: String {
    let paths = missingPaths
    if let element, let part = search.missing?.parts.first,
      paths.allSatisfy({ $0 == "\(code: "\(part)[\(element)]")" })
    {
      return "which \(code: part) does not have"
    }
    return "and \(paths.joined(separator: ", ")) \(paths.count == 1 ? "is" : "are") not there"
  }

  private var missingPaths: [String] {
    var paths: [String] = []
    for child in search.missing?.places ?? [] {
      let path = "\(code: child.text)"
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }

  private var typeName: String { action.map { "\(type(of: $0))" } ?? "an action" }
  /// Features may each have an `Action`.
  private var fullTypeName: String { action.map { String(reflecting: type(of: $0)) } ?? "" }
  private var chain: String { CauseLink.clause(links) }
  private var place: String { site.map { " at \($0)" } ?? "" }

  /// Findings with equal keys are reported once; nil where each is.
  var key: String? {
    switch kind {
    case .unhandledAction, .foreignElement: "\(kind) \(fullTypeName)"
    case .missingElement:
      "\(kind) \(fullTypeName) \(element ?? "") \(property ?? "") \(missing ?? "")"
    case .endedEffect: "\(kind) \(effect ?? "")\(place)"
    case .endlessEffects: "\(kind) \(effect ?? "")"
    case .departedScope: "\(kind) \(fullTypeName) \(property ?? "")"
    case .sharedFeature: "\(kind) \(property ?? "")"
    case .unneededGiven: "\(kind) \(given ?? "") \(property ?? "")\(place)"
    case .uselessDerived, .crowdedFamily: "\(kind) \(derived ?? "")"
    case .dispatchInReplay, .overdueDeliveries: "\(kind)"
    case .lostEffect, .divergedReplay: nil
    }
  }

  private static func element(of action: any Action) -> String? {
    switch action {
    case let tagged as any AnyTagged: element(of: tagged.untagged)
    case let action as any AnyElementAction: "\(id: action.element)"
    case let list as any CompositeAction: list.members.first.flatMap(element)
    default: nil
    }
  }
}
