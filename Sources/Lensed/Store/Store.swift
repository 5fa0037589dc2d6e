/// A state, the reducers that own its parts, and its observers.
///
/// ```swift
/// struct AppState { var counter = 0; var user = User() }
/// enum CounterAction: Action { case increase(Int), reset }
///
/// let store = try Store(initialState: AppState()) {
///   Mutator(\.counter) { (counter: inout Int, action: CounterAction) in
///     switch action {
///     case .increase(let amount): counter += amount
///     case .reset: counter = 0
///     }
///   }
///   Mutator(\.user, userReducer)
/// }
/// store.dispatch(CounterAction.increase(10))
/// store.counter   // 10
/// ```
///
/// **The one idea.** The store knows who owns what: every sub-state has exactly one reducer, and every
/// reducer names the actions it handles. So an action goes straight to the reducers of its type, and
/// wakes only the observers of what they own.
///
/// **Guarantees.** One commit at a time, from any thread; an array is one commit; observers are
/// notified in commit order, without a gap, and may dispatch. A reducer that enters its own store
/// traps. Dropping the store ends its streams and cancels its tasks; no stream, subscription, scope
/// or task keeps it alive.
public final class Store<State: Sendable>: StateObserving {
  /// All of the state, as a scope: it does not keep the store alive.
  public let asScope: ScopedStore<State>

  /// A store whose parts are given here, all at once.
  ///
  /// - Parameters:
  ///   - initialState: What the state is at first.
  ///   - coverage: Whether every property needs an owner.
  ///   - middleware: Asked before each commit and notified after it, in order.
  ///   - onEffectError: Given the uncaught errors of effects and of asynchronous reducers; nil
  ///     writes a line to the standard error stream.
  ///   - onWarning: Given the warnings; nil writes a line to the standard error stream in a debug build,
  ///     and does nothing in a release build.
  ///   - clock: Says when commits are made; read only where something records. It is read in the commit, as a lens is,
  ///     and touches no store.
  ///   - parts: The mutators, the constant properties, the effects and features.
  /// - Throws: All faults of the parts together: doubled, overlapping, missing, undecided, or never
  ///   reached by an action.
  public convenience init(
    initialState: State, coverage: Coverage = .complete,
    middleware: [any Middleware<State>] = [], onEffectError: EffectErrorHandler? = nil,
    onWarning: StoreWarningHandler? = nil, clock: any Clock<Duration> = ContinuousClock(),
    @StoreBuilder<State> parts: () -> [StorePart<State>]
  ) throws(RegistrationError) {
    let parts = parts()
    let owners = parts.compactMap { $0.owner }
    try OwnershipCheck(coverage: coverage).prove(
      owners, besides: StorePart.faults(of: parts), in: initialState)
    self.init(
      initialState: initialState, coverage: coverage, parts: parts, proven: ProvenParts(owners),
      isCovered: true,
      middleware: middleware, onEffectError: onEffectError, onWarning: onWarning,
      clock: StoreClock(clock))
  }

  /// A store whose parts are registered later.
  ///
  /// This form takes no closure, so that the compiler takes braces for nothing but parts, and names what is wrong in
  /// them. A store with handlers of errors or warnings is made by a blueprint of no parts:
  ///
  /// ```swift
  /// let store = try StoreBlueprint<AppState> {}.makeStore(
  ///   initialState: AppState(), onEffectError: { print($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: What the state is at first.
  ///   - coverage: With `.complete`, the first dispatch traps while a property has no owner.
  ///   - middleware: Asked before each commit and notified after it, in order.
  public convenience init(
    initialState: State, coverage: Coverage = .complete,
    middleware: [any Middleware<State>] = []
  ) {
    self.init(
      initialState: initialState, coverage: coverage, parts: [], proven: ProvenParts([]),
      isCovered: false,
      middleware: middleware, onEffectError: nil, onWarning: nil,
      clock: StoreClock(ContinuousClock()))
  }

  init(
    initialState: State, coverage: Coverage, parts: [StorePart<State>], proven: ProvenParts,
    isCovered: Bool, middleware: [any Middleware<State>], onEffectError: EffectErrorHandler?,
    onWarning: StoreWarningHandler?, clock: StoreClock
  ) {
    let memory = UnsafeCell(initialState)
    let core = StoreCore(
      memory, coverage: coverage, onEffectError: onEffectError,
      warnings: WarningLog.make(onWarning), clock: clock)
    asScope = ScopedStore(StoreView(core, PartPath(Lens.identity), StateStorage(memory)))
    core.addProven(proven, isCovered: isCovered)
    // Counted: where the type of the state is not known, `isEmpty` looks up the types of the elements.
    if middleware.count + parts.count > 0 { attachAll(middleware, parts) }
  }

