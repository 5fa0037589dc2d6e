// MARK: What the code of an effect is

extension Effect {
  /// The code of an effect: it is given what triggered it, and returns nothing, or what is to be dispatched.
  public typealias Body<Input, Output> =
    @concurrent @Sendable (_ input: Input, _ context: EffectContext<State>) async throws -> Output

  /// Decides, on the state after a commit, whether a trigger counts.
  public typealias Condition<Input> =
    @Sendable (_ input: Input, _ change: Change<State>) -> Bool
}

/// How well a form of an effect's initialiser fits, for the compiler: each optional around the code is a step worse.
///
/// The compiler takes code without a `return` for code of any form whose result is no generic parameter. So forms with
/// a fixed result come later than the one that returns nothing, those with an optional result come later than those
/// without, and those that refuse come last.
public enum EffectForm {
  /// The form that returns nothing, the one that returns an action or nil, and sequences of actions of different types.
  public typealias Second<Code> = Code??
  /// Forms that return an action of any type, or an array of them.
  public typealias Third<Code> = Code???
  /// The form that returns an action of any type, or nil.
  public typealias Fourth<Code> = Code????
  /// The form that returns an array of actions of any type, or nil.
  public typealias Fifth<Code> = Code?????
  /// A form for what no other takes.
  public typealias Last<Code> = Code????????????????
}

/// A value that an effect may end with although it is no action: what came of a last call of `dispatch`, or of an optional
/// call that returns nothing.
///
/// ```swift
/// Effect<AppState>(on: Refresh.self) { _, context in context.dispatch(Load()) }
/// ```
public protocol EffectEnding: Sendable {}

extension DispatchTask: EffectEnding {}

extension Never: EffectEnding {}

extension Optional: EffectEnding where Wrapped == Void {}

/// What the compiler names when an effect returns a value that does not conform to ``Action``.
///
/// ```swift
/// struct Found { var text = "" }                                  // forgot `: Action`
/// Effect<AppState>(on: Search.self) { _, _ in Found(text: "") }
/// // error: type 'NotAnAction<Found>' does not conform to the 'Sendable' protocol
/// ```
///
/// Conform the type to `Action`, return `[any Action]` for an array of a protocol's actions, or return nothing.
public class NotAnAction<Output> {
  // The compiler checks `Sendable` after it has chosen a form. So a form that requires it of this class, which is not
  // `Sendable`, is chosen and then refused; any other requirement makes the compiler choose the form that returns
  // nothing.
  private init() {}
}

// MARK: The run of each form

extension Effect {
  /// Code that returns nothing.
  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: EffectForm.Second<Body<Input, Void>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      if let input = exactly(input, Input.self) ?? input as? Input {
        try await code(input, context)
      }
    }
  }

  /// Code that ends with what is ignored.
  @inlinable
  static func work<Input: Sendable, Output: EffectEnding>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Run {
    return { input, context in
      if let input = exactly(input, Input.self) ?? input as? Input {
        _ = try await code(input, context)
      }
    }
  }

  /// Code that returns an action.
  @inlinable
  static func work<Input: Sendable, Output: Action>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Run {
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      try await context.send(code(input, context), from: site).finish(.applied)
    }
  }

  /// Code that returns an action, or nil.
  @inlinable
  static func work<Input: Sendable, Output: Action>(
    at site: CallSite, _ code: EffectForm.Second<Body<Input, Output?>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input,
        let action = try await code(input, context)
      else { return }
      try await context.send(action, from: site).finish(.applied)
    }
  }

  /// Code that returns an array of actions of different types.
  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: EffectForm.Third<Body<Input, [any Action]>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      let actions = try await ActionList(code(input, context))
      try await context.send(actions, from: site).finish(.applied)
    }
  }

  /// Code that returns an action of any type.
  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: EffectForm.Third<Body<Input, any Action>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      try await context.send(code(input, context), from: site).finish(.applied)
    }
  }

  /// Code that returns an array of actions of different types, or nil.
  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: EffectForm.Fifth<Body<Input, [any Action]?>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input,
        let actions = try await code(input, context)
      else { return }
      try await context.send(ActionList(actions), from: site).finish(.applied)
    }
  }

  /// Code that returns an action of any type, or nil.
  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: EffectForm.Fourth<Body<Input, (any Action)?>>
  ) -> Run {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input,
        let action = try await code(input, context)
      else { return }
      try await context.send(action, from: site).finish(.applied)
    }
  }

  /// Code that returns a sequence of actions.
  @inlinable
  static func work<Input: Sendable, Output: AsyncSequence & Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Run where Output.Element: Action {
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      let actions = try await AsyncActions(dispatched: code(input, context))
      try await context.send(actions, from: site).finish(.applied)
    }
  }

  /// Code that returns a sequence of actions of different types.
  @inlinable
  static func work<Input: Sendable, Output: AsyncSequence & Sendable>(
    at site: CallSite, _ code: EffectForm.Second<Body<Input, Output>>
  ) -> Run where Output.Element == any Action {
    let code = certain(code, at: site)
    return { input, context in
      guard let input = exactly(input, Input.self) ?? input as? Input else { return }
      let actions = try await AsyncActions(dispatched: code(input, context))
      try await context.send(actions, from: site).finish(.applied)
    }
  }

  /// The code itself, without the optionals that only its form has.
  @usableFromInline
  static func certain<Code>(_ code: EffectForm.Fifth<Code>, at site: CallSite) -> Code {
    guard case let code????? = code else {
      fatalError("Lensed: the effect at \(site) is given nil instead of its code.")
    }
    return code
  }
}

/// Traps for an effect that a compiler without complete checking of concurrency let pass.
func refuseOutput<Output>(
  _ type: Output.Type, _ fileID: StaticString, _ line: UInt
) -> Never {
  fatalError(
    """
    Lensed: the effect at \(fileID):\(line) returns a `\(type)`, which does not conform to `Action`. Conform it, \
    or return nothing.
    """)
}
