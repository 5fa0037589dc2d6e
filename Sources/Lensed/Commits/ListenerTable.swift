/// The listeners of a store, in the order they were attached: a plain value, guarded by the store's lock.
struct ListenerTable: ~Copyable, Sendable {
  /// Something of an attachment; numbers rise with each attachment.
  ///
  /// The content is in a box, so that few bytes move when an entry between others is removed.
  private struct Entry<Content: Sendable>: Sendable {
    let id: UInt64
    var box: Boxed<Content>

    init(id: UInt64, content: Content) { (self.id, box) = (id, Boxed(content)) }

    var content: Content { box.value }
  }

  /// Something of an attachment that depends on what a commit touches.
  private struct PartEntry<Content: Sendable>: Sendable {
    let id: UInt64
    let content: Content
    let footprint: Footprint?
    private(set) var interest: Interest

    init(
      id: UInt64, _ content: Content, in footprint: Footprint?, of table: borrowing ObserverTable
    ) {
      (self.id, self.content, self.footprint) = (id, content, footprint)
      interest = table.interest(in: footprint)
    }

    mutating func ownershipChanged(_ changed: [Footprint], in table: borrowing ObserverTable) {
      guard footprint?.isTouched(by: changed) == true else { return }
      table.renew(&interest, in: footprint)
    }
  }

  private var attachments: [Entry<Attachment>] = []
  private var byType: [ObjectIdentifier: [Entry<CommitListener>]] = [:]
  private var byPart: [PartEntry<CommitListener>] = []
  private var ofEveryAction: [Entry<CommitListener>] = []
  private var guarding: [PartEntry<any ChildGuard>] = []
  private struct RouteListeners: Sendable {
    let ofActions: ActionListeners
    /// Those of them that are given replayed actions.
    let ofReplays: ActionListeners
    /// Those whose parts its reducers may touch.
    let ofParts: [PartEntry<CommitListener>]
    /// Those of the children that its reducers may dismiss.
    let guards: [any ChildGuard]
  }

  /// The listeners of the routes, by their numbers; empty while nothing is attached.
  private var byRoute: ContiguousArray<RouteListeners> = []

  /// Those that are asked before each action.
  private(set) var judges = MiddlewareJudges()
  /// Those that record every commit under the lock.
  private(set) var recorders: [CommitRecorder] = []
  /// Those that are notified of every commit before its observers.
  private(set) var everyCommit = noListeners

  /// Those of them that record runs of effects, too.
  var runRecorders: [RunRecorders.Recorder] {
    recorders.compactMap { recorder in recorder.run.map { ($0, recorder.afterwards) } }
  }

  var isEmpty: Bool { attachments.isEmpty }

  /// The works that the queues of the listeners know.
  var works: [WorkNode] { attachments.flatMap { $0.content.works() } }

  var present: [Attachment] { attachments.map(\.content) }

  var flushes: [@Sendable () -> Void] { attachments.compactMap(\.content.flush) }

  var dependOnParts: Bool { !byPart.isEmpty }

  var dependOnActions: Bool { !(byType.isEmpty && ofEveryAction.isEmpty) }

  var hasGuards: Bool { !guarding.isEmpty }

  /// The guards under which something is under way in a part that the present commit touched.
  func guards(where isTouched: (Interest) -> Bool) -> [any ChildGuard] {
    var found: [any ChildGuard] = []
    for index in guarding.indices where guarding[index].content.isNeeded {
      if isTouched(guarding[index].interest) { found.append(guarding[index].content) }
    }
    return found
  }

  /// Whether some listener that depends on what a commit touches needs the state before it.
  var partsNeedPrevious: Bool { needsOfPrevious > 0 }
  private var needsOfPrevious = 0

  /// The listeners whose part the present commit touched; `route` is the one that it took, if it took one alone.
  func touched(onRoute route: Int?, _ isTouched: (Interest) -> Bool) -> [CommitListener] {
    let candidates =
      if let route, route < byRoute.count { byRoute[route].ofParts } else { byPart }
    if candidates.isEmpty { return [] }
    return candidates.filter { isTouched($0.interest) }.map(\.content)
  }
}

