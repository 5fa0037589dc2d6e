/// What a dispatch has under way after it returned.
///
/// ```swift
/// try await store.dispatch(lines.map(LogAction.line)).finish()
/// ```
///
/// A dispatch of synchronous actions that start no effect has nothing under way: its task is finished
/// from the start, and making it allocates nothing.
public struct DispatchTask: Sendable {
  /// What of a dispatch is waited for.
  public enum Extent: Sendable, Hashable {
    /// The dispatched actions alone.
    case applied
    /// The actions, what they queued on asynchronous mutators, and every effect that they started,
    /// directly or through further actions of those effects.
    case everything
  }

  /// How a task holds its work; one word in all.
  @usableFromInline
  enum Hold: Sendable {
    /// The work is in the tree for as long as it is under way.
    case plain(WorkNode)
    /// The work would hand its children over if nobody could ask for it.
    case own(Ticket)
  }

  @usableFromInline
  let hold: Hold?

  @usableFromInline
  var work: WorkNode? {
    switch hold {
    case nil: nil
    case .plain(let work): work
    case .own(let ticket): ticket.work
    }
  }

  @inlinable
  @inline(__always)
  init() {
    hold = nil
  }

  /// The task of some work.
  ///
  /// `isWatched` says that the work was made as watched: this is then the one task that is made of it.
  init(_ work: WorkNode?, isWatched: Bool) {
    hold = work.map { isWatched ? .own(Ticket(work: $0)) : .plain($0) }
  }

  /// The task of a dispatch that is its own job.
  @inline(__always)
  init(job: WorkNode) {
    hold = .plain(job)
  }

  /// What the copies of a task share; it says when the last of them has gone.
  @usableFromInline
  final class Ticket: Sendable {
    let work: WorkNode

    init(work: WorkNode) {
      self.work = work
    }

    deinit {
      work.unwatch()
    }
  }

  /// Returns when all of the dispatch has ended.
  ///
  /// It returns quietly when the store has gone, and does not throw the errors of effects. An effect
  /// that never ends never finishes. Cancelling the task that waits here does what `cancel()` does; as
  /// with structured tasks, the wait then lasts until what was cancelled has ended.
  ///
  /// What an effect held, such as the state it was shown, is let go of as its task goes, which may be a
  /// moment after this returns.
  ///
  /// - Parameter extent: What is waited for; everything, unless told otherwise.
  /// - Throws: The error of the dispatched sequence, `CancellationError` after a cancel, or
  ///   `DispatchDeadlock` when called by what would be waited for: inside an effect, of a dispatch
  ///   that the effect belongs to.
  nonisolated(nonsending) public func finish(_ extent: Extent = .everything) async throws {
    let extent: WorkExtent = extent == .applied ? .applied : .everything
    switch hold {
    case nil: return
    case .plain(let work): try await work.wait(for: extent)
    case .own(let ticket):
      // The work stays in the tree under its own name for as long as the ticket is there.
      defer { withExtendedLifetime(ticket) {} }
      try await ticket.work.wait(for: extent)
    }
  }

  /// Ends what is under way, and the effects of actions that it started, directly or through further
  /// actions of those effects.
  ///
  /// Once this has returned, no commit of them begins. What was applied stays. Work that is queued does
  /// not begin. Effects `whenChanged:` belong to the state and go on.
  public func cancel() {
    work?.cancel()
  }

  /// Whether what was under way has been cancelled.
  public var isCancelled: Bool { work?.isCalledOff ?? false }
}
