// How the compiler chooses what an effect returns:
//
// 1. Each initialiser of an effect is there in a form for each kind of result: `EffectForms+….swift`, which a test keeps
//    as `EffectFormsText` writes them.
// 2. Code without a `return` fits every form whose result is no generic parameter. So the forms have an order, from
//    `Effect` over `SecondEffectForms` to `LastEffectForms`, which does not depend on how the code is written.
// 3. A form whose result is an optional takes what is none, too. But the compiler takes any form whose result is none
//    before it. So all forms of values have optional results, those that refuse included: then the order decides.
// 4. `@_disfavoredOverload` is no means of order: the form that throws the value away would come before.
// 5. The last forms refuse. One is generic in any result, and requires what `NotAnAction` lacks. The other takes
//    results of several types and is unavailable.
// 6. The compiler takes an initialiser that is not generic before any that is. So the initialisers of every action
//    have a generic parameter `form`, which no caller passes.

// MARK: What the code of an effect is

extension Effect {
  /// The code of an effect: it is given what triggered it, and returns nothing, or what is to be dispatched.
  public typealias Body<Input, Output> =
    @concurrent @Sendable (_ input: Input, _ context: EffectContext<State>) async throws -> Output

  /// Decides, on the state after a commit, whether a trigger counts.
  public typealias Condition<Input> =
    @Sendable (_ input: Input, _ change: Change<State>) -> Bool
}

// MARK: The order in which the compiler tries the forms of an initialiser

/// Forms of the initialisers of an effect that the compiler takes last: they refuse what is no action.
///
/// Each initialiser of an effect is there in a form for each kind of result. Code without a `return` fits several of
/// them, and a form in `Effect` itself is taken before one in an extension of a protocol, and that before one in
/// an extension of a protocol which it refines. Not for you to conform to.
public protocol LastEffectForms<State>: Sendable {
  /// What the effect knows of the state.
  associatedtype State: Sendable
  /// Makes a copy of an effect.
  init(_ effect: Effect<State>)
  /// The effect itself.
  var asEffect: Effect<State> { get }
}

/// The form that returns an array of actions of any type, or nil.
public protocol FourthEffectForms<State>: LastEffectForms {}

/// The form that returns an action of any type, or nil.
public protocol ThirdEffectForms<State>: FourthEffectForms {}

/// Forms that return nothing, or a sequence of actions of any type.
public protocol SecondEffectForms<State>: ThirdEffectForms {}

extension Effect: SecondEffectForms {
  /// A copy of an effect.
  public init(_ effect: Effect) { self = effect }

  /// This effect.
  public var asEffect: Effect { self }
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

extension CallSite {
  /// Where an effect is written.
  @inlinable
  static func effect(_ fileID: StaticString, _ line: UInt) -> CallSite {
    CallSite(fileID: fileID, function: "an effect", line: line)
  }
}

extension Effect {
  /// Where the code of an effect is written, and the run that calls it.
  @usableFromInline
  typealias Code = (site: CallSite, run: EffectRun<State>)

  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, Void>
  ) -> Code {
    work(at: site, code) { _, _ in }
  }

  @inlinable
  static func work<Input: Sendable, Output: EffectEnding>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Code {
    work(at: site, code) { _, _ in }
  }

  @inlinable
  static func work<Input: Sendable, Output: Action>(
    at site: CallSite, _ code: @escaping Body<Input, Output?>
  ) -> Code {
    work(at: site, code) { action, context in
      if let action { try await context.send(action, from: site).finish(.applied) }
    }
  }

  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, (any Action)?>
  ) -> Code {
    work(at: site, code) { action, context in
      if let action { try await context.send(action, from: site).finish(.applied) }
    }
  }

  @inlinable
  static func work<Input: Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, [any Action]?>
  ) -> Code {
    work(at: site, code) { actions, context in
      if let actions {
        try await context.send(ActionList(actions), from: site).finish(.applied)
      }
    }
  }

  @inlinable
  static func work<Input: Sendable, Output: AsyncSequence & Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Code where Output.Element: Action {
    work(at: site, code) { actions, context in
      try await context.send(AsyncActions(dispatched: actions), from: site).finish(.applied)
    }
  }

  @inlinable
  static func work<Input: Sendable, Output: AsyncSequence & Sendable>(
    at site: CallSite, _ code: @escaping Body<Input, Output>
  ) -> Code where Output.Element == any Action {
    work(at: site, code) { actions, context in
      try await context.send(AsyncActions(dispatched: actions), from: site).finish(.applied)
    }
  }

  /// Calls the code of an effect, and dispatches what it returns.
  @inlinable
  static func work<Input: Sendable, Output>(
    at site: CallSite, _ code: @escaping Body<Input, Output>,
    dispatch: @escaping @concurrent @Sendable (Output, EffectContext<State>) async throws -> Void
  ) -> Code {
    (
      site,
      { input, context in
        guard let input = exactly(input, Input.self) ?? input as? Input else { return }
        try await dispatch(code(input, context), context)
      }
    )
  }
}

/// Traps for an effect that a compiler without complete checking of concurrency let pass.
func refuseOutput<Output>(
  _ type: Output.Type, _ fileID: StaticString, _ line: UInt
) -> Never {
  fatalError(
    """
    Lensed: the effect at \(fileID):\(line) returns a \(code: type), which does not conform to `Action`. Conform it, \
    or return nothing.
    """)
}