// MARK: Attaching

extension ListenerTable {
  /// Adds an attachment; `id` is greater than that of every other.
  mutating func add(
    _ attachment: Attachment, id: UInt64, to table: borrowing ObserverTable
  ) {
    attachments.append(Entry(id: id, content: attachment))
    for listener in attachment.listeners { add(listener, id, to: table) }
    if let judge = attachment.judge { judges.add(judge, id: id) }
  }

  private mutating func add(
    _ listener: CommitListener, _ id: UInt64, to table: borrowing ObserverTable
  ) {
    switch listener.selection {
    case .recording, .everyCommit:
      findOnlookers()
    case .guarding(let footprint, let guardian):
      guarding.append(PartEntry(id: id, guardian, in: footprint, of: table))
    case .everyAction:
      ofEveryAction.append(Entry(id: id, content: listener))
    case .part(let footprint):
      byPart.append(PartEntry(id: id, listener, in: footprint, of: table))
      if listener.needsPrevious { needsOfPrevious += 1 }
    case .actions(let type):
      byType[ObjectIdentifier(type), default: []].append(Entry(id: id, content: listener))
    }
  }

  /// Finds those that are concerned by every commit: middleware, and what records.
  private mutating func findOnlookers() {
    var (recorders, every): ([CommitRecorder], [CommitListener]) = ([], [])
    for attachment in attachments {
      for listener in attachment.content.listeners {
        switch listener.selection {
        case .recording(let recorder): recorders.append(recorder)
        case .everyCommit: every.append(listener)
        default: break
        }
      }
    }
    (self.recorders, everyCommit) = (recorders, ActionListeners(every))
  }

  /// Computes the interests of the listeners again that owners touch which came or went, by what these cover.
  mutating func ownershipChanged(_ changed: [Footprint], in table: borrowing ObserverTable) {
    for index in byPart.indices { byPart[index].ownershipChanged(changed, in: table) }
    for index in guarding.indices { guarding[index].ownershipChanged(changed, in: table) }
  }
}

// MARK: Detaching

extension ListenerTable {
  /// Removes an attachment and returns it, to be stopped without the lock; `rows` then has what is to be released.
  mutating func remove(_ id: UInt64, from rows: RowTable) -> Attachment? {
    guard let index = Self.position(of: id, in: attachments) else { return nil }
    let attachment = attachments.remove(at: index).content
    for listener in attachment.listeners { remove(listener, id, from: rows) }
    if attachment.judge != nil { judges.remove(id) }
    return attachment
  }

  private mutating func remove(_ listener: CommitListener, _ id: UInt64, from rows: RowTable) {
    switch listener.selection {
    case .recording, .everyCommit:
      findOnlookers()
    case .guarding:
      Self.remove(from: &guarding, rows) { $0.id == id }
    case .everyAction:
      ofEveryAction.removeAll { $0.id == id && $0.content.begins == listener.begins }
    case .part:
      Self.remove(from: &byPart, rows) {
        $0.id == id && $0.content.begins == listener.begins
      }
      if listener.needsPrevious { needsOfPrevious -= 1 }
    case .actions(let type):
      let key = ObjectIdentifier(type)
      // Those of one attachment stand together.
      if let first = byType[key].flatMap({ Self.position(of: id, in: $0) }),
        let index = byType[key]?[first...].firstIndex(where: {
          $0.content.begins == listener.begins
        })
      {
        byType[key]?.remove(at: index)
      }
      if byType[key]?.isEmpty ?? false { byType[key] = nil }
    }
  }

  /// The place of the first entry with a number, found by halving.
  private static func position<Content>(of id: UInt64, in entries: [Entry<Content>]) -> Int? {
    let index = entries.indices.partitioningIndex { entries[$0].id >= id }
    return index < entries.count && entries[index].id == id ? index : nil
  }

