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
///
/// Where the type leaves it open, the value says it.
@usableFromInline
func canBeActions<Output>(_ type: Output.Type) -> Bool {
  if type == Void.self { return false }
  if let sequence = type as? any AsyncSequence.Type {
    requireActions(in: sequence)
    return true
  }
  if let optional = type as? any OptionalOutput.Type { return optional.canBeActions }
  if ActionContent(asElement: type) != .none || type == [any Action].self { return true }
  let content = ActionContent(type)
  if content == .certain { refuseActions(in: type) }
  return content == .possible
}

/// Whether values of a type are actions, or hold some.
private enum ActionContent {
  case none, possible, certain

  /// Whether a value is an action itself; what is in a box may be one.
  init<Value>(asElement type: Value.Type) {
    if type is any Action.Type || type == (any Action).self {
      self = .certain
    } else {
      self = isExistential(type) ? .possible : .none
    }
  }

  /// Whether a value is an action, or an optional or a sequence of what is.
  init<Value>(_ type: Value.Type) {
    if let optional = type as? any OptionalOutput.Type {
      self = optional.content
    } else if let sequence = type as? any Sequence.Type, !(type is any Action.Type) {
      self = Self.ofElements(sequence)
    } else {
      self.init(asElement: type)
    }
  }

  private static func ofElements<S: Sequence>(_ type: S.Type) -> ActionContent {
    ActionContent(S.Element.self)
  }
}

/// Traps for what holds actions and is none itself: they would be ignored.
private func refuseActions(in type: Any.Type) -> Never {
  fatalError(
    """
    Lensed: an effect returns a `\(type)` of actions, which `dispatch` does not take. Return an array: \
    `Array(actions)`, without optionals or arrays in it.
    """)
}

/// Traps for a value that holds actions, where its type alone did not say so.
private func refuseActions<Value>(of value: Value) {
  guard let values = value as? any Collection else { return }
  func check<C: Collection>(_ values: C) {
    let content = ActionContent(C.self)
    if content == .none { return }
    for element in values {
      if content == .certain || element is any Action { refuseActions(in: C.self) }
      refuseActions(of: element)
    }
  }
  check(values)
}

private func requireActions<S: AsyncSequence>(in type: S.Type) {
  if ActionContent(asElement: S.Element.self) != .none { return }
  fatalError(
    """
    Lensed: an effect returns a `\(type)`, whose elements are no actions. Map them to actions, or \
    return nothing.
    """)
}

/// An optional, whose value can be an action.
private protocol OptionalOutput {
  static var canBeActions: Bool { get }
  static var content: ActionContent { get }
}

extension Optional: OptionalOutput {
  static var canBeActions: Bool { Lensed.canBeActions(Wrapped.self) }
  fileprivate static var content: ActionContent { ActionContent(Wrapped.self) }
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
    } else {
      refuseActions(of: output)
    }
  }

  /// Passes each element of a sequence to a sink.
  private static func pull<S: AsyncSequence>(
    _ sequence: S, into sink: any ActionSink
  ) async throws {
    // A sequence in a box has not been looked at before.
    requireActions(in: S.self)
    var turn = JobTurn()
    for try await element in sequence {
      if turn.isOver(on: nil) { await Task.yield() }
      if let action = element as? any Action {
        try await sink.receive(action)
      } else {
        refuseActions(of: element)
      }
    }
  }
}
