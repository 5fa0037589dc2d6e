extension Effect {
  /// The work of a run: calls the closure of the effect, and dispatches the actions that it returns.
  @inlinable
  static func work<Input: Sendable, Output: Sendable>(
    at site: CallSite,
    _ run:
      @escaping @concurrent @Sendable (
        _ input: Input, _ context: EffectContext<State>
      ) async throws -> Output
  ) -> Run {
    if !canBeActions(Output.self) {
      return { input, context in
        if let input = exactly(input, Input.self) ?? input as? Input {
          _ = try await run(input, context)
        }
      }
    }
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      try await context.dispatchOutput(run(input, context), site)
    }
  }
}

/// Whether the output of an effect can be an action, or a sequence of actions, by its type: then it is dispatched.
@usableFromInline
func canBeActions<Output>(_ type: Output.Type) -> Bool {
  if let sequence = type as? any AsyncSequence.Type {
    requireActions(in: sequence)
    return true
  }
  if let optional = type as? any OptionalOutput.Type { return optional.canBeActions }
  if type is any Action.Type || type == (any Action).self || type == [any Action].self {
    return true
  }
  if let sequence = type as? any Sequence.Type { refuseActions(in: sequence) }
  return false
}

/// Traps for a sequence of actions that is none itself: what it holds would be ignored.
private func refuseActions<S: Sequence>(in type: S.Type) {
  guard S.Element.self is any Action.Type || S.Element.self == (any Action).self else { return }
  fatalError(
    """
    Lensed: an effect returns a `\(type)` of actions, which `dispatch` does not take. Return an array: \
    `Array(actions)`.
    """)
}

private func requireActions<S: AsyncSequence>(in type: S.Type) {
  if S.Element.self is any Action.Type || S.Element.self == (any Action).self { return }
  fatalError(
    """
    Lensed: an effect returns a `\(type)`, whose elements are no actions. Map them to actions, or \
    return nothing.
    """)
}

/// An optional, whose value can be an action.
private protocol OptionalOutput {
  static var canBeActions: Bool { get }
}

extension Optional: OptionalOutput {
  static var canBeActions: Bool { Lensed.canBeActions(Wrapped.self) }
}

extension EffectContext {
  /// Dispatches the output of the effect, if it is an action or a sequence of actions, and waits until all
  /// of it has been applied.
  @usableFromInline
  nonisolated(nonsending) func dispatchOutput<Output: Sendable>(
    _ output: Output, _ site: CallSite
  ) async throws {
    if let action = output as? any Action {
      try await send(action, from: site).finish(.applied)
    } else if let actions = output as? [any Action] {
      try await send(ActionList(actions), from: site).finish(.applied)
    } else if output is any AsyncSequence {
      let actions = AsyncActions<any Sendable>(base: output) { sink in
        if let sequence = output as? any AsyncSequence { try await Self.pull(sequence, into: sink) }
      }
      try await send(actions, from: site).finish(.applied)
    }
  }

  /// Passes each element of a sequence to a sink; `canBeActions` has checked that they are actions.
  private static func pull<S: AsyncSequence>(
    _ sequence: S, into sink: any ActionSink
  ) async throws {
    var turn = JobTurn()
    for try await element in sequence {
      if turn.isOver(on: nil) { await Task.yield() }
      if let action = element as? any Action { try await sink.receive(action) }
    }
  }
}
