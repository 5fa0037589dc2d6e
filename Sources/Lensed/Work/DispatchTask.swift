/// Everything that a dispatch has under way after it returned.
///
/// ```swift
/// try await store.dispatch(lines.map(LogAction.line)).finish()
/// ```
///
/// A dispatch of synchronous actions that start no effect has nothing under way: its task is finished
/// from the start, and creating it allocates nothing.
public struct DispatchTask: Sendable {
  /// Which part of a dispatch a wait covers.
  public enum Extent: Sendable, Hashable {
    /// The dispatched actions alone.
    case applied
    /// The actions, the events that they queued on asynchronous mutators, and every effect that they
    /// started, directly or through further actions of those effects.
    case everything
  }

  /// The errors that a wait throws.
  public enum ThrownErrors: Sendable, Hashable {
    /// The error of the dispatched sequence.
    case own
    /// That error, or else the first error that an effect threw and its `catch:` did not handle: an effect of
    /// the dispatch, or of further actions of its effects.
    case effects
  }

  /// A reference to the work of the dispatch; one word in all.
  @usableFromInline
  enum Reference: Sendable {
    /// The work keeps its children for as long as it is under way.
    case plain(WorkNode)
    /// The work would reparent its children if there were no handle.
    case counted(Handle)
    /// Nothing was dispatched: the run that it would be a part of was ended.
    case refused
  }

  @usableFromInline
  let reference: Reference?
  /// The last commit that the dispatch made before it returned, as `word(of:isHandled:)`; zero if it made none.
  @usableFromInline
  let commit: UInt64

  @usableFromInline
  var work: WorkNode? {
    switch reference {
    case nil, .refused: nil
    case .plain(let work): work
    case .counted(let handle): handle.work
    }
  }

  /// The work, for what a reducer of its store may not do: such a one traps.
  private func entered(_ intrusion: @autoclosure () -> String) -> WorkNode? {
    let work = work
    work?.store.checkEntry(intrusion())
    return work
  }

  @inlinable
  @inline(__always)
  init() {
    (reference, commit) = (nil, 0)
  }

  /// Creates the task of a commit that left nothing under way.
  @inlinable
  @inline(__always)
  init(handledAt revision: UInt64) {
    (reference, commit) = (nil, Self.word(of: revision, isHandled: true))
  }

  private init(_ reference: Reference) {
    (self.reference, commit) = (reference, 0)
  }

  /// The task of what an ended run has dispatched.
  static var refused: DispatchTask { DispatchTask(.refused) }

  /// The number of a commit, with whether it was handled, in one word.
  @inlinable
  @inline(__always)
  static func word(of revision: UInt64, isHandled: Bool) -> UInt64 {
    revision &<< 1 | (isHandled ? 1 : 0)
  }

  /// Creates the task of a work.
  ///
  /// If the work was created with `hasHandle`, this is the handle: no other task may be created of it.
  init(_ work: WorkNode?, hasHandle: Bool, commit: UInt64) {
    self.commit = commit
    reference = work.map { hasHandle ? .counted(Handle(work: $0)) : .plain($0) }
  }

  /// The handle that all copies of a task share.
  ///
  /// Releasing the last copy notifies the work.
  @usableFromInline
  final class Handle: Sendable {
    let work: WorkNode

    init(work: WorkNode) {
      self.work = work
    }

    deinit {
      work.releaseHandle()
    }
  }

  /// Returns when all of the dispatch has ended: of a debounced effect, when the lull has come and its run has ended.
  ///
  /// It returns quietly when the store has gone. The errors of effects go to the store's `onEffectError:`; with
  /// `throwing: .effects` the first one is thrown here, too. An effect that never ends never finishes. Cancelling the task that waits here does what `cancel()` does; as
  /// with structured tasks, the wait then lasts until everything cancelled has ended.
  ///
  /// An effect releases what it holds, such as its copy of the state, when its task is released. That may
  /// be a moment after this returns.
  ///
  /// - Parameters:
  ///   - extent: Which part of the dispatch to wait for.
  ///   - errors: Whether an error of an effect is thrown.
  /// - Throws: The error of the dispatched sequence or of an effect, `CancellationError` after a cancel or for what an
  ///   effect dispatched after it was ended, or
  ///   `DispatchDeadlock` if the caller would wait for itself: inside an effect, for a dispatch that the
  ///   effect belongs to.
  nonisolated(nonsending) public func finish(
    _ extent: Extent = .everything, throwing errors: ThrownErrors = .own
  ) async throws {
    let extent: WorkExtent = extent == .applied ? .applied : .everything
    if case .refused = reference { throw CancellationError() }
    guard let work = entered("waited for a dispatch") else { return }
    // While the handle lives, the work does not reparent its children.
    defer { withExtendedLifetime(reference) {} }
    try await work.wait(for: extent)
    if errors == .effects, let error = work.effectError { throw error }
  }

  /// Ends what is under way, and the effects of actions that it started, directly or through further
  /// actions of those effects.
  ///
  /// Once this has returned, none of their commits begins. Applied actions stay applied. Queued work does
  /// not begin. Effects `whenChanged:` belong to the state and go on.
  public func cancel() {
    entered("cancelled a dispatch")?.cancel()
  }

  /// Whether what was under way has been cancelled.
  ///
  /// What an effect dispatches after it was ended is not applied, and counts as cancelled.
  public var isCancelled: Bool {
    if case .refused = reference { return true }
    return entered("asked whether a dispatch is cancelled")?.reportsCancellation ?? false
  }

  /// The number of the last commit that the dispatch made before it returned; nil if it made none.
  ///
  /// ```swift
  /// let task = store.dispatch(EditorAction.save)
  /// log.note(task.revision, isHandled: task.isHandled)
  /// ```
  ///
  /// It is that of `Change.revision`. A dispatch makes no commit before it returns if it is of an empty list, or of an
  /// asynchronous sequence alone, if middleware drops it, if its effect was ended, or if its child has gone.
  public var revision: UInt64? { commit == 0 ? nil : commit &>> 1 }

  /// Whether a reducer has handled that commit; nil if there was none.
  public var isHandled: Bool? { commit == 0 ? nil : commit & 1 == 1 }
}