  /// Attaches everything before the first call, which then reaches all of it.
  private func attachAll(_ middleware: [any Middleware<State>], _ parts: [StorePart<State>]) {
    let others = middleware.filter { !keep(with: $0, isNew: true) }
    for one in others { view.attach(one) }
    let uses = StorePart.uses(in: parts)
    if !uses.isEmpty { view.core.addUses(uses) }
    warnOfUnneeded(parts)
    install(parts) {
      if others.isEmpty { return }
      for one in others where one.attachesFirst { one.attached(to: asScope) }
      for one in others where !one.attachesFirst { one.attached(to: asScope) }
    }
  }

  private func keep(with middleware: any Middleware<State>, isNew: Bool) -> Bool {
    guard let keeping = middleware as? any StateKeeping<State> else { return false }
    keeping.keep(asScope, isNew: isNew)
    return true
  }

  func warnOfUnneeded(_ parts: [StorePart<State>]) {
    guard let warnings = view.core.warnings else { return }
    for warning in StorePart.warnings(of: parts) { warnings.report(warning) }
  }

  /// Installs parts in one step, then makes `call`, and after it their first calls; returns what they are detached by.
  @discardableResult
  func install(_ parts: [StorePart<State>], before call: () -> Void = {}) -> [UInt64] {
    guard parts.contains(where: { $0.installed != nil }) else {
      call()
      return []
    }
    let attached = view.core.attach(
      "installed an effect", { attachments(of: parts, $0) }, before: call)
    attached.didInstall()
    return attached.ids.compactMap { $0 }
  }

  private func attachments(
    of parts: [StorePart<State>], _ protected: borrowing StoreCore.Protected
  ) -> [Attachment] {
    let owned = parts.contains(where: \.belongsToOwners) ? StoreCore.epochs(in: protected) : [:]
    // A loop: where the type of the state is not known, `compactMap` allocates for each part that it reads.
    var attachments: [Attachment] = []
    for part in parts {
      if let attachment = part.attachment(in: view, owned) { attachments.append(attachment) }
    }
    return attachments
  }

  deinit {
    view.core.close()
  }

  /// Applies actions of one type.
  @inlinable
  @inline(__always)
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    view.core.dispatch(batch, from: site)
  }
}

extension Store {
  /// A property of the current state; of a stored one, only the property is copied.
  ///
  /// It does the same as for a scope. Here the compiler knows where a stored property lies, because nothing comes
  /// before it, and makes no key path.
  @inlinable
  @inline(__always)
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    if let offset = MemoryLayout<State>.offset(of: keyPath) {
      return view.core.read(Value.self, at: view.memory.place.advanced(by: offset))
    }
    return view.read(keyPath)
  }

  var core: StoreCore { view.core }

  /// Every commit from now on, with its action.
  ///
  /// - Parameters:
  ///   - buffering: How many changes wait for a slow reader, and which are dropped.
  ///   - keepingPrevious: Whether each change holds the state before it too. While such a reader is
  ///     installed, each commit copies what it touches.
  /// - Returns: The changes; each iterator made of it registers on its own.
  public func changes(
    buffering: ChangeBuffering = .unbounded, keepingPrevious: Bool = false
  ) -> StateChanges<State> {
    asScope.changes(buffering: buffering, keepingPrevious: keepingPrevious)
  }

  /// Replaces the state as a whole: to restore it, to preview, to travel in time.
  ///
  /// Observers are notified of it as of any commit.
  public func replaceState(_ state: State) {
    asScope.replaceState(state)
  }
}

// MARK: Registration