  private static func remove<Content>(
    from entries: inout [PartEntry<Content>], _ rows: RowTable,
    where isMeant: (PartEntry<Content>) -> Bool
  ) {
    entries.removeAll { entry in
      let isMeant = isMeant(entry)
      if isMeant { rows.giveUp(entry.interest) }
      return isMeant
    }
  }

  /// Removes the listeners of an attachment that begin something; returns it as it was, or nil if it has gone.
  ///
  /// It is to be released without the lock: a listener may hold the last reference to something of the user's.
  mutating func retire(_ id: UInt64, from rows: RowTable) -> Attachment? {
    guard let index = Self.position(of: id, in: attachments) else { return nil }
    let former = attachments[index].content
    for listener in former.listeners where listener.begins { remove(listener, id, from: rows) }
    var left = former
    left.listeners.removeAll { $0.begins }
    attachments[index].box = Boxed(left)
    return former
  }

  /// Removes the attachments that belong to a sub-state, and to no other.
  mutating func remove(slot: Int, from rows: RowTable) -> [Attachment] {
    var left: [UInt64] = []
    for index in attachments.indices {
      guard let epoch = attachments[index].box.value.epochs.firstIndex(where: { $0.slot == slot })
      else { continue }
      var attachment = attachments[index].content
      attachment.epochs.remove(at: epoch)
      attachments[index].box = Boxed(attachment)
      if attachment.epochs.isEmpty { left.append(attachments[index].id) }
    }
    return left.compactMap { remove($0, from: rows) }
  }

  /// Removes the attachment that reduces a sub-state in the place of its owner, if there is one.
  mutating func removeReducer(slot: Int, from rows: RowTable) -> [Attachment] {
    let reducers = attachments.filter {
      $0.box.value.epochs.contains { $0.slot == slot } && !$0.content.reductions.isEmpty
    }
    return reducers.compactMap { remove($0.id, from: rows) }
  }

  mutating func removeAll() -> [Attachment] {
    defer { self = ListenerTable() }
    return attachments.map(\.content)
  }
}

// MARK: Routes

extension ListenerTable {
  /// Finds the listeners of the next route; returns how the fast path may take it.
  mutating func addRoute(of type: any Action.Type, through slots: [Int]) -> FastPath {
    // What attaches something invalidates all routes, so they have their lists again before they need them.
    if isEmpty { return .direct }
    let listeners = listeners(of: type)
    let ofReplays = listeners.filter(\.onlyEnds)
    let ofParts = byPart.filter {
      !$0.content.isOfReplacements && $0.interest.isConcerned(by: slots)
    }
    let guards = guarding.filter { $0.interest.isConcerned(by: slots) }.map(\.content)
    byRoute.append(
      RouteListeners(
        ofActions: listeners.isEmpty ? Self.noListeners : ActionListeners(listeners),
        ofReplays: ofReplays.isEmpty ? Self.noListeners : ActionListeners(ofReplays),
        ofParts: ofParts, guards: guards))
    if !judges.isEmpty || !recorders.isEmpty || !everyCommit.listeners.isEmpty
      || !listeners.isEmpty || !ofParts.isEmpty
    {
      return .none
    }
    return guards.isEmpty ? .direct : .handlers
  }

  /// Whether something is under way in children that commits on a route may dismiss.
  func isGuarded(route: Int) -> Bool {
    if route >= byRoute.count { return false }
    for index in byRoute[route].guards.indices where byRoute[route].guards[index].isNeeded {
      return true
    }
    return false
  }

  /// The listeners for actions of a type, in the order they were attached.
  private func listeners(of type: any Action.Type) -> [CommitListener] {
    let own = byType[ObjectIdentifier(type)] ?? []
    if ofEveryAction.isEmpty { return own.map(\.content) }
    // Those of one attachment stay in their order: what ends an effect comes before what triggers it.
    return (own + ofEveryAction).sorted { $0.id < $1.id }.map(\.content)
  }

