/// A lens, and the one asynchronous reducer of its sub-state.
///
/// ```swift
/// AsyncMutator(\AppState.page) { (page: Page, event: PageEvent) -> AsyncResult<Page> in
///   switch event {
///   case .loadProduct:
///     AsyncResult { try await api.product() }
///       .map(Page.product).whileLoading(.loading).recover { _ in .failed }
///   }
/// }
/// .afterEach { page, event in analytics.track(page) }
/// ```
///
/// It owns its sub-state like any mutator. Its events are queued: `dispatch` adds one and does not wait.
/// The reducer of each event runs in a task of its own, off the main actor and without the lock, with the
/// final state of the event before. The value of `whileLoading` is committed when the work starts, with the cause
/// `.placeholder`, and the final value when it ends, with the cause `.asyncResult`. A placeholder is a value for the
/// time being: a `History` has no step for it, and `Store.settledState` has what was there before.
///
/// An event that fails without a `recover` puts back the sub-state from before it; its error goes to the
/// store's `onEffectError:`, and the next event runs. A cancelled event puts it back too. Replacing the
/// state cancels the running event and the queue. So does unregistering the mutator, which leaves the
/// sub-state as it is, even where that is the value of `whileLoading`.
///
/// An effect differs: it owns nothing, can run beside others of its kind, and changes the state only by dispatching.
public struct AsyncMutator<State: Sendable, SubState: Sendable>: Sendable {
  /// Called with the final state of each event, before the next one runs.
  typealias Completion =
    @concurrent @Sendable (_ part: SubState, _ event: any Action) async -> Void

  /// The way to the sub-state that the mutator owns.
  public let lens: Lens<State, SubState>
  private(set) var cases: [AsyncReducerCase<SubState>]
  private(set) var completions: [Completion] = []
  /// Where it is written, for `Store.wiring`.
  let site: CallSite

  /// An asynchronous mutator of the property at a key path.
  public init<A: Action>(
    _ keyPath: any WritableKeyPath<State, SubState> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    self.init(
      lens: Lens(keyPath, for: .mutator), fileID: fileID, line: line, reducer: reduce)
  }

  /// Not available: a mutator writes, and this key path only reads.
  @available(*, unavailable, message: "a mutator needs a WritableKeyPath; this one only reads")
  public init<A: Action>(
    _ keyPath: any KeyPath<State, SubState> & Sendable,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    refuseReadOnly(keyPath)
  }

  /// An asynchronous mutator of the sub-state that a lens focuses on.
  public init<A: Action>(
    lens: some LensLike<State, SubState>, fileID: StaticString = #fileID, line: UInt = #line,
    reducer: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    self.lens = lens.asLens
    site = .mutator(fileID, line)
    cases = [AsyncReducerCase(at: site, reducer)]
  }

  /// This mutator, which also handles events of another type, in the same queue.
  public func on<A: Action>(
    _ type: A.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) -> AsyncMutator {
    changed(self) { $0.cases.append(AsyncReducerCase(at: .mutator(fileID, line), reduce)) }
  }

  /// This mutator, which also handles events of another type, in the same queue, and reads for them a value that
  /// something above gives.
  ///
  /// ```swift
  /// let product = Feature<Product> {
  ///   AsyncMutator(\Product.page) { (page: Page, event: PageEvent) in … }
  ///     .on(Reload.self, given: Settings.self) { page, _, settings in
  ///       AsyncResult { try await api.product(in: settings.currency) }.map(Page.product)
  ///     }
  /// }
  /// product.lifted(\App.product, giving: \.settings)
  /// ```
  ///
  /// The nearest feature that gives a value of exactly this type does: `Feature.lifted(_:giving:)`,
  /// `Feature.giving(_:)`. Where none does, no store takes the mutator: a `RegistrationError` names the mutator and
  /// this line.
  ///
  /// The value is the current one when the turn of the event has come and its reducer runs: what was dispatched since
  /// the event is in it.
  ///
  /// - Complexity: That of copying the value, for each event of this type.
  public func on<A: Action, Value: Sendable>(
    _ type: A.Type, given value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ reduce:
      @escaping @Sendable (_ part: SubState, _ event: A, _ given: Value) -> AsyncResult<SubState>
  ) -> AsyncMutator {
    let need = GivenNeed(
      Value.self, in: State.self, of: .reducer(lens.unresolvedFootprint),
      at: .mutator(fileID, line))
    return changed(self) { $0.cases.append(AsyncReducerCase(need, reduce)) }
  }

  /// This mutator, which calls `completion` with the final state of each event, before the next one runs; an event that
  /// failed or was cancelled has none.
  public func afterEach(
    _ completion:
      @escaping @concurrent @Sendable (_ part: SubState, _ event: any Action) async -> Void
  ) -> AsyncMutator {
    changed(self) { $0.completions.append(completion) }
  }
}

struct AsyncReducerCase<SubState: Sendable>: Sendable {
  /// Returns the result for an event, or nil for another type; `given` is the value that the case asks for, if it does.
  typealias Reduce =
    @Sendable (_ part: SubState, _ event: any Action, _ given: ValueBox?) -> AsyncResult<SubState>?

  let type: any Action.Type
  /// The value that it asks for, if it does.
  let need: GivenNeed?
  /// Where it is written.
  let site: CallSite
  let reduce: Reduce

  init<A: Action>(
    at site: CallSite, _ reduce: @escaping @Sendable (SubState, A) -> AsyncResult<SubState>
  ) {
    (type, need, self.site) = (A.self, nil, site)
    self.reduce = { part, event, _ in (event as? A).map { reduce(part, $0) } }
  }

  init<A: Action, Value: Sendable>(
    _ need: GivenNeed,
    _ reduce: @escaping @Sendable (SubState, A, Value) -> AsyncResult<SubState>
  ) {
    (type, self.need, site) = (A.self, need, need.site)
    self.reduce = { part, event, given in
      guard let event = event as? A, let given else { return nil }
      return reduce(part, event, Boxed<Value>.known(given).value)
    }
  }
}