extension Store {
  /// Adds a mutator, an `AsyncMutator`, a `Constant` or a feature: all of it, or throws and adds nothing.
  ///
  /// It takes what stands between the braces of a store, and arrays of it. All of it comes in one step: no action meets
  /// the reducers of a feature without its effects. The effects of a feature leave with the
  /// last of its mutators. Those that are registered by themselves, or in a feature without a mutator, stay as
  /// long as the store: what is to leave sooner is for `install(_:)`.
  ///
  /// ```swift
  /// try store.register(counterMutator)
  /// try store.register(chat.lifted(\.left))
  /// try store.register(
  ///   Feature {
  ///     Mutator(\.user, userReducer)
  ///     Effect(on: SignIn.self) { _, context in … }
  ///   })
  /// ```
  ///
  /// - Throws: What keeps it from standing beside those that are registered, a feature of effects alone that is
  ///   registered already among it. The store is then as it was.
  /// - Complexity: O(*n*) in the number of parts; the routes are made anew as they are used. Where coverage is complete
  ///   and a part is told by its name alone, the state is reflected, too.
  public func register(_ part: some StorePartConvertible<State>) throws(RegistrationError) {
    let parts = StorePart.together(part.storeParts.all)
    let own = parts.flatMap { $0.faults }
    let attached = try view.core.register(
      parts.compactMap { $0.owner }, StorePart.uses(in: parts),
      besides: { known in own + StorePart.doubledFeatures(in: parts, besides: known) },
      attaching: { attachments(of: parts, $0) })
    warnOfUnneeded(parts)
    attached.didInstall()
  }

  /// Removes the mutator of a property: its feature leaves, the sub-state stays as it is.
  ///
  /// The effects of a feature leave with the last of its mutators, and so do features of effects alone inside of it. They end as when they are removed by their subscription: their runs are cancelled, and what the
  /// applied commits of these have set off goes on. With the mutator of a collection, of an optional or of an enum
  /// leave the features of its children. Afterwards the feature can be registered again.
  ///
  /// The events of an `AsyncMutator` end with it. What `whileLoading` showed stays too.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Bool {
    view.core.unregister(PartPath(keyPath).footprint)
  }

  /// Removes the mutator of what a lens focuses on: its feature leaves, the sub-state stays as it is.
  ///
  /// The effects of a feature leave with the last of its mutators.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister<Value>(_ lens: some LensLike<State, Value>) -> Bool {
    view.core.unregister(lens.asLens.footprint)
  }

  /// Puts a mutator in the place of the one that owns the same part, in one step.
  ///
  /// ```swift
  /// try store.replace(
  ///   Mutator(\.counter) { (counter: inout Int, action: CounterAction) in
  ///     if case .increase(let amount) = action { counter += 2 * amount }
  ///   })
  /// ```
  ///
  /// **Guarantees.** An action that is dispatched meanwhile, on whatever thread, meets the former reducer or the new
  /// one: never neither, and never both. The state, its observers and the place in the order of registration stay as they
  /// are, and so do the effects of the feature that the mutator came with. What that feature is given,
  /// the new mutator can ask for: `on(_:given:)`. It takes the place of an
  /// `AsyncMutator`, or of a `Constant`, too. The events of the former that run or wait are cancelled; what
  /// `whileLoading` showed stays.
  ///
  /// It takes one mutator, or a feature of one mutator alone, as `mutator.tagged(Left.self).lifted(\.left)` is; anything
  /// else traps.
  ///
  /// - Parameter mutator: The mutator of a part that has an owner.
  /// - Throws: The faults of the mutator. Among them are a part that has no owner of exactly its extent, a part of
  ///   another type, and a part of which only the children are owned. The store is then as it was.
  /// - Complexity: O(*n*) in the number of parts; the routes are made anew as they are used.
  public func replace(
    _ mutator: some StorePartConvertible<State>
  ) throws(RegistrationError) {
    let parts = mutator.storeParts.all
    let owning = parts.filter { $0.owner != nil }
    guard owning.count == 1, let owner = owning[0].owner, owner.children == nil,
      parts.allSatisfy({ $0.owner != nil || $0.installed == nil })
    else {
      let given = owning.compactMap(\.owner).map { owner in
        "\(code: owner.footprint.name)\(owner.site.map { " at \($0)" } ?? "")"
      }
      fatalError(
        """
        Lensed: `replace(_:)` takes one mutator, or a feature of one mutator alone, and was given \
        \(given.isEmpty ? "none" : "more: " + given.joined(separator: ", ")). Replace the mutators of a feature one by \
        one; its effects stay as they are.
        """)
    }
    let faults = parts.filter { $0.owner == nil }.flatMap { $0.faults }
    try view.core.replaceReducers(of: owner.footprint) { [view] givers in
      let part = givers.reduce(owning[0]) { $0.given(by: $1) }
      return (
        part.owner ?? owner, part.faults + faults,
        { epoch in part.installed?.attachment(in: view, of: [epoch]) }
      )
    }
  }
}

// MARK: Attaching

