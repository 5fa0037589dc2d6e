// The life of a sequence that is dispatched:
//
// 1. It becomes a task of the store before `dispatch` returns. The task holds the `StoreCore` and never the `Store`, so
//    it does not keep the store open.
// 2. The task pulls one element and hands it to the sink of the store, which commits it. Then it pulls the next one.
// 3. The commit of each element asks, under the lock, whether the sequence was stopped.

/// An asynchronous sequence of actions, as an action.
///
/// ```swift
/// let ticks = AsyncActions(clock.ticks.map { _ in CounterAction.increase(1) })
/// store.dispatch([CounterAction.reset, ticks, CounterAction.stop] as [any Action])
/// ```
///
/// The sequence is pulled one element at a time, each applied before the next is asked for. It ends
/// with its sequence, its first error, its cancellation, or the store. A sequence that always has its
/// next element at hand lets other jobs of its thread run after 4,096 in a row.
///
/// `Base` is the type of the sequence, and `any Sendable` where several sequences were merged or concatenated.
public struct AsyncActions<Base: Sendable>: Action {
  /// The sequence, for logs and for the debugger.
  let base: Base
  let pull: ActionPull

  @usableFromInline
  init(base: Base, pull: @escaping ActionPull) {
    self.base = base
    self.pull = pull
  }
}

/// Pulls a sequence and hands each element to a sink, until it ends.
@usableFromInline
typealias ActionPull = @Sendable (any ActionSink) async throws -> Void

extension AsyncActions where Base: AsyncSequence, Base.Element: Action {
  /// The elements of `base`, one action each.
  public init(_ base: Base) { self.init(base: base) { try await base.pull(into: $0) } }
}

extension AsyncActions where Base: AsyncSequence, Base.Element == any Action {
  /// The elements of `base`, one action each, of any type.
  public init(_ base: Base) { self.init(base: base) { try await base.pull(into: $0) } }
}

extension AsyncSequence where Element: Action {
  /// Hands the elements to a sink, until the sequence ends or the sink throws.
  @inlinable
  func pull(into sink: some ActionSink) async throws {
    var turn = JobTurn()
    for try await action in self {
      if turn.isOver(on: nil) { await Task.yield() }
      try await sink.receive(action)
    }
  }
}

extension AsyncSequence where Element == any Action {
  @inlinable
  func pull(into sink: some ActionSink) async throws {
    var turn = JobTurn()
    for try await action in self {
      if turn.isOver(on: nil) { await Task.yield() }
      try await sink.receive(action)
    }
  }
}

extension AsyncActions: AsynchronousAction {
  func feed(_ sink: some ActionSink) async throws { try await pull(sink) }
}

/// Turns each action that it takes into another one, and passes that on.
struct MappingSink: ActionSink {
  let sink: any ActionSink
  let map: @Sendable (any Action) -> any Action

  func receive(_ action: some Action) async throws { try await sink.receive(map(action)) }
}

// MARK: Sequences put together

extension AsyncActions where Base == any Sendable {
  /// The actions of several sequences, run side by side.
  ///
  /// ```swift
  /// store.dispatch(AsyncActions.merge(ticks, messages))
  /// ```
  ///
  /// Elements of one sequence keep their order; those of two may interleave in any way. The first
  /// failure cancels the others, and `finish()` throws it.
  public static func merge<each Sequence: AsyncSequence & Sendable>(
    _ sequences: repeat each Sequence
  ) -> AsyncActions<any Sendable> where repeat (each Sequence).Element: Action {
    merge(repeat AsyncActions<each Sequence>(each sequences))
  }

  /// The actions of several asynchronous actions, run side by side.
  ///
  /// Sequences of `any Action`, and sequences that are merged or concatenated already, go in as `AsyncActions`.
  public static func merge<each Part: Sendable>(
    _ actions: repeat AsyncActions<each Part>
  ) -> AsyncActions<any Sendable> {
    combine(repeat each actions) { pulls, sink in
      try await withThrowingTaskGroup { group in
        for pull in pulls { group.addTask { try await pull(sink) } }
        do {
          while try await group.next() != nil {}
        } catch {
          group.cancelAll()
          throw error
        }
      }
    }
  }

  /// The actions of several sequences, each after the end of the one before; a failure ends the whole.
  public static func concat<each Sequence: AsyncSequence & Sendable>(
    _ sequences: repeat each Sequence
  ) -> AsyncActions<any Sendable> where repeat (each Sequence).Element: Action {
    concat(repeat AsyncActions<each Sequence>(each sequences))
  }

  /// The actions of several asynchronous actions, each after the end of the one before.
  public static func concat<each Part: Sendable>(
    _ actions: repeat AsyncActions<each Part>
  ) -> AsyncActions<any Sendable> {
    combine(repeat each actions) { pulls, sink in
      for index in pulls.indices {
        // One that is cancelled may end without an error: those after it are not asked then.
        if index > 0 { try Task.checkCancellation() }
        try await pulls[index](sink)
      }
    }
  }

  private static func combine<each Part: Sendable>(
    _ actions: repeat AsyncActions<each Part>,
    by pull: @escaping @Sendable (_ all: [ActionPull], _ sink: any ActionSink) async throws -> Void
  ) -> AsyncActions<any Sendable> {
    var pulls: [ActionPull] = []
    for action in repeat each actions { pulls.append(action.pull) }
    let all = pulls
    return AsyncActions(base: all) { sink in try await pull(all, sink) }
  }
}
