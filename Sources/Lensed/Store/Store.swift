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
  ///   - clock: Says when commits are made, to whoever records them. It is read in the commit, as a lens is, and touches
  ///     no store.
  ///   - parts: The mutators, the constant properties, the effects and services.
  /// - Throws: All faults of the parts together: doubled, overlapping, missing, undecided, or never
  ///   reached by an action.
  @inlinable
  @inline(never)
  public convenience init(
    initialState: State, coverage: Coverage = .complete,
    middleware: [any Middleware<State>] = [], onEffectError: EffectErrorHandler? = nil,
    onWarning: StoreWarningHandler? = nil, clock: any Clock<Duration> = ContinuousClock(),
    @StoreBuilder<State> parts: () -> [StorePart<State>]
  ) throws(RegistrationError) {
    let parts = parts()
    let owners = parts.compactMap { $0.owner }
    try OwnershipCheck(coverage: coverage).prove(
      owners, besides: StorePart.faults(of: parts, in: initialState), in: initialState)
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
  @inlinable
  @inline(never)
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

  // Never inlined: where the caller makes a state of 64 KB of its default values, the compiler would write
  // them word by word into the memory of the store, which takes it seconds.
  @inlinable
  @inline(never)
  init(
    initialState: State, coverage: Coverage, parts: [StorePart<State>], proven: ProvenParts,
    isCovered: Bool, middleware: [any Middleware<State>], onEffectError: EffectErrorHandler?,
    onWarning: StoreWarningHandler?, clock: StoreClock
  ) {
    let memory = UnsafeCell(initialState)
    let core = StoreCore(
      memory, StateWitness(State.self), coverage: coverage,
      onEffectError: onEffectError, warnings: WarningLog.make(onWarning), clock: clock)
    asScope = ScopedStore(StoreView(core, PartPath(Lens.identity), StateStorage(memory)))
    core.addProven(proven, isCovered: isCovered)
    attachAll(middleware, parts)
  }

  /// Attaches the middleware and the parts: outside of `init`, which is compiled anew for each state.
  ///
  /// Everything is attached before the first call: a dispatch in that call reaches all of it.
  @usableFromInline
  func attachAll(_ middleware: [any Middleware<State>], _ parts: [StorePart<State>]) {
    let others = middleware.filter { !keep(with: $0) }
    for one in others { view.attach(one) }
    let uses = StorePart.uses(in: parts)
    if !uses.isEmpty { view.core.addUses(uses) }
    warnOfUnneeded(parts)
    install(parts) {
      if others.isEmpty { return }
      let handle = StoreHandle<State>(view.core)
      for one in others where one.attachesFirst { one.attached(to: handle) }
      for one in others where !one.attachesFirst { one.attached(to: handle) }
    }
  }

  /// Lets middleware restore the state, if that is what it is for.
  func keep(with middleware: any Middleware<State>) -> Bool {
    guard let keeping = middleware as? any StateKeeping else { return false }
    func begin<Keeping: StateKeeping>(_ keeping: Keeping) -> Bool {
      guard let scope = asScope as? ScopedStore<Keeping.State> else { return false }
      keeping.keep(scope)
      return true
    }
    return begin(keeping)
  }

  /// Reports what parts give and nothing asks for.
  func warnOfUnneeded(_ parts: [StorePart<State>]) {
    guard let warnings = view.core.warnings else { return }
    for warning in StorePart.warnings(of: parts) { warnings.report(warning) }
  }

  /// Installs parts, and then makes their first calls.
  func install(_ parts: [StorePart<State>], before call: () -> Void = {}) {
    // Loops: where the type of the state is not known, `compactMap` allocates for each part that it reads.
    var installed: [Installed] = []
    for part in parts {
      if let further = part.install(in: view) { installed.append(further) }
    }
    call()
    for part in installed { part() }
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
}

extension Store {
  var core: StoreCore { view.core }
}

extension Store {
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
    _ = view.core.replaceState(choosing: { () -> State? in state })
  }
}