extension Store {
  /// Attaches middleware at any time, as the last one.
  ///
  /// ```swift
  /// let logging = store.attach(ActionLogger { print($0) })
  /// …
  /// logging.cancel()
  /// ```
  ///
  /// An action that begins to be reduced after this has returned has met the middleware, also one that was
  /// dispatched before. It is asked about no action twice. Its `attached(to:)` is called before this returns.
  ///
  /// Releasing or cancelling the subscription ends it: from then on the middleware is asked about no action
  /// and notified of no commit, but for one call at most that another thread had decided to make. A `History`
  /// records no more; it keeps its entries, and can undo nothing. The middleware can be attached again.
  ///
  /// Of two calls that end the subscription at once, one may return while the other is still in `detached()`.
  ///
  /// It traps if the middleware is an object that is part of a store already.
  ///
  /// - Returns: The subscription that keeps it attached.
  /// - Complexity: O(*n*) in the number of routes and listeners; the routes are made anew as they are used.
  public func attach(_ middleware: any Middleware<State>) -> StoreSubscription {
    if keep(with: middleware, isNew: false) { return StoreSubscription { middleware.detached() } }
    guard let detach = view.attach(middleware) else { return StoreSubscription {} }
    middleware.attached(to: asScope)
    return StoreSubscription(end: detach)
  }
}

// MARK: Settling

extension Store {
  /// Returns when nothing is under way.
  ///
  /// Under way are: effects that run, wait for their turn or for a lull; asynchronous sequences; the events of
  /// asynchronous mutators; and commits that another thread has yet to deliver to effects, observers and
  /// middleware. There was a moment during the call at which there was none of them, and what was dispatched before
  /// the call had ended. It waits for what is dispatched meanwhile, too. An effect that never ends never
  /// settles.
  ///
  /// ```swift
  /// for line in lines { store.dispatch(LogAction.line(line)) }
  /// try await store.settled()   // a command line tool may exit now
  /// ```
  ///
  /// It cancels nothing. Cancelling the task that waits ends the wait alone.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled, or `DispatchDeadlock` if the caller is
  ///   under way in the store itself: an effect would wait for its own end.
  nonisolated(nonsending) public func settled(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.settle(from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Starts at once what waits for a lull, and returns when nothing is under way.
  ///
  /// What waits for a lull is the trigger of a debounced effect, or of a throttled one that has a latest
  /// trigger left over. What begins to wait for a lull after the call waits for all of it, and this call with
  /// it.
  ///
  /// ```swift
  /// func applicationWillEnterBackground() async throws {
  ///   try await store.flush()   // what a debounced effect would save later is saved
  /// }
  /// ```
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled: what was started goes on. Or
  ///   `DispatchDeadlock` if the caller is under way in the store itself.
  nonisolated(nonsending) public func flush(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.flush(from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// What is under way now, with names: each work that has code of its own.
  package var workUnderWay: [WorkDescription] {
    WorkNode.descriptions(of: core.rootWorks)
  }

  /// Returns when nothing is under way that moves.
  ///
  /// What is left then waits for its turn or for other works, or sleeps as `WorkSleep` says. Code that waits
  /// for anything else counts as moving.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled, or `DispatchDeadlock` as `settled()`.
  package nonisolated(nonsending) func rested(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws {
    try await core.settle(
      from: CallSite(fileID: fileID, function: function, line: line), forRest: true)
  }
}

// MARK: Ownership

extension Store {
  /// Who owns what, and which actions each reducer and effect handles and where it is written: names, as a value.
  ///
  /// ```swift
  /// print(store.wiring)
  /// ```
  ///
  /// - Complexity: O(*n*) in the number of parts and effects; the names are put together without the lock.
  public var wiring: StoreWiring { view.core.wiring }

  /// The types of the actions that the owner of a part handles; nil where the part has no owner.
  ///
  /// A reducer of every action counts as one of `any Action`.
  package func actionTypes<Value>(ownedBy lens: some LensLike<State, Value>) -> [any Any.Type]? {
    let footprint = lens.asLens.footprint
    return view.core.withLock("looked up an owner") { protected in
      let owner = protected.owners.first { $0.footprint.overlap(with: footprint) == .same }
      return owner?.cases.map(\.handledType)
    }
  }

  /// The types of the actions that some owner handles.
  package var handledActionTypes: [any Any.Type] {
    view.core.withLock("looked up its owners") { protected in
      protected.owners.flatMap(\.cases).map(\.handledType)
    }
  }
}

extension ReducerCase {
  /// The one type of action that the case handles, or that of every action.
  fileprivate var handledType: any Any.Type {
    if let type { type } else { (any Action).self }
  }
}
