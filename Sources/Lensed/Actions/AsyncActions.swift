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
/// `Base` is the type of the sequence, and `any Sendable` where several sequences were merged or
/// concatenated.
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
  public init(_ base: Base) {
    self.init(base: base) { try await base.pull(into: $0) }
  }
}

extension AsyncActions where Base: AsyncSequence, Base.Element == any Action {
  /// The elements of `base`, one action each, of any type.
  public init(_ base: Base) {
    self.init(base: base) { try await base.pull(into: $0) }
  }
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

extension AsyncActions: AsynchronousAction {
  func feed(_ sink: some ActionSink) async throws {
    try await pull(sink)
  }
}
