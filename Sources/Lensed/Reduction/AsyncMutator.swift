/// A lens, and the one asynchronous reducer of what it focuses on.
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
/// It owns its sub-state like any mutator. Its events wait in line: `dispatch` queues one and waits for
/// nothing. The reducer of each runs in a task of its own, off the main actor and without the lock, and
/// is given the final state of the event before. What `whileLoading` shows is committed when the work starts, its value when it
/// ends; both are commits of their own, with the cause `.asyncResult`.
///
/// An event that fails, and that nobody recovered, leaves the sub-state as it was before it, tells the
/// store's `onEffectError:`, and the next event runs. One that is cancelled leaves it so too. Replacing
/// the state cancels what runs and what waits. So does unregistering the mutator, which leaves the
/// sub-state as it is, even where that is what `whileLoading` showed.
///
/// An effect differs: it owns nothing, may run beside others of its kind, and changes the state by
/// dispatching alone.
public struct AsyncMutator<State: Sendable, SubState: Sendable>: Sendable {
  /// Gives what an event makes of the sub-state; nil when it is not meant.
  typealias Reduce = @Sendable (_ part: SubState, _ event: any Action) -> AsyncResult<SubState>?

  struct Case: Sendable {
    let type: any Action.Type
    let reduce: Reduce
  }

  /// Called with the final state of each event, before the next one runs.
  typealias Completion =
    @concurrent @Sendable (_ part: SubState, _ event: any Action) async -> Void

  /// The way to the sub-state that the mutator owns.
  public let lens: Lens<State, SubState>
  private(set) var cases: [Case]
  private(set) var completions: [Completion] = []
  /// Why no store can take it.
  let fault: ReducerFault?

  /// An asynchronous mutator of the property at a key path.
  public init<A: Action>(
    _ keyPath: any WritableKeyPath<State, SubState> & Sendable,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    self.init(lens: Lens(keyPath), reducer: reduce)
  }

  /// Not available: a mutator writes, and this key path only reads.
  @available(*, unavailable, message: "a mutator needs a WritableKeyPath; this one only reads")
  public init<A: Action>(
    _ keyPath: any KeyPath<State, SubState> & Sendable,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    fatalError("Lensed: a mutator of a constant property was called; this is a fault of Lensed.")
  }

  /// An asynchronous mutator of what a lens focuses on.
  public init<A: Action>(
    lens: some LensLike<State, SubState>,
    reducer: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) {
    self.init(lens: lens.asLens, cases: [Self.answer(reducer)], completions: [])
  }

  init(
    lens: Lens<State, SubState>, cases: [Case], completions: [Completion],
    fault: ReducerFault? = nil
  ) {
    self.lens = lens
    self.cases = cases
    self.completions = completions
    self.fault = fault
  }

  /// This mutator, which also answers events of another type; they wait in the same line.
  public func on<A: Action>(
    _ type: A.Type,
    _ reduce: @escaping @Sendable (_ part: SubState, _ event: A) -> AsyncResult<SubState>
  ) -> AsyncMutator {
    AsyncMutator(
      lens: lens, cases: cases + [Self.answer(reduce)], completions: completions, fault: fault)
  }

  /// This mutator, which calls `completion` with the final state of each event, before the next one runs.
  ///
  /// An event that failed or was cancelled has none.
  public func afterEach(
    _ completion:
      @escaping @concurrent @Sendable (_ part: SubState, _ event: any Action) async -> Void
  ) -> AsyncMutator {
    AsyncMutator(lens: lens, cases: cases, completions: completions + [completion], fault: fault)
  }

  private static func answer<A: Action>(
    _ reduce: @escaping @Sendable (SubState, A) -> AsyncResult<SubState>
  ) -> Case {
    Case(type: A.self) { part, event in (event as? A).map { reduce(part, $0) } }
  }
}

extension AsyncMutator {
  /// A feature's mutator inside an app: the same, for a state of which the feature's is one part.
  public func lifted<Root: Sendable>(
    _ lens: Lens<Root, State>
  ) -> AsyncMutator<Root, SubState> {
    AsyncMutator<Root, SubState>(
      lens: lens.appending(self.lens),
      cases: cases.map { AsyncMutator<Root, SubState>.Case(type: $0.type, reduce: $0.reduce) },
      completions: completions, fault: fault)
  }

  /// This mutator for an app with one wide action enum: it answers the case that `prism` finds.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>
  ) -> AsyncMutator {
    let lifted = cases.map { answer in
      guard answer.type == Narrow.self else { return answer }
      return Case(type: Wide.self) { part, event in
        (event as? Wide).flatMap(prism.extract).flatMap { answer.reduce(part, $0) }
      }
    }
    let isFit = cases.contains { $0.type == Narrow.self }
    return AsyncMutator(
      lens: lens, cases: lifted, completions: completions,
      fault: isFit ? fault : .prism(wide: "\(Wide.self)", narrow: "\(Narrow.self)"))
  }

  /// This mutator for one of several instances: it answers `Tagged<Tag, A>` in place of every `A`.
  public func tagged<Tag>(_ tag: Tag.Type) -> AsyncMutator {
    let tagged = cases.map { answer in
      Case(type: answer.type.tagged(tag)) { part, event in
        (event as? any AnyTagged).flatMap { answer.reduce(part, $0.untagged) }
      }
    }
    return AsyncMutator(lens: lens, cases: tagged, completions: completions, fault: fault)
  }
}