  /// The types of actions that listeners select, each with the name of its part, in the order they were attached.
  var selectedTypes: [(type: any Action.Type, part: String?)] {
    attachments.flatMap(\.content.listeners).compactMap { listener in
      guard case .actions(let type) = listener.selection else { return nil }
      return (type, listener.child?.container.name)
    }
  }

  func listeners(ofRoute index: Int, inReplay: Bool = false) -> ActionListeners {
    if index >= byRoute.count { return Self.noListeners }
    return inReplay ? byRoute[index].ofReplays : byRoute[index].ofActions
  }

  static let noListeners = ActionListeners([])

  /// Invalidates the routes, which get new numbers.
  mutating func invalidateRoutes() { byRoute = [] }
}

// MARK: Who is notified

/// The listeners of one commit, each with the action that it is notified of; moved, as a copy counts references.
struct NotifiedListeners: Sendable {
  /// No tuple, whose type the runtime would look up.
  private struct Entry: Sendable {
    let listeners: ActionListeners
    /// The place of the action among several; nil where what was dispatched is a single one.
    let member: Int?

    func action(in actions: CommittedActions) -> (any Action)? {
      member.map { actions.members[$0] } ?? actions.whole
    }
  }

  private var ofActions = InlineList<Entry>.none
  private var ofParts: ActionListeners?

  var isEmpty: Bool { ofActions.isEmpty && ofParts == nil }

  /// Starts the job of a commit of one action, if no other listener is notified.
  var soleStarter: (any JobStarter)? {
    guard ofParts == nil, case .one(let entry) = ofActions else { return nil }
    return entry.member == nil ? entry.listeners.starter : nil
  }

  var begin: Bool { contain(\.begin) }

  var areNotified: Bool { contain(\.areNotified) }

  /// Whether an action counts as handled because of a listener.
  var handleActions: Bool { contain(\.handleActions) }

  var needPrevious: Bool { contain(\.needPrevious) }

  var haveActionForChildren: Bool { contain(\.areInChildren) }

  private func contain(_ isMeant: (ActionListeners) -> Bool) -> Bool {
    ofParts.map(isMeant) ?? false || ofActions.first { isMeant($0.listeners) } != nil
  }

  mutating func add(_ new: ActionListeners, ofMember member: Int? = nil) {
    if !new.listeners.isEmpty { ofActions.append(Entry(listeners: new, member: member)) }
  }

  mutating func add(ofParts listeners: ActionListeners) { ofParts = listeners }

  /// Lets them decide, under the lock: those of parts, and then those of each action in its order.
  func decide(_ decisions: inout CommitDecisions, _ actions: CommittedActions) {
    ofParts?.decide(&decisions, of: nil)
    ofActions.forEach { entry in
      if !entry.listeners.decide { return }
      decisions.place.member = Int32(clamping: entry.member ?? 0)
      entry.listeners.decide(&decisions, of: entry.action(in: actions))
    }
  }

  func notify(_ report: any CommitReport, within work: WorkNode?) {
    if isEmpty { return }
    let actions = report.actions
    ofActions.forEach { entry in
      entry.listeners.notify(report, of: entry.action(in: actions), within: work)
    }
    ofParts?.notify(report, within: work)
  }
}

/// The listeners that are yet to be notified of one commit.
enum PendingListeners: Sendable {
  case none
  /// Those of every commit alone, as where middleware is the only listener.
  case ofEveryCommit(ActionListeners)
  /// Those of every commit, what is decided after those, and those that follow the observers.
  ///
  /// A claim on the work, which whatever the commit starts belongs to, is held until all are notified.
  case all(
    early: ActionListeners, decisions: [CommitDecisions.Later], late: NotifiedListeners,
    work: WorkNode?)

  var work: WorkNode? {
    if case .all(_, _, _, let work) = self { work } else { nil }
  }

  mutating func take() -> PendingListeners { exchange(&self, with: .none) }
}
